"""Writes Gluon's ResNet-152, whose every BatchNorm is folded, with drawn weights: build/models/mxnet_resnet152-symbol.json and -0000.params.

    .venv/bin/python tests/mxnet/resnet152.py
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import stored_mxnet  # noqa: E402

FOLDER = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build", "models")

if __name__ == "__main__":
    [case] = [one for name, one in stored_mxnet.everything(["zoo"]).items() if "resnet152" in name]
    os.makedirs(FOLDER, exist_ok=True)
    case.write(os.path.join(FOLDER, "mxnet_resnet152-symbol.json"))
