"""Models of Caffe, MXNet, PaddlePaddle 3 and Kaldi of n nodes: in a chain, read by one node, and all outputs."""
import json
import os
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path += [os.path.join(TESTS, "paddle")]
import pir_byhand as pir  # noqa: E402

INPUT = 'input: "data" input_dim: 1 input_dim: 3 input_dim: 8 input_dim: 8\n'


def layer(number, kind, bottom, top, parameters=""):
    return f'layer {{ name: "l{number}" type: "{kind}" bottom: "{bottom}" top: "{top}" {parameters} }}\n'


def layers_in_place(n):
    return (INPUT + layer(0, "AbsVal", "data", "t") + "".join(layer(i, "ReLU", "t", "t") for i in range(1, n))).encode()


def layers_in_a_row(n):
    power = "power_param { scale: 2 shift: 1 power: 1 }"
    return (INPUT + "".join(layer(i, "Power", f"t{i - 1}" if i else "data", f"t{i}", power) for i in range(n))).encode()


def symbol(nodes, heads):
    data = {"op": "null", "name": "data", "attrs": {"__shape__": "(2, 3)"}, "inputs": []}
    made = [{"op": op, "name": f"n{i}", "attrs": attributes, "inputs": [[k, 0, 0] for k in inputs]} for i, (op, inputs, attributes) in enumerate(nodes)]
    text = {"nodes": [data, *made], "arg_nodes": [0], "heads": [[head, 0, 0] for head in heads], "attrs": {"mxnet_version": ["int", 10901]}}
    return json.dumps(text).encode()


def symbol_in_a_row(n):
    return symbol([("_plus_scalar", [i], {"scalar": "1.5"}) for i in range(n)], [n])


def symbol_joined(n):
    return symbol([*(("relu", [0], {}) for _ in range(n)), ("add_n", list(range(1, n + 1)), {"num_args": str(n)})], [n + 1])


def symbol_of_heads(n):
    return symbol([("relu", [0], {}) for _ in range(n)], range(1, n + 1))


def program_in_a_row(n):
    block = pir.Block()
    y = block.data("x", [2, 3])
    for _ in range(n):
        y = block.op("1.relu", [y], [pir.tensor([2, 3])])
    block.fetch(y, pir.tensor([2, 3]))
    return json.dumps(pir.program(block)).encode()


def program_joined(n):
    block = pir.Block()
    x = block.data("x", [2, 3])
    parts = [block.op("1.relu", [x], [pir.tensor([2, 3])]) for _ in range(n)]
    listed = block.op("0.combine", parts, [pir.listed(*[pir.tensor([2, 3])] * n)])
    y = block.op("1.concat", [listed, block.full(0, "int32")], [pir.tensor([2 * n, 3])])
    block.fetch(y, pir.tensor([2 * n, 3]))
    return json.dumps(pir.program(block)).encode()


DEEPEST = 8


def program_of_regions(n):
    """Conditions in each other, of which each has an operation in both regions, one such tree after the other."""
    block = pir.Block()
    kind = pir.tensor([2, 3])
    y, on, left = block.data("x", [2, 3]), block.data("on", [1], "bool"), n

    def nested(outer, value, depth):
        nonlocal left
        left -= 3
        regions = outer.inner(), outer.inner()
        for region in regions:
            made = region.op("1.relu", [value], [kind])
            region.op("2.yield", [nested(region, made, depth - 1) if depth > 1 and region is regions[0] else made])
        return outer.op("1.if", [on], [kind], regions)
    while left > 0:
        y = nested(block, y, DEEPEST)
    block.fetch(y, kind)
    return json.dumps(pir.program(block)).encode()


def network(lines):
    """Nodes of nnet3, which all have the same component."""
    component = "<ComponentName> a <RectifiedLinearComponent> <Dim> 2 <ValueAvg> [ ] <DerivAvg> [ ] <Count> 0 </RectifiedLinearComponent>"
    return "\n".join(["<Nnet3> ", "input-node name=input dim=2", *lines, "", "<NumComponents> 1 ", component, "</Nnet3> ", ""]).encode()


def frames_in_a_row(n):
    """Each node is a state, too."""
    nodes = [f"component-node name=n{i} component=a input=Sum({'n' + str(i - 1) if i else 'input'}, IfDefined(Offset(n{i}, -1)))" for i in range(n)]
    return network([*nodes, f"output-node name=output input=n{n - 1}"])


def frames_of_one(n):
    """A window of n frames, of which each is read."""
    nodes = [f"component-node name=n{i} component=a input=Offset(input, -{i})" for i in range(n)]
    return network([*nodes, f"output-node name=output input=Append({', '.join(f'n{i}' for i in range(n))})"])


def frames_that_come(n):
    nodes = [f"component-node name=n{i} component=a input=Sum({'n' + str(i - 1) if i else 'input'}, Offset(input, {i}))" for i in range(n)]
    return network([*nodes, f"output-node name=output input=n{n - 1}"])


KINDS = {
    "Caffe, in place": (layers_in_place, ".prototxt"),
    "Caffe, in a row": (layers_in_a_row, ".prototxt"),
    "MXNet, in a row": (symbol_in_a_row, "-symbol.json"),
    "MXNet, joined": (symbol_joined, "-symbol.json"),
    "MXNet, heads": (symbol_of_heads, "-symbol.json"),
    "PaddlePaddle 3, in a row": (program_in_a_row, ".json"),
    "PaddlePaddle 3, joined": (program_joined, ".json"),
    "PaddlePaddle 3, regions": (program_of_regions, ".json"),
    "Kaldi, states": (frames_in_a_row, ".raw"),
    "Kaldi, a window": (frames_of_one, ".raw"),
    "Kaldi, delays": (frames_that_come, ".raw"),
}
