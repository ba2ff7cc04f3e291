"""How a picture is put together: sizes in cells, matrices as grids of numbers, vectors in a plane, curves."""
