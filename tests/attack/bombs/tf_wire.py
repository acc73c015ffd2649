"""Parts of GraphDefs as bytes."""
from .wire import data, datas, number

FLOAT = number(6, 1)


def node(name, op, inputs=(), **attributes):
    return data(1, name) + data(2, op) + datas(3, inputs) + datas(5, [data(1, key) + data(2, value) for key, value in attributes.items()])


def shape(*sizes):
    return data(7, datas(2, [number(1, size) for size in sizes]))


def filled(name, sizes, bits):
    """A Const of f32 in which every number has these bits."""
    tensor = number(1, 1) + data(2, datas(2, [number(1, size) for size in sizes])) + data(5, bits.to_bytes(4, "little"))
    return node(name, "Const", dtype=FLOAT, value=data(8, tensor))


def call(name):
    return data(10, data(1, name))


def placeholder(name="x", *sizes):
    return node(name, "Placeholder", dtype=FLOAT, shape=shape(*(sizes or (2,))))


def argument(name):
    return data(1, name) + number(3, 1)


def function(name, arguments, results, nodes):
    """`results`: {name: tensor}."""
    signature = data(1, name) + datas(2, map(argument, arguments)) + datas(3, map(argument, results))
    return data(1, signature) + datas(3, nodes) + datas(4, [data(1, key) + data(2, value) for key, value in results.items()])


def graph(nodes, functions=()):
    return datas(1, nodes) + (data(2, datas(1, functions)) if functions else b"")
