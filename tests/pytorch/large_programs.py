#!/usr/bin/env python3
"""Writes programs of the size that people have, with random weights, for scripts/bench.mjs: build/models/pytorch_resnet50.pt2 and pytorch_bert.pt2.

Makes .venv-torch with scripts/requirements-torch.txt.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "recorded")]
import environment  # noqa: E402

FOLDER = os.path.join(environment.ROOT, "build", "models")


def main():
    import torch
    import torchvision
    import transformers
    torch.manual_seed(0)
    any_size = torch.export.Dim.DYNAMIC

    def save(name, module, inputs, axes):
        program = torch.export.export(module.eval(), inputs, dynamic_shapes=(dict.fromkeys(axes, any_size),) * len(inputs))
        torch.export.save(program, os.path.join(FOLDER, name + ".pt2"))
    os.makedirs(FOLDER, exist_ok=True)
    save("pytorch_resnet50", torchvision.models.resnet50(), (torch.rand(2, 3, 64, 64),), [0])
    ids = torch.ones(2, 16, dtype=torch.int64)
    save("pytorch_bert", transformers.BertModel(transformers.BertConfig()), (ids, torch.ones_like(ids)), [0, 1])


if __name__ == "__main__":
    environment.in_environment("torch")
    main()
