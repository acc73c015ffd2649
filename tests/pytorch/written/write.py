#!/usr/bin/env python3
"""Writes small programs with the PyTorch that runs this, and what it computes: files of older releases, as they are.

    python3 -m venv /tmp/old && /tmp/old/bin/pip install numpy torch==2.6.0
    /tmp/old/bin/python tests/pytorch/written/write.py

Programs name the files of their source: write them where nothing is told by that.

NAME-VERSION.pt2, and in NAME-VERSION.npz its inputs and outputs: in:0, out:0.
"""
import os
import warnings

import numpy as np
import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
warnings.filterwarnings("ignore")


class Views(nn.Module):
    """Weights of several types, tied, and parts of a storage; a buffer that is not in the state; a lifted constant."""

    def __init__(self):
        super().__init__()
        base = torch.arange(24, dtype=torch.float32).reshape(4, 6) / 24
        self.turned = nn.Parameter(base.t()[:4])
        self.again = self.turned
        self.register_buffer("halves", torch.linspace(-1, 1, 4).half())
        self.register_buffer("places", torch.tensor([2, 0, 1]), persistent=False)
        self.register_buffer("count", torch.tensor(7, dtype=torch.uint8))

    def forward(self, x):
        y = x @ self.turned + self.again.sum() + self.halves.float() + torch.tensor([1.0, 2.0, 3.0, 4.0])
        return {"rows": y[:, self.places], "count": self.count + 1}


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.convolution = nn.Conv2d(2, 4, 3, padding=1)
        self.normal = nn.BatchNorm2d(4)
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(self, picture):
        y = torch.relu_(self.normal(self.convolution(picture)))
        rows = y.flatten(2).transpose(1, 2)
        return self.attention(rows, rows, rows, need_weights=False)[0].mean(1)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.LSTM(3, 4, bidirectional=True, batch_first=True)

    def forward(self, x, mask):
        y, (h, _) = self.layer(x)
        return y.masked_fill(mask.unsqueeze(-1), 0.0), h


def main():
    version = ".".join(torch.__version__.split("+")[0].split(".")[:2])
    dynamic = {0: torch.export.Dim("batch", min=2, max=64)}
    cases = {
        "views": (Views(), (torch.rand(2, 4),), ({0: dynamic[0]},)),
        "network": (Network(), (torch.rand(2, 2, 5, 6),), ({0: dynamic[0]},)),
        "recurrent": (Recurrent(), (torch.rand(2, 5, 3), torch.tensor([[False] * 5, [False] * 3 + [True] * 2])), None),
        "decomposed": (Views(), (torch.rand(2, 4),), None),
    }
    torch.manual_seed(1)
    for name, (module, inputs, shapes) in cases.items():
        module = module.eval()
        program = torch.export.export(module, inputs, dynamic_shapes=shapes)
        if name == "decomposed":
            program = program.run_decompositions()
        stem = os.path.join(HERE, f"{name}-{version}")
        torch.export.save(program, stem + ".pt2")
        with torch.no_grad():
            outputs = torch.utils._pytree.tree_leaves(module(*inputs))
        arrays = {f"in:{at}": one.numpy() for at, one in enumerate(inputs)}
        arrays.update({f"out:{at}": one.numpy() for at, one in enumerate(outputs)})
        np.savez(stem + ".npz", **arrays)


if __name__ == "__main__":
    main()
