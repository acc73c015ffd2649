"""Networks of Caffe from files, computed by reference.py: results(text, weights, feeds)."""
import re

import numpy as np

import net
import reference

WORDS = {"true": True, "false": False}


def message(tokens):
    """A message of the text format: each field a list."""
    found = {}
    for token in tokens:
        if token == "}":
            break
        value = next(tokens)
        if value == ":":
            value = next(tokens)
        found.setdefault(token, []).append(message(tokens) if value == "{" else simple(value))
    return found


def simple(token):
    if token[0] in "\"'":
        return token[1:-1]
    return WORDS[token] if token in WORDS else float(token) if re.fullmatch(r"[-+.\d]+(e[-+]?\d+)?", token) and "." in token else \
        int(token) if re.fullmatch(r"[-+]?\d+", token) else token


def parsed(text):
    return message(iter(re.findall(r"\"[^\"]*\"|'[^']*'|[{}:]|[^\s{}:#\"']+", re.sub(r"#.*", "", text))))


def fields(content):
    """(number, value) of a message in wire format."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = content[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(content):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
        else:
            size = varint() if kind == 2 else {1: 8, 5: 4}[kind]
            yield key >> 3, content[at:at + size]
            at += size


def blob(content):
    """A blob with the sizes that its fields say."""
    legacy, shape, data = [1, 1, 1, 1], None, []
    for number, value in fields(content):
        if number in (1, 2, 3, 4):
            legacy[number - 1] = value
        elif number == 5:
            data.append(value)
        elif number == 7:
            dims = b"".join(dim if isinstance(dim, bytes) else bytes([dim]) for n, dim in fields(value) if n == 1)
            shape = [value for _, value in fields(b"".join(b"\x08" + one for one in re.findall(rb"[\x80-\xff]*[\x00-\x7f]", dims)))]
    numbers = np.frombuffer(b"".join(data), "<f4")
    return numbers.reshape(legacy if shape is None else shape)


def weights_of(content):
    """The blobs of each layer."""
    found = {}
    for number, value in fields(content):
        if number in (2, 100):
            parts = list(fields(value))
            name = next(part for n, part in parts if n == (4 if number == 2 else 1)).decode()
            found[name] = [blob(part) for n, part in parts if n == (6 if number == 2 else 7)]
    return found


def flat(param):
    """One value of a list that has one."""
    return {name: [flat(one) if isinstance(one, dict) else one for one in values] if len(values) > 1 else
            flat(values[0]) if isinstance(values[0], dict) else values[0] for name, values in param.items()}


def results(text, weights, feeds):
    """All tensors by name."""
    network, blobs, values = parsed(text), weights_of(weights), dict(feeds)
    for layer in network["layer"]:
        kind, tops = layer["type"][0], layer["top"]
        if kind == "Input":
            continue
        param = flat(layer.get(net.FIELDS.get(kind, ""), [{}])[0])
        bottoms = [values[bottom] for bottom in layer["bottom"]]
        for top, value in zip(tops, reference.run(kind, param, bottoms, blobs.get(layer["name"][0], []), len(tops))):
            values[top] = np.asarray(value, np.float32)
    return values
