"""Bytes of a .caffemodel, written field by field, so that each form that a blob had in Caffe and its forks can be written."""
import os
import struct
import sys

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts"))
from protobuf_wire import written as varint  # noqa: E402

RAW_TYPES = {np.dtype(np.float64): 0, np.dtype(np.float32): 1, np.dtype(np.float16): 2}
V1_TYPES = {"Convolution": 4, "InnerProduct": 14, "Deconvolution": 39}


def number(field, value):
    return varint(field << 3) + varint(value)


def payload(field, content):
    content = content.encode() if isinstance(content, str) else bytes(content)
    return varint(field << 3 | 2) + varint(len(content)) + content


def blob(value, form="shape"):
    """A BlobProto. Forms: shape, legacy, both (with a shape that does not count), double, raw, half, unpacked, pieces, flat."""
    value = np.asarray(value)
    flat = value.astype("<f4").ravel()
    dims = payload(7, payload(1, b"".join(varint(int(size)) for size in value.shape)))
    four = [1] * (4 - value.ndim) + list(value.shape)
    legacy = b"".join(number(1 + i, int(size)) for i, size in enumerate(four))
    if form == "legacy":
        return legacy + payload(5, flat.tobytes())
    if form == "both":
        return legacy + payload(5, flat.tobytes()) + payload(7, payload(1, varint(3) + varint(5)))
    if form == "double":
        return payload(8, flat.astype("<f8").tobytes()) + dims
    if form in ("raw", "half"):
        raw = flat.astype("<f2") if form == "half" else flat
        return dims + number(10, RAW_TYPES[raw.dtype]) + payload(12, raw.tobytes())
    if form == "unpacked":
        return b"".join(varint(5 << 3 | 5) + struct.pack("<f", x) for x in flat) + dims
    if form == "pieces":
        return payload(5, flat[:1].tobytes()) + payload(5, flat[1:].tobytes()) + dims
    return payload(5, flat.tobytes()) + (b"" if form == "flat" else dims)


def layer(name, kind, blobs, version=2, form="shape"):
    """A layer with its field of NetParameter."""
    parts = [blob(value, form) for value in blobs]
    if version == 2:
        return payload(100, payload(1, name) + payload(2, kind) + b"".join(payload(7, part) for part in parts))
    if version == 1:
        return payload(2, payload(4, name) + number(5, V1_TYPES.get(kind, 0)) + b"".join(payload(6, part) for part in parts))
    return payload(2, payload(1, payload(1, name) + payload(2, kind) + b"".join(payload(50, part) for part in parts)))


def network(layers, name="net", version=2, form="shape"):
    """`layers`: (name, type, blobs)."""
    return payload(1, name) + b"".join(layer(*one, version=version, form=form) for one in layers)
