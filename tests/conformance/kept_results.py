"""Results of the OpenVINO runtime, kept from one run of the tests to the next: to compile a small IR takes ten times as long as to convert its model, and
most IRs stay as they are.

Kept by the content of all that decides them: the IR, what it is fed, how it is compiled, the runtime, and what the processor can do. So an IR with one
other byte is computed anew. The folder may be removed at any time.
"""
import functools
import hashlib
import os
import pickle
import re
import shutil
import tempfile

import numpy as np

LARGEST = 1 << 30
# A result is kept if it and what is fed are small, and if the IR is read in much less time than it is compiled.
MOST_BYTES = 4 << 20
MOST_BYTES_OF_IR = 128 << 20


def cache(name):
    """The folder of that name for what clones share."""
    path = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "mo", name)
    os.makedirs(path, exist_ok=True)
    return path


@functools.cache
def folder():
    path = cache("results-of-openvino")
    if sum(entry.stat().st_size for entry in os.scandir(path)) > LARGEST:
        shutil.rmtree(path)
        os.makedirs(path)
    return path


@functools.cache
def machine():
    import openvino
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = re.search(r"^flags.*$", file.read(), re.M)
    return f"{openvino.get_version()} {flags and flags[0]}"


def content(xml):
    """Of the files of an IR; None if they are large."""
    paths = [xml, os.path.splitext(xml)[0] + ".bin"]
    if not all(map(os.path.exists, paths)) or sum(map(os.path.getsize, paths)) > MOST_BYTES_OF_IR:
        return None
    found = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()


def read(core, xml):
    """The model of an IR, which knows what it was read from."""
    model = core.read_model(xml)
    model.files = content(xml)
    return model


def content_of(model):
    """Of a model that read() gave, in the shapes that it has by now; None of another."""
    files = getattr(model, "files", None)
    return files and f"{files} {[str(port.get_partial_shape()) for port in model.inputs]}"


def results(ir, how, feeds, compute):
    """`compute()`, or what it gave for the same. `ir`: content() of it; `how`: a text; `feeds`: one dictionary of arrays for each run."""
    arrays = [np.asarray(array) for fed in feeds for array in fed.values()]
    if ir is None or any(array.dtype.hasobject for array in arrays) or sum(array.nbytes for array in arrays) > MOST_BYTES:
        return compute()
    key = hashlib.sha256(repr((ir, how, machine(), [[(name, str(np.asarray(array).dtype), np.shape(array)) for name, array in fed.items()] for fed in feeds])).encode())
    for array in arrays:
        key.update(array.tobytes())
    path = os.path.join(folder(), key.hexdigest())
    try:
        with open(path, "rb") as file:
            return pickle.load(file)
    except FileNotFoundError:
        found = compute()
    data = pickle.dumps(found)
    if len(data) <= MOST_BYTES:
        with tempfile.NamedTemporaryFile(dir=folder(), delete=False) as file:
            file.write(data)
        os.replace(file.name, path)
    return found
