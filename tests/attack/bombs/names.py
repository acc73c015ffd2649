"""Names of more than 64 KB, and many long ones."""
from . import save
from .onnx_wire import graph, model, node, value
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


CASES = [(of_a_node_onnx, 0, 0), (of_a_tensor_onnx, 0, 0), (of_a_node_tf, 0, 0), (of_a_node_in_a_text, 0, 0), (shared_by_outputs, 500, 20_000)]
