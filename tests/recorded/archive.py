"""Recorded cases: one .npz a file, whose members are named case/part. Needs numpy only; nothing in it is pickled."""
import io
import json
import os
import zipfile

import numpy as np


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


def cases(path):
    """What the file has of each case: {case: {part: array}}, in their order."""
    found = {}
    with np.load(path, allow_pickle=False) as file:
        for member in file.files:
            key, part = member.split("/", 1)
            found.setdefault(key, {})[part] = file[member]
    return found


def as_json(array):
    return json.loads(array.tobytes())


def from_json(value):
    return as_bytes(json.dumps(value).encode())
