"""What the views share: scripts, styles, and how they are put together."""
