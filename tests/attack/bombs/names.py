"""Names of more than 64 KB, and many long ones."""
import json

from . import save
from .onnx_wire import graph, model, node, value
from .pir import operation, program
from .tf_wire import FLOAT, graph as tf_graph, node as tf_node, placeholder

LONG = "n" * 65_537


def of_a_node_onnx(folder, n):
    return save(folder, model(graph([node("Relu", ["x"], ["y"], name=LONG)], [value("x")], [value("y")])), code="MO1005", says="text is too long")


def of_a_tensor_onnx(folder, n):
    return save(folder, model(graph([node("Relu", ["x"], [LONG]), node("Relu", [LONG], ["y"])], [value("x")], [value("y")])), code="MO1005", says="text is too long")


def of_a_node_tf(folder, n):
    return save(folder, tf_graph([placeholder(), tf_node(LONG, "Relu", ["x"], T=FLOAT)]), name="m.pb", code="MO1005", says="a name of more than 65536 bytes")


def of_a_node_in_a_text(folder, n):
    text = f'node {{ name: "x" op: "Placeholder" attr {{ key: "dtype" value {{ type: DT_FLOAT }} }} }}\nnode {{ name: "{LONG}" op: "Relu" input: "x" attr {{ key: "T" value {{ type: DT_FLOAT }} }} }}\n'
    return save(folder, text.encode(), name="m.pbtxt", code="MO1005", says="line 2")


def shared_by_outputs(folder, n):
    """64 long names of one tensor, which n outputs are."""
    nodes = [node("Identity", ["x"], [f"l{i}" + "n" * 60_000]) for i in range(64)] + [node("Identity", ["x"], [f"y{i}"]) for i in range(n)]
    outputs = [value(f"l{i}" + "n" * 60_000) for i in range(64)] + [value(f"y{i}") for i in range(n)]
    return save(folder, model(graph(nodes, [value("x")], outputs)), nodes=2 * n)


def of_decomposed_nodes(folder, n):
    """Each becomes ten nodes, which are named after it."""
    nodes = [node("Shrink", ["x"], [f"y{i}"], name=str(i) + "n" * 60_000) for i in range(n)]
    return save(folder, model(graph(nodes, [value("x")], [value(f"y{i}", None) for i in range(n)])), nodes=12 * n)


def of_a_layer(folder, n):
    """Of Caffe."""
    text = f'input: "x" input_dim: 1 input_dim: 2 input_dim: 3 input_dim: 4\nlayer {{ name: "{LONG}" type: "ReLU" bottom: "x" top: "y" }}\n'
    return save(folder, text.encode(), name="m.prototxt", code="MO1005", says="a name of more than 65536 bytes")


def of_a_node_of_kaldi(folder, n):
    text = f"<Nnet3> \ninput-node name=input dim=2\ncomponent-node name={LONG} component=a input=input\noutput-node name=output input={LONG}\n\n"
    text += "<NumComponents> 1\n<ComponentName> a <NoOpComponent> <Dim> 2 <BackpropScale> 1 </NoOpComponent>\n</Nnet3>\n"
    return save(folder, text.encode(), name="m.raw", code="MO1005", says="line 3")


def _symbol(folder, made, heads, **facts):
    data = {"op": "null", "name": "x", "attrs": {"__shape__": f"({max(len(heads), 2)}, 3)"}, "inputs": []}
    text = json.dumps({"nodes": [data, *made], "arg_nodes": [0], "heads": heads, "attrs": {"mxnet_version": ["int", 10901]}})
    return save(folder, text.encode(), name="m-symbol.json", **facts)


def of_a_node_of_a_symbol(folder, n):
    return _symbol(folder, [{"op": "relu", "name": LONG, "inputs": [[0, 0, 0]]}], [[1, 0, 0]], code="MO1005", says="a name of more than 65536 bytes")


def repeated_by_heads(folder, n):
    """n outputs that are one tensor."""
    return _symbol(folder, [{"op": "relu", "name": "n" * 60_000, "inputs": [[0, 0, 0]]}], [[1, 0, 0]] * n, code="any", nodes=n)


def repeated_by_outputs(folder, n):
    """n outputs of one node."""
    split = {"op": "SliceChannel", "name": "n" * 60_000, "attrs": {"num_outputs": str(n), "axis": "0"}, "inputs": [[0, 0, 0]]}
    return _symbol(folder, [split], [[1, i, 0] for i in range(n)], code="MO1011", says="names and attributes", nodes=2 * n)


def of_a_variable(folder, n):
    """Of a program of PaddlePaddle 3."""
    return save(folder, program(operation("1.relu", [1], 2), variable=LONG), name="m.json", code="MO1005", says="a name of more than 65536 bytes")


CASES = [(of_a_node_onnx, 0, 0), (of_a_tensor_onnx, 0, 0), (of_a_node_tf, 0, 0), (of_a_node_in_a_text, 0, 0), (shared_by_outputs, 500, 20_000), (of_decomposed_nodes, 100, 500), (of_a_layer, 0, 0), (of_a_node_of_kaldi, 0, 0),
         (of_a_node_of_a_symbol, 0, 0), (of_a_variable, 0, 0), (repeated_by_heads, 2_000, 15_000), (repeated_by_outputs, 1_000, 20_000)]
