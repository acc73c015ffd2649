#!/usr/bin/env python3
"""The recorded symbols of MXNet. Needs numpy only.

    .venv/bin/python tests/mxnet/stored_mxnet.py [NAME ...]      build/mxnet/shapes.Reshape-symbol.json and so on; all without names
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import array_list  # noqa: E402
import programs  # noqa: E402

RECORDED = os.path.join(HERE, "recorded")
FOLDER = os.path.normpath(os.path.join(HERE, "..", "..", "build", "mxnet"))
ENDING = "-symbol.json"


class Case(programs.Case):
    """A symbol. `about` also has the version of the file of arrays, the prefix of each name in it ("" for none), which arrays are
    sparse, and the options of the command line. An input without a shape in the symbol has none in `in_shapes`."""

    def named(self):
        return {self.about["prefixes"].get(name, "") + name: array for name, array in self.parameters.items()}

    def write(self, path):
        """`path`: of the symbol, X-symbol.json; the arrays are beside it, X-0000.params, if there are any."""
        with open(path, "wb") as file:
            file.write(self.model)
        if self.about["parameters"]:
            storages = {self.about["prefixes"].get(name, "") + name: storage for name, storage in self.about["storages"].items()}
            with open(path.removesuffix(ENDING) + "-0000.params", "wb") as file:
                file.write(array_list.written(self.named(), self.about["version"], storages))


def load(path):
    return programs.load(path, Case)


def everything(families=None):
    return programs.everything(RECORDED, Case, families)


if __name__ == "__main__":
    programs.command(sys.argv[1:], RECORDED, Case, FOLDER, ENDING)
