"""Parts of ONNX models as bytes."""
from .wire import data, datas, number, packed

FLOAT, INT32, INT64 = 1, 6, 7


def node(op, inputs, outputs, *attributes, name="", domain=""):
    return datas(1, inputs) + datas(2, outputs) + (data(3, name) if name else b"") + data(4, op) + datas(5, attributes) + (data(7, domain) if domain else b"")


def attribute(name, kind, content):
    return data(1, name) + content + number(20, kind)


def ints(name, values):
    return attribute(name, 7, packed(8, values))


def whole(name, value):
    return attribute(name, 2, number(3, value))


def text(name, content):
    return attribute(name, 3, data(4, content))


def body(name, content):
    return attribute(name, 5, data(6, content))


def reference(name, actual, kind):
    return data(1, name) + data(21, actual) + number(20, kind)


def value(name, shape=(2,), kind=FLOAT):
    dims = b"" if shape is None else data(2, datas(1, [number(1, size) for size in shape]))
    return data(1, name) + data(2, data(1, number(1, kind) + dims))


def tensor(name, shape, kind, *content):
    return packed(1, shape) + number(2, kind) + (data(8, name) if name else b"") + b"".join(content)


def raw(content):
    return data(9, content)


def external(location, offset, length):
    entries = {"location": location, "offset": str(offset), "length": str(length)}
    return datas(13, [data(1, key) + data(2, text) for key, text in entries.items()]) + number(14, 1)


def graph(nodes, inputs, outputs, initializers=()):
    return datas(1, nodes) + data(2, "g") + datas(5, initializers) + datas(11, inputs) + datas(12, outputs)


def opset(version=18, domain=""):
    return data(1, domain) + number(2, version)


def function(name, inputs, outputs, nodes, attributes=()):
    return data(1, name) + datas(4, inputs) + datas(5, outputs) + datas(6, attributes) + datas(7, nodes) + data(9, opset()) + data(10, "own")


def model(content, functions=()):
    return number(1, 8) + data(7, content) + data(8, opset()) + data(8, opset(1, "own")) + datas(25, functions)
