"""How a picture is put together."""
