#!/usr/bin/env python3
"""The recorded programs of PaddlePaddle. Needs numpy only.

    .venv/bin/python tests/paddle/stored.py [NAME ...]      build/paddle/conv.conv2d_same.pdmodel and so on; all without names
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import archive  # noqa: E402
import program  # noqa: E402
from drawing import draw, draw_image  # noqa: E402

RECORDED = os.path.join(HERE, "recorded")
FOLDER = os.path.normpath(os.path.join(HERE, "..", "..", "build", "paddle"))


def drawn(recipe):
    """An array by its recipe; a picture is drawn with the channels last, and has them second."""
    if recipe.get("picture"):
        batch, channels, *sizes = recipe["shape"]
        return draw_image({**recipe, "shape": [batch, *sizes, channels]}).transpose(0, -1, *range(1, len(sizes) + 1)).copy()
    return draw(recipe)


class Case:
    """A program, its parameters, what it is fed one run after the other, and what PaddlePaddle answered.

    `parameters`: arrays by name; `recipes`: of those, and of those fed, that are drawn and not recorded. `runs`: feeds by name.
    `wanted`: for each run the outputs in their order. `about`: names of inputs and outputs in their order, their shapes with -1 where the
    program does not say a size, the LoD of inputs that are sequences, why it is refused, if it is, whether its numbers are random.
    """

    def __init__(self, name, model, about, parameters, runs, wanted):
        self.name, self.model, self.about, self.parameters, self.runs, self.wanted = name, model, about, parameters, runs, wanted

    def write(self, path):
        """`path`: of the .pdmodel; parameters are beside it, if there are any."""
        with open(path, "wb") as file:
            file.write(self.model)
        if self.parameters:
            with open(os.path.splitext(path)[0] + ".pdiparams", "wb") as file:
                file.write(program.combined(self.parameters))

    def members(self):
        key = self.name.split("/", 1)[1]
        yield f"{key}/model", archive.as_bytes(self.model)
        yield f"{key}/about", archive.from_json(self.about)
        recipes = self.about["recipes"]
        for at, (name, array) in enumerate(self.parameters.items()):
            if name not in recipes:
                yield f"{key}/parameter/{at}", array
        for at, feeds in enumerate(self.runs):
            for place, (name, array) in enumerate(feeds.items()):
                if at or name not in recipes:
                    yield f"{key}/feed/{at}/{place}", array
        for at, results in enumerate(self.wanted):
            for place, array in enumerate(results):
                yield f"{key}/want/{at}/{place}", array


def from_parts(name, parts):
    about = archive.as_json(parts["about"])
    recipes, runs, wanted = about["recipes"], [], []
    parameters = {key: drawn(recipes[key]) if key in recipes else parts[f"parameter/{at}"] for at, key in enumerate(about["parameters"])}
    for at in range(about["runs"]):
        runs.append({key: drawn(recipes[key]) if not at and key in recipes else parts[f"feed/{at}/{place}"] for place, key in enumerate(about["inputs"])})
        if f"want/{at}/0" in parts:
            wanted.append([parts[f"want/{at}/{place}"] for place in range(len(about["outputs"]))])
    return Case(name, parts["model"].tobytes(), about, parameters, runs, wanted)


def load(path):
    """The cases of a file by name, in their order."""
    family = os.path.splitext(os.path.basename(path))[0]
    return {f"{family}/{key}": from_parts(f"{family}/{key}", parts) for key, parts in archive.cases(path).items()}


def everything(families=None):
    """Every recorded case by name; those of some families only."""
    found = {}
    for name in sorted(os.listdir(RECORDED)) if os.path.isdir(RECORDED) else []:
        if name.endswith(".npz") and (families is None or name[:-4] in families):
            found.update(load(os.path.join(RECORDED, name)))
    return found


def main(names):
    cases = everything({name.split("/")[0] for name in names} or None)
    unknown = [name for name in names if "/" in name and name not in cases]
    if unknown:
        sys.exit(f"stored: no such case: {', '.join(unknown)}")
    os.makedirs(FOLDER, exist_ok=True)
    for name, case in cases.items():
        if not names or name in names or name.split("/")[0] in names:
            path = os.path.join(FOLDER, name.replace("/", ".") + ".pdmodel")
            case.write(path)
            print(path)


if __name__ == "__main__":
    main(sys.argv[1:])
