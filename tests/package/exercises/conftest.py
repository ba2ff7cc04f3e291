"""Judging is many tiny products in many threads: torch's own threads would only wait for each other."""

import torch

torch.set_num_threads(1)
