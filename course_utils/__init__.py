"""Self-attention as matrices: the package behind the lessons."""
