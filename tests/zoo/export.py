#!/usr/bin/env python3
"""export.py OUT NAME...: writes models of torch_models.py as OUT/NAME.onnx, by PyTorch's exporter, with seeded weights."""
import os
import sys
import time
import warnings
import zlib

warnings.filterwarnings("ignore")
import torch
from torch import nn

from torch_models import MODELS


def normalise(norm, inputs):
    """Gives a batch normalisation the statistics of what it sees, nearly."""
    x = inputs[0].detach().transpose(0, 1).flatten(1)
    norm.running_mean.copy_(x.mean(1)).add_(0.1 * torch.randn(len(x)))
    norm.running_var.copy_(x.var(1, unbiased=False)).add_(1e-3).mul_(torch.rand(len(x)) + 0.5)


def lively(module, arguments):
    """Fresh modules normalise by 0 and 1, add and multiply by zeros, and let signals die: faults there would stay hidden."""
    for part in module.modules():
        if isinstance(part, (nn.BatchNorm1d, nn.BatchNorm2d, nn.LayerNorm, nn.GroupNorm)) and part.weight is not None:
            nn.init.uniform_(part.weight, 0.5, 1.5)
        for parameter in part.parameters(recurse=False):
            if parameter.dim() and not parameter.any():
                nn.init.uniform_(parameter, -0.1, 0.1)
    module.eval()
    norms = [part for part in module.modules() if isinstance(part, (nn.BatchNorm1d, nn.BatchNorm2d))]
    hooks = [norm.register_forward_pre_hook(normalise) for norm in norms]
    if hooks:
        with torch.no_grad():
            module(*arguments)
    for hook in hooks:
        hook.remove()


def export(name, folder):
    began = time.perf_counter()
    torch.manual_seed(zlib.crc32(name.encode()))
    e = MODELS[name]()
    lively(e.module, e.arguments)
    path = os.path.join(folder, name + ".onnx")
    part = f"{path}.{os.getpid()}"  # another clone may export the same
    # With gradients on: without them attention uses a fused path that the exporter does not support.
    torch.onnx.export(e.module, e.arguments, part, input_names=e.inputs, output_names=e.outputs, dynamic_axes=e.dynamic,
                      opset_version=e.opset, do_constant_folding=True)
    os.replace(part, path)
    print(f"{name}: {os.path.getsize(path) / 1e6:.1f} MB in {time.perf_counter() - began:.1f} s", flush=True)


if __name__ == "__main__":
    torch.set_num_threads(2)
    os.makedirs(sys.argv[1], exist_ok=True)
    failed = 0
    for name in sys.argv[2:] or MODELS:
        try:
            export(name, sys.argv[1])
        except Exception as error:
            failed += 1
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    sys.exit(failed > 0)
