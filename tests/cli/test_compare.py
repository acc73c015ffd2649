"""mo --compare: each kind of difference is named; what means the same is the same, whoever has written it."""
import copy
import json
import os
import random
import subprocess
import xml.etree.ElementTree as ET

import pytest

from test_verify import GRAPHS, Ir, MO, irs, set_attribute, set_tensor  # noqa: F401: `irs` is a fixture


def compare(a, b, *options):
    done = subprocess.run([MO, "--compare", str(a), str(b), "--json", *options], capture_output=True, text=True)
    out = json.loads(done.stdout)
    assert done.stderr == "" or not out["ok"], done.stderr
    return done.returncode, out


def text(a, b, *options):
    done = subprocess.run([MO, "--compare", str(a), str(b), *options], capture_output=True, text=True)
    return done.returncode, done.stdout.replace(f"{a}", "a.xml").replace(f"{b}", "b.xml"), done.stderr


@pytest.mark.parametrize("options", [(), ("--hash",)], ids=["places", "contents"])
@pytest.mark.parametrize("name", GRAPHS)
def test_an_ir_is_the_same_as_itself(irs, name, options):
    code, out = compare(irs / f"{name}.xml", irs / f"{name}.xml", *options)
    assert code == 0 and out["same"] and out["differences"] == [] and out["counts"] == {}
    assert out["matched"] == {"by_name": out["operations"][0], "by_structure": 0} and out["operations"][0] > 4
    assert out["contents"] == bool(options) and (out["constants"] > 0 or name == "states")


def shuffled(graph, seed):
    """Other ids and another order of the layers, but for inputs and outputs; the bodies too."""
    draw = random.Random(seed)
    layers, edges = graph.find("layers"), graph.find("edges")
    kept = [l for l in layers if l.get("type") in ("Parameter", "Result")]
    others = [l for l in layers if l not in kept]
    draw.shuffle(others)
    ids = list(range(100, 100 + len(layers)))
    draw.shuffle(ids)
    renamed = {l.get("id"): str(i) for l, i in zip(layers, ids)}
    for layer in list(layers):
        layer.set("id", renamed[layer.get("id")])
        for body_name, map_name in (("body", "port_map"), ("then_body", "then_port_map"), ("else_body", "else_port_map")):
            if layer.find(body_name) is None:
                continue
            inner = shuffled(layer.find(body_name), seed + 1)
            for record in layer.find(map_name):
                record.set("internal_layer_id", inner[record.get("internal_layer_id")])
            for edge in layer.find("back_edges") if layer.find("back_edges") is not None else []:
                edge.set("from-layer", inner[edge.get("from-layer")])
                edge.set("to-layer", inner[edge.get("to-layer")])
    for edge in edges:
        edge.set("from-layer", renamed[edge.get("from-layer")])
        edge.set("to-layer", renamed[edge.get("to-layer")])
    for layer in list(layers):
        layers.remove(layer)
    layers.extend(others + kept if seed % 2 else kept + others)
    listed = list(edges)
    draw.shuffle(listed)
    for edge in list(edges):
        edges.remove(edge)
    edges.extend(listed)
    return renamed


def rename(graph, prefix):
    """No operation has its name any more; those of tensors, which are the model's, stay at the ends."""
    for number, layer in enumerate(graph.find("layers")):
        layer.set("name", f"{prefix}{number}")
        for port in layer.iter("port"):
            if layer.get("type") != "Parameter" and port.get("names"):
                port.attrib.pop("names")
        for body_name in ("body", "then_body", "else_body"):
            if layer.find(body_name) is not None:
                rename(layer.find(body_name), f"{prefix}{number}.")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", GRAPHS)
def test_order_and_ids_change_nothing(irs, tmp_path, name, seed):
    ir = Ir(irs / f"{name}.xml")
    shuffled(ir.root, seed)
    ir.write(tmp_path / "m.xml")
    code, out = compare(irs / f"{name}.xml", tmp_path / "m.xml", "--hash")
    assert code == 0, out["differences"]


@pytest.mark.parametrize("name", GRAPHS)
def test_operations_are_matched_by_structure_where_names_differ(irs, tmp_path, name):
    ir = Ir(irs / f"{name}.xml")
    rename(ir.root, "n")
    shuffled(ir.root, 5)
    ir.write(tmp_path / "m.xml")
    code, out = compare(irs / f"{name}.xml", tmp_path / "m.xml", "--hash")
    assert set(out["counts"]) <= {"names"}, out["differences"]
    assert out["matched"] == {"by_name": 0, "by_structure": out["operations"][0]}


def test_made_up_names_do_not_mislead(irs, tmp_path):
    """Multiply_1 of one writer is not Multiply_1 of another."""
    a, b = Ir(irs / "network.xml"), Ir(irs / "network.xml")
    for ir, names in ((a, ("Elu_1", "Elu_2")), (b, ("Elu_2", "Elu_1"))):
        elu = ir.layer("elu")
        second = copy.deepcopy(elu)
        second.set("id", "900")
        second.set("name", names[1])
        result = next(l for l in ir.root.find("layers") if l.get("type") == "Result" and ir.edges().find(f"edge[@to-layer='{l.get('id')}']").get("from-layer") == elu.get("id"))
        ir.edges().find(f"edge[@to-layer='{result.get('id')}']").set("from-layer", "900")
        ir.edges().append(ET.fromstring(f'<edge from-layer="{elu.get("id")}" from-port="1" to-layer="900" to-port="0" />'))
        elu.set("name", names[0])
        for port in elu.find("output"):
            port.attrib.pop("names", None)
        ir.root.find("layers").append(second)
    a.write(tmp_path / "a.xml")
    b.write(tmp_path / "b.xml")
    code, out = compare(tmp_path / "a.xml", tmp_path / "b.xml")
    assert code == 0 and out["matched"]["by_structure"] == 2, out


CHANGES = []


def row(id, name, kinds, function, *expected):
    CHANGES.append(pytest.param(name, kinds, expected, function, id=id))


def in_capitals(ir, name, attribute):
    data = ir.layer(name).find("data")
    data.set(attribute, data.get(attribute).title())


def inner(ir, name):
    return ir.layer(name, ir.layer("loop").find("body"))


def replace_text(layer, name, text):
    return lambda ir: ir.layer(layer).find("data").set(name, text)


def turn_inputs(ir):
    first, second = ir.edge_to("add", "0"), ir.edge_to("add", "1")
    first.set("to-port", "1"), second.set("to-port", "0")
    ports = ir.layer("add").find("input")
    dims = [[copy.deepcopy(d) for d in port] for port in ports]
    for port, new in zip(ports, reversed(dims)):
        for d in list(port):
            port.remove(d)
        port.extend(new)


def biggest_const(ir):
    return max((l for l in ir.root.find("layers") if l.get("type") == "Const"), key=lambda l: int(l.find("data").get("size")))


def flip_byte(ir):
    data = biggest_const(ir).find("data")
    at = int(data.get("offset")) + int(data.get("size")) - 1
    ir.bin = ir.bin[:at] + bytes([ir.bin[at] ^ 1]) + ir.bin[at + 1:]


def move_const(ir):
    data = biggest_const(ir).find("data")
    begin = int(data.get("offset"))
    bytes_of = ir.bin[begin:begin + int(data.get("size"))]
    data.set("offset", str(len(ir.bin)))
    ir.bin += bytes_of


def insert_relu(ir):
    edge = ir.edge_to("pool")
    relu = ET.fromstring('<layer id="901" name="extra" type="ReLU" version="opset1"><input/><output/></layer>')
    relu.find("input").append(copy.deepcopy(ir.layer("pool").find("input")[0]))
    relu.find("output").append(copy.deepcopy(ir.layer("pool").find("input")[0]))
    relu.find("output")[0].set("id", "1")
    ir.root.find("layers").append(relu)
    ir.edges().append(ET.fromstring(f'<edge from-layer="{edge.get("from-layer")}" from-port="{edge.get("from-port")}" to-layer="901" to-port="0" />'))
    edge.set("from-layer", "901")
    edge.set("from-port", "1")


def swap_results(ir):
    layers = ir.root.find("layers")
    results = [l for l in layers if l.get("type") == "Result"]
    places = sorted(list(layers).index(r) for r in results)
    for r in results:
        layers.remove(r)
    for place, r in zip(places, reversed(results)):
        layers.insert(place, r)


row("attribute", "network", {"attribute": 1}, set_attribute("conv", "strides", "2, 2"), "conv", "strides", ["1, 1", "2, 2"])
row("attribute_missing", "network", {"attribute": 1}, lambda ir: ir.layer("elu").find("data").attrib.pop("alpha"), "elu", "alpha", ["0.5", ""])
row("attribute_written_otherwise", "network", {}, lambda ir: (replace_text("conv", "strides", "1,1")(ir), replace_text("elu", "alpha", "5.0e-1")(ir), in_capitals(ir, "matmul", "transpose_a")))
row("version", "network", {"version": 1}, lambda ir: ir.layer("softmax").set("version", "opset99"), "softmax", "", None)
row("type_under_one_name", "network", {"type": 1}, lambda ir: ir.layer("elu").set("type", "Selu"), "elu", "", ["Elu", "Selu"])
row("element_type", "network", {"element_type": 1}, lambda ir: set_tensor(ir, "elu", precision="FP16"), "elu", "output 0", ["FP32", "FP16"])
row("shape", "network", {"shape": 1}, lambda ir: set_tensor(ir, "elu", dims=[1, -1, 5]), "elu", "output 0", None)
row("operation_more", "network", {"only_in_b": 1, "input": 1}, insert_relu, "pool", "input 0", ['Convolution "conv"', 'ReLU "extra"'])
row("turned_inputs_of_a_sum", "network", {}, turn_inputs)
row("place", "network", {"place": 1}, move_const)
row("type_of_a_constant", "network", {"constant": 1}, lambda ir: biggest_const(ir).find("data").set("element_type", "i32"))
row("tensor_name", "network", {"names": 1}, lambda ir: ir.layer("x").find("output")[0].set("names", "other"), "x", "", ["x", "other"])
row("order_of_outputs", "network", {"order": 1}, swap_results)
row("purpose_in_a_body", "flow", {"body": 2}, lambda ir: next(r for r in ir.layer("loop").find("port_map") if r.get("purpose")).set("purpose", "pleasure"))
row("slices_of_a_body", "scan", {"body": 1}, lambda ir: next(r for r in ir.layer("TensorIterator").find("port_map") if r.get("axis")).set("stride", "-1"))
row("back_edge_missing", "flow", {"body": 1}, lambda ir: ir.layer("loop").find("back_edges").remove(ir.layer("loop").find("back_edges")[0]), "loop", "body, back edges", None)
row("branch_missing", "flow", {"body": 1}, lambda ir: ir.layer("if").remove(ir.layer("if").find("else_body")), "if", "else_body", ["there", ""])
row("operation_in_a_body", "flow", {"version": 1}, lambda ir: inner(ir, "body_add").set("version", "opset14"), "body_add", "", ["opset1", "opset14"])


@pytest.mark.parametrize("name, kinds, expected, function", CHANGES)
def test_what_differs_is_named(irs, tmp_path, name, kinds, expected, function):
    ir = Ir(irs / f"{name}.xml")
    function(ir)
    ir.write(tmp_path / "m.xml")
    code, out = compare(irs / f"{name}.xml", tmp_path / "m.xml")
    assert out["counts"] == kinds, out["differences"]
    assert (code, out["same"]) == ((0, True) if kinds == {} else (1, False))
    if expected:
        node, what, values = expected
        found = [d for d in out["differences"] if d["names"] == [node, node]]
        assert len(found) == 1 and found[0]["what"] == what
        assert values is None or found[0]["values"] == values


def test_a_difference_in_a_body_says_so(irs, tmp_path):
    ir = Ir(irs / "flow.xml")
    inner(ir, "body_add").set("version", "opset14")
    ir.write(tmp_path / "m.xml")
    assert compare(irs / "flow.xml", tmp_path / "m.xml")[1]["differences"][0]["body"] == "loop"


def test_contents_are_compared_with_hash(irs, tmp_path):
    for function, counts in ((move_const, {}), (flip_byte, {"contents": 1})):
        ir = Ir(irs / "network.xml")
        function(ir)
        ir.write(tmp_path / "m.xml")
        code, out = compare(irs / "network.xml", tmp_path / "m.xml", "--hash")
        assert out["counts"] == counts and code == len(counts) and out["contents"]


def test_without_hash_no_bin_is_opened(irs, tmp_path):
    ir = Ir(irs / "network.xml")
    ir.bin = None
    ir.write(tmp_path / "m.xml")
    assert compare(irs / "network.xml", tmp_path / "m.xml")[0] == 0
    code, out = compare(irs / "network.xml", tmp_path / "m.xml", "--hash")
    assert code == 2 and not out["ok"] and [m["code"] for m in out["messages"]] == ["MO1006"]


def test_weights_of_two_precisions_differ_in_their_constants_alone(irs, tmp_path):
    done = subprocess.run([MO, str(irs / "network.onnx"), "-o", str(tmp_path), "--compress_to_fp16=False"], capture_output=True, text=True)
    assert done.returncode == 0
    code, out = compare(irs / "network.xml", tmp_path / "network.xml", "--hash")
    assert code == 1 and set(out["counts"]) == {"constant"}
    assert all(d["values"][0].startswith("f16") and d["values"][1].startswith("f32") for d in out["differences"])


def test_the_text_is_short_and_readable(irs, tmp_path):
    same = text(irs / "network.xml", irs / "network.xml")
    assert same[0] == 0 and same[1].startswith("a.xml and a.xml: the same ") and same[1].endswith(" constants by place and size\n")
    ir = Ir(irs / "network.xml")
    set_attribute("conv", "strides", "2, 2")(ir)
    insert_relu(ir)
    ir.write(tmp_path / "m.xml")
    code, lines, errors = text(irs / "network.xml", tmp_path / "m.xml")
    assert code == 1 and errors == ""
    assert lines.splitlines()[3:] == [
        "only in B: 1", "  extra (ReLU)", "attributes: 1", "  conv (Convolution) strides: 1, 1 | 2, 2",
        "what inputs read: 1", '  pool (MaxPool) input 0: Convolution "conv" | ReLU "extra"']


def test_long_lists_are_cut(irs, tmp_path):
    ir = Ir(irs / "network.xml")
    for number in range(2000):
        ir.root.find("layers").append(ET.fromstring(f'<layer id="{1000 + number}" name="more{number}" type="Range" version="opset4"/>'))
    ir.write(tmp_path / "m.xml")
    code, lines, _ = text(irs / "network.xml", tmp_path / "m.xml")
    assert code == 1 and "only in B: 2000\n" in lines and lines.endswith("  and 1990 more\n") and lines.count("\n") == 15
    out = compare(irs / "network.xml", tmp_path / "m.xml")[1]
    assert out["counts"] == {"only_in_b": 2000} and len(out["differences"]) == 1000


UNREADABLE = {
    "no_xml": ("<net", "MO5011"), "other_version": ("<net version='7'/>", "MO5011"),
    "no_number": ("<net version='11'><layers><layer id='0' name='x' type='Parameter'><output><port id='0' precision='FP32'><dim>x</dim></port></output></layer></layers></net>", "MO5011"),
}


@pytest.mark.parametrize("written, code_of", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_refused(irs, tmp_path, written, code_of):
    (tmp_path / "m.xml").write_text(written)
    code, out = compare(irs / "network.xml", tmp_path / "m.xml")
    assert code == 2 and not out["ok"] and "same" not in out and [m["code"] for m in out["messages"]] == [code_of]
    assert out["messages"][0]["file"] == str(tmp_path / "m.xml")


def test_files_that_are_missing_are_named(tmp_path):
    code, out = compare(tmp_path / "a.xml", tmp_path / "b.xml")
    assert code == 2 and [(m["code"], m["file"]) for m in out["messages"]] == [("MO6007", str(tmp_path / n)) for n in ("a.xml", "b.xml")]


@pytest.mark.parametrize("line, code_of", [(["--compare", "a.xml"], "MO6002"), (["--compare", "a.xml", "b.xml", "c.xml"], "MO6002"),
                                          (["--hash", "a.xml"], "MO6002"), (["--compare", "--verify", "a.xml", "b.xml"], "MO6019")])
def test_wrong_lines_are_refused(line, code_of):
    done = subprocess.run([MO, *line, "--json"], capture_output=True, text=True)
    assert done.returncode == 2 and [m["code"] for m in json.loads(done.stdout)["messages"]] == [code_of]


def hostile(count, shape):
    """Graphs that make matching slow where it looks at pairs: many readers of one tensor, one name for all, deep chains."""
    layers = ['<layer id="0" name="x" type="Parameter" version="opset1"><output><port id="0" precision="FP32"/></output></layer>']
    edges = []
    for number in range(1, count):
        name = "same" if shape == "one_name" else f"n{number}"
        layers.append(f'<layer id="{number}" name="{name}" type="ReLU" version="opset1"><input><port id="0" precision="FP32"/></input>'
                      '<output><port id="1" precision="FP32"/></output></layer>')
        source = number - 1 if shape == "chain" else 0
        edges.append(f'<edge from-layer="{source}" from-port="{0 if source == 0 else 1}" to-layer="{number}" to-port="0"/>')
    return f"<net name='m' version='11'><layers>{''.join(layers)}</layers><edges>{''.join(edges)}</edges></net>"


@pytest.mark.parametrize("shape", ["star", "one_name", "chain"])
def test_time_grows_with_size(tmp_path, shape):
    (tmp_path / "a.xml").write_text(hostile(60_000, shape))
    (tmp_path / "b.xml").write_text(hostile(60_000, shape).replace('name="n', 'name="other'))
    children = os.times().children_user
    code, out = compare(tmp_path / "a.xml", tmp_path / "b.xml")
    assert code == 0, out["counts"]
    assert os.times().children_user - children < 20
