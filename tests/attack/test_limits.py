"""Each limit of SECURITY.md: what is just above it is refused, with the number where one helps. What expands is in test_bombs.py."""
import json
import os
import sys

import pytest
from onnx import TensorProto as T, helper as h

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hosts import MEGABYTE, MO, NODE, run  # noqa: E402

HOSTS = pytest.mark.parametrize("program", [[MO], NODE], ids=["native", "package"])


def write(path, **attributes):
    ends = [h.make_tensor_value_info(end, T.FLOAT, [2]) for end in "xy"]
    model = h.make_model(h.make_graph([h.make_node("Relu", ["x"], ["y"], "r", **attributes)], "g", ends[:1], ends[1:]), opset_imports=[h.make_opsetid("", 13)])
    path.write_bytes(model.SerializeToString())
    return path


def refused(program, code, *words, status=1, **how):
    ended, _, errors = run(program, *words, **how)
    assert ended == status and f"[ ERROR ]  {code} " in errors, (ended, errors)
    return errors


@HOSTS
def test_a_list_in_memory(program, tmp_path):
    model = write(tmp_path / "m.onnx", many=[1] * 4_194_305)
    assert "a list of more than 4194304 numbers" in refused(program, "MO2002", model, "-o", tmp_path / "out"), "which nobody reads"
    ends = [h.make_tensor_value_info(end, T.FLOAT, [2]) for end in "xy"]
    node = h.make_node("Transpose", ["x"], ["y"], "t", perm=[0] * 4_194_305)
    model.write_bytes(h.make_model(h.make_graph([node], "g", ends[:1], ends[1:]), opset_imports=[h.make_opsetid("", 13)]).SerializeToString())
    assert "a list of more than 4194304 numbers" in refused(program, "MO2002", model, "-o", tmp_path / "out")


@HOSTS
def test_a_model_as_text(program, tmp_path):
    model = tmp_path / "m.pbtxt"
    model.write_bytes(b'node {\n  name: "x"\n  op: "Placeholder"\n}\n' + (b"#" * 127 + b"\n") * 8192)
    os.truncate(model, (1 << 30) + 1)
    assert str(1 << 30) in refused(program, "MO1030", model, "--framework=tf", "-o", tmp_path / "out")


@HOSTS
@pytest.mark.parametrize("depth, code", [(8, "MO7001"), (9, "MO1021")], ids=["counted", "left_out"])
def test_a_folder(program, tmp_path, depth, code):
    """Files deeper than eight folders are not looked at; more than 10,000 others are too many."""
    folder = tmp_path / "saved"
    inner = folder.joinpath("variables", *["d"] * (depth - 1))
    inner.mkdir(parents=True)
    (folder / "saved_model.pb").write_bytes(b"\x08\x01")
    for index in range(10_001):
        (inner / str(index)).touch()
    errors = refused(program, code, folder, "-o", tmp_path / "out")
    assert code != "MO7001" or "the folder has more than 10000 entries" in errors


CONFIGURATIONS = {
    "large": ("[" + " " * (16 * MEGABYTE) + "]", "it has 16777218 bytes"),
    "deep": ("[" * 102 + "]" * 102, "it nests too deeply"),
    "keys": (json.dumps([{f"k{i}": 0 for i in range(1001)}]), "more than 1000 keys"),
}


@HOSTS
@pytest.mark.parametrize("kind", CONFIGURATIONS)
def test_a_configuration(program, tmp_path, kind):
    text, says = CONFIGURATIONS[kind]
    (tmp_path / "c.json").write_text(text)
    assert says in refused(program, "MO6030", write(tmp_path / "m.onnx"), "--transformations_config", tmp_path / "c.json", "-o", tmp_path / "out", status=2)


def calls(depth):
    """Functions of TensorFlow in each other, as text."""
    typed = 'attr { key: "T" value { type: DT_FLOAT } }'
    inner = [f'node_def {{ name: "p" op: "PartitionedCall" input: "a" attr {{ key: "f" value {{ func {{ name: "f{at + 1}" }} }} }} }} ret {{ key: "r" value: "p:output:0" }}' for at in range(depth - 1)]
    inner.append(f'node_def {{ name: "p" op: "Relu" input: "a" {typed} }} ret {{ key: "r" value: "p:activations:0" }}')
    library = "".join(f'function {{ signature {{ name: "f{at}" input_arg {{ name: "a" type: DT_FLOAT }} output_arg {{ name: "r" type: DT_FLOAT }} }} {body} }}\n' for at, body in enumerate(inner))
    return ('node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 2 } } } } }\n'
            'node { name: "y" op: "PartitionedCall" input: "x" attr { key: "f" value { func { name: "f0" } } } }\n' f"library {{ {library} }}\n")


@HOSTS
def test_calls_in_each_other(program, tmp_path):
    (tmp_path / "m.pbtxt").write_text(calls(60))
    assert run(program, tmp_path / "m.pbtxt", "--framework=tf", "-o", tmp_path / "out")[0] == 0
    (tmp_path / "m.pbtxt").write_text(calls(66))
    refused(program, "MO1011", tmp_path / "m.pbtxt", "--framework=tf", "-o", tmp_path / "out2")


READS = """import { MiddleReplacementPattern } from '@mo/wasm/extension';
export class Reads extends MiddleReplacementPattern {
  static enabled = true;
  pattern() { return { nodes: { add: { kind: 'op', op: 'Add' } }, edges: [] }; }
  replacePattern(graph, { add }) { add.inPort(1).data.getValue().get(); }
}
"""


def test_a_tensor_for_an_extension(tmp_path):
    """The weights are a hole in a file."""
    weights = T(name="w", data_type=T.UINT8, dims=[(1 << 30) + 1], data_location=T.EXTERNAL)
    weights.external_data.add(key="location", value="w.bin")
    (tmp_path / "w.bin").touch()
    os.truncate(tmp_path / "w.bin", (1 << 30) + 1)
    ends = [h.make_tensor_value_info(end, T.UINT8, [1]) for end in "xy"]
    graph = h.make_graph([h.make_node("Add", ["x", "w"], ["y"], "a")], "g", ends[:1], ends[1:], [weights])
    (tmp_path / "m.onnx").write_bytes(h.make_model(graph, opset_imports=[h.make_opsetid("", 14)]).SerializeToString())
    (tmp_path / "e" / "middle").mkdir(parents=True)
    (tmp_path / "e" / "middle" / "reads.js").write_text(READS)
    errors = refused([MO], "MO4004", tmp_path / "m.onnx", "-o", tmp_path / "out", "--extensions", tmp_path / "e")
    assert str(1 << 30) in errors or "1 GB" in errors, errors
