"""The recorded cases: one .npz a file, whose members are named case/part. Needs numpy only; nothing in it is pickled."""
import io
import json
import os
import zipfile

import numpy as np

RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded")


def write(path, arrays):
    """The same arrays give the same bytes: the members have a fixed date."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with zipfile.ZipFile(path, "w") as file:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asanyarray(array, order="C"), allow_pickle=False)
            info = zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0))
            file.writestr(info, member.getvalue(), zipfile.ZIP_DEFLATED, 9)


def as_bytes(content):
    return np.frombuffer(content, np.uint8)


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
        yield f"{key}/shapes", as_bytes(json.dumps(self.shapes).encode())
        for name, array in self.feeds.items():
            yield f"{key}/feed/{name}", array
        for name, array in self.wanted.items():
            yield f"{key}/want/{name}", array


def load(path):
    """The cases of a file by name, in their order."""
    family, cases = os.path.splitext(os.path.basename(path))[0], {}
    with np.load(path, allow_pickle=False) as file:
        for member in file.files:
            key, part, *rest = member.split("/", 2)
            case = cases.setdefault(f"{family}/{key}", Case(f"{family}/{key}", b"", {}, {}, {}))
            if part == "model":
                case.model = file[member].tobytes()
            elif part == "shapes":
                case.shapes = json.loads(file[member].tobytes())
            else:
                (case.feeds if part == "feed" else case.wanted)[rest[0]] = file[member]
    return cases


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
