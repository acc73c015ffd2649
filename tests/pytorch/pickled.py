"""Weights as torch.save of PyTorch before 2.9 pickles them, opcode by opcode."""
import struct

#: By the codes of the schema.
STORAGES = {1: "ByteStorage", 2: "CharStorage", 3: "ShortStorage", 4: "IntStorage", 5: "LongStorage", 6: "HalfStorage", 7: "FloatStorage", 8: "DoubleStorage", 10: "ComplexFloatStorage", 12: "BoolStorage", 13: "BFloat16Storage"}
OTHERS = {28: "uint16", 29: "float8_e4m3fn", 30: "float8_e5m2", 34: "uint32", 35: "uint64"}


def text(value):
    return b"X" + struct.pack("<I", len(value.encode())) + value.encode()


def number(value):
    return b"K" + bytes([value]) if 0 <= value < 256 else b"M" + struct.pack("<H", value) if 0 <= value < 65536 else b"\x8a\x08" + struct.pack("<q", value)


def together(*items):
    return b"(" + b"".join(items) + b"t"


def named(module, name):
    return f"c{module}\n{name}\n".encode()


def tensor(code, key, offset, sizes, strides, elements):
    storage = named("torch.storage", "UntypedStorage") if code in OTHERS else named("torch", STORAGES[code])
    items = [together(text("storage"), storage, text(key), text("cpu"), number(elements)) + b"Q", number(offset), together(*map(number, sizes)), together(*map(number, strides)),
             b"\x89", named("collections", "OrderedDict") + b")R"]
    if code in OTHERS:
        return named("torch._utils", "_rebuild_tensor_v3") + together(*items, named("torch", OTHERS[code])) + b"R"
    return named("torch._utils", "_rebuild_tensor_v2") + together(*items) + b"R"


def parameter(made):
    return named("torch._utils", "_rebuild_parameter") + together(made, b"\x88", named("collections", "OrderedDict") + b")R") + b"R"


def dictionary(members):
    return b"\x80\x02" + named("collections", "OrderedDict") + b")Rq\x00(" + b"".join(text(key) + value for key, value in members) + b"u."


def saved(weights, storages, zipped):
    """The zip of a configuration of weights of PyTorch 2.9, whose storages have these bytes."""
    keys = {path: str(at) for at, path in enumerate(storages)}
    members = []
    for name, weight in weights.items():
        meta = weight["tensor_meta"]
        sizes, strides = ([size["as_int"] for size in meta[key]] for key in ("sizes", "strides"))
        made = tensor(meta["dtype"], keys[weight["path_name"]], meta["storage_offset"]["as_int"], sizes, strides, len(storages[weight["path_name"]]))
        members.append((name, parameter(made) if weight["is_param"] else made))
    entries = [("archive/data.pkl", dictionary(members)), ("archive/byteorder", b"little")]
    return zipped(entries + [(f"archive/data/{keys[path]}", content) for path, content in storages.items()] + [("archive/version", b"3\n")])
