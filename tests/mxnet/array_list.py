"""Writes lists of arrays as MXNet does, in each of its versions. Needs numpy only."""
import io
import struct
import zipfile

import numpy as np

TYPES = ["float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool", "int16", "uint16", "uint32", "uint64", "bfloat16"]
MAGIC = {"v1": 0xF993FAC8, "v2": 0xF993FAC9, "v3": 0xF993FACA}


def shape_of(sizes):
    return struct.pack(f"<I{len(sizes)}q", len(sizes), *sizes)


def dense(array, version):
    """A record of a dense array, on the CPU."""
    array = np.asarray(array, order="C")
    kind = struct.pack("<iii", 1, 0, TYPES.index(array.dtype.name))
    if version == "v0":
        return struct.pack(f"<I{array.ndim}I", array.ndim, *array.shape) + kind + array.tobytes()
    storage = b"" if version == "v1" else struct.pack("<i", 0)
    return struct.pack("<I", MAGIC[version]) + storage + shape_of(array.shape) + kind + array.tobytes()


def sparse(array, storage, stale=False):
    """A record of a sparse array: row_sparse or csr. Stale: the shape of its data says 0, as MXNet may write it."""
    if storage == "row_sparse":
        rows = np.flatnonzero(array.reshape(len(array), -1).any(1)).astype(np.int64)
        data, further = array[rows], [rows]
    else:
        rows, columns = np.nonzero(array)
        data, further = array[rows, columns], [np.searchsorted(rows, np.arange(len(array) + 1)).astype(np.int64), columns.astype(np.int64)]
    head = struct.pack("<Ii", MAGIC["v2"], 1 if storage == "row_sparse" else 2)
    sizes = [0, *data.shape[1:]] if stale else data.shape
    kinds = b"".join(struct.pack("<i", TYPES.index("int64")) + shape_of(one.shape) for one in further)
    return (head + shape_of(sizes) + shape_of(array.shape) + struct.pack("<iii", 1, 0, TYPES.index(array.dtype.name)) + kinds
            + data.tobytes() + b"".join(one.tobytes() for one in further))


def zipped(arrays):
    """As MXNet 2: an .npz whose members are stored."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.asarray(array, order="C"), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0)), member.getvalue())
    return file.getvalue()


def written(arrays, version="v2", storages=None):
    """The bytes of a file. `storages`: of the arrays that are sparse, "row_sparse", "csr", perhaps with " stale" behind it."""
    if version == "npz":
        return zipped(arrays)
    records = []
    for name, array in arrays.items():
        storage = (storages or {}).get(name)
        records.append(sparse(array, *storage.split()[:1], "stale" in storage) if storage else dense(array, version))
    names = b"".join(struct.pack("<Q", len(name.encode())) + name.encode() for name in arrays)
    return struct.pack("<QQQ", 0x112, 0, len(records)) + b"".join(records) + struct.pack("<Q", len(arrays)) + names
