#!/usr/bin/env python3
"""The recorded programs of PaddlePaddle. Needs numpy only.

    .venv/bin/python tests/paddle/stored.py [NAME ...]      build/paddle/conv.conv2d_same.pdmodel and so on; all without names
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import program  # noqa: E402
import programs  # noqa: E402
from programs import cut, drawn, larger, pack  # noqa: E402, F401

RECORDED = os.path.join(HERE, "recorded")
FOLDER = os.path.normpath(os.path.join(HERE, "..", "..", "build", "paddle"))


class Case(programs.Case):
    """`about` also has the LoD of inputs that are sequences."""
    ending = ".pdmodel"

    def write(self, path):
        """`path`: of the program; parameters are beside it, if there are any."""
        with open(path, "wb") as file:
            file.write(self.model)
        if self.about["parameters"]:
            with open(os.path.splitext(path)[0] + ".pdiparams", "wb") as file:
                file.write(program.combined(self.parameters))


def load(path):
    return programs.load(path, Case)


def everything(families=None):
    return programs.everything(RECORDED, Case, families)


if __name__ == "__main__":
    programs.command(sys.argv[1:], RECORDED, Case, FOLDER, ".pdmodel")
