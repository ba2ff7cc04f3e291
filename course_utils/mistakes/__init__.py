"""Every mistake in a computation that the course can name: what was done instead, and what the student reads.

One file per step. Within a group the more basic mistake comes first, since of two mistakes the first is named.
Nothing here draws or displays: exercises judge by these lists, and others may show what such a step leads to.
"""
