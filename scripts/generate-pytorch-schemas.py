"""Writes core/front/pytorch/extract/schemas.def: the defaults of arguments of all overloads of the operators that
core/front/pytorch/extract/operators.def has. Needs PyTorch (scripts/requirements-torch.txt):

    .venv-torch/bin/python scripts/generate-pytorch-schemas.py
"""

import pathlib
import re

import torch

FOLDER = pathlib.Path(__file__).parent.parent / "core/front/pytorch/extract"
HEAD = """// The defaults of arguments, which programs leave out: PYTORCH_SCHEMA("namespace.operator.overload", "name=default …").
// Arguments whose default is None are not listed. Written by scripts/generate-pytorch-schemas.py from PyTorch {version}.
#ifndef PYTORCH_SCHEMA
#error define PYTORCH_SCHEMA before including schemas.def
#endif
"""


def text_of(value):
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(text_of(one) for one in value) + "]"
    if isinstance(value, str):
        return f"'{value}'"
    return str(value)


def rows(namespace, operator):
    found = {}
    for name in (operator, operator + "_"):
        packet = getattr(getattr(torch.ops, namespace), name, None)
        for overload in packet.overloads() if packet else []:
            schema = getattr(packet, overload)._schema
            defaults = [
                f"{argument.name}={text_of(argument.default_value)}"
                for argument in schema.arguments
                if argument.has_default_value() and argument.default_value is not None
                and not argument.is_out and argument.name != "pin_memory"
                and "'" + " " not in text_of(argument.default_value)
            ]
            if defaults and "out" not in overload.split("_"):
                found.setdefault(f"{namespace}.{operator}.{overload}", " ".join(defaults))
    return [f'PYTORCH_SCHEMA("{name}", "{defaults}")' for name, defaults in sorted(found.items())]


def main():
    table = (FOLDER / "operators.def").read_text()
    operators = sorted(set(re.findall(r"^PYTORCH_(?:CALL|SAME)\((\w+), (aten|torchvision),", table, re.M)))
    lines = [line for operator, namespace in operators for line in rows(namespace, operator)]
    (FOLDER / "schemas.def").write_text(HEAD.format(version=torch.__version__.split("+")[0]) + "\n".join(lines) + "\n#undef PYTORCH_SCHEMA\n")


main()
