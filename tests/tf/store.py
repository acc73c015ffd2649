"""The recorded cases of TensorFlow. Needs numpy only."""
import json
import os
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDED = os.path.join(HERE, "recorded")
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "recorded"))
from archive import as_bytes, as_json, cases, from_json  # noqa: E402


class Case:
    """A model with what is fed and what TensorFlow answered.

    `shapes` has a list a tensor, -1 for a dimension that the graph does not say, None for an unknown rank.
    """

    def __init__(self, name, model, feeds, wanted, shapes):
        self.name, self.model, self.feeds, self.wanted, self.shapes = name, model, feeds, wanted, shapes

    def write(self, path):
        """Writes the GraphDef."""
        with open(path, "wb") as file:
            file.write(self.model)

    def members(self):
        key = self.name.split("/", 1)[1]
        yield f"{key}/model", as_bytes(self.model)
        yield f"{key}/shapes", from_json(self.shapes)
        for name, array in self.feeds.items():
            yield f"{key}/feed/{name}", array
        for name, array in self.wanted.items():
            yield f"{key}/want/{name}", array


def load(path):
    """The cases of a file by name, in their order."""
    family, found = os.path.splitext(os.path.basename(path))[0], {}
    for key, parts in cases(path).items():
        arrays = {part: {name.split("/", 1)[1]: array for name, array in parts.items() if name.startswith(part + "/")} for part in ("feed", "want")}
        found[f"{family}/{key}"] = Case(f"{family}/{key}", parts["model"].tobytes(), arrays["feed"], arrays["want"], as_json(parts["shapes"]))
    return found


def operations():
    """Every case of one operation, by name."""
    found = {}
    for name in sorted(os.listdir(RECORDED)):
        if name.endswith(".npz"):
            found.update(load(os.path.join(RECORDED, name)))
    return found


class Saved(Case):
    """A folder of files that TensorFlow wrote. `options`: what the command gets; its shapes are not recorded."""

    def __init__(self, folder):
        with np.load(os.path.join(folder, "case.npz"), allow_pickle=False) as file:
            parts = {part: {member.split("/", 1)[1]: file[member] for member in file.files if member.startswith(part + "/")} for part in ("feed", "want")}
            self.options = [option.replace("FOLDER", folder) for option in json.loads(file["options"].tobytes())]
        super().__init__("saved/" + os.path.basename(folder), b"", parts["feed"], parts["want"], {})


def saved():
    """The cases of SavedModels, MetaGraphs and checkpoints, by name."""
    folder = os.path.join(RECORDED, "saved")
    return {"saved/" + name: os.path.join(folder, name) for name in sorted(os.listdir(folder))} if os.path.isdir(folder) else {}
