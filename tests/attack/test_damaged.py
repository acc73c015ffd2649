"""Models that end early, have other bytes, or lie about lengths: a message or a conversion on both hosts, never an end of the program. The same
code on both. ATTACK=all cuts at each byte and takes 2,000 mutations of each model; the default samples."""
import os
import random
import re
import sys

import pytest
from onnx import TensorProto as T, helper as h, numpy_helper as nh
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hosts import ALL, MO, ROOT, convert_all, run  # noqa: E402

sys.path.insert(0, os.path.join(ROOT, "tests", "tflite"))
from bad import GOOD  # noqa: E402


def onnx_model():
    ends = [h.make_tensor_value_info(name, T.FLOAT, ["N", 3]) for name in "xy"]
    branch = [h.make_graph([h.make_node(op, ["a"], ["b"])], op, [], [h.make_tensor_value_info("b", T.FLOAT, None)]) for op in ("Relu", "Neg")]
    nodes = [h.make_node("F", ["x"], ["a"], "f", domain="own"), h.make_node("If", ["c"], ["d"], "if", then_branch=branch[0], else_branch=branch[1]),
             h.make_node("MatMul", ["d", "w"], ["y"], "m")]
    function = h.make_function("own", "F", ["p"], ["q"], [h.make_node("Tanh", ["p"], ["q"], "t")], [h.make_opsetid("", 13)])
    graph = h.make_graph(nodes, "g", [ends[0], h.make_tensor_value_info("c", T.BOOL, [])], ends[1:], [nh.from_array(np.eye(3, dtype=np.float32), "w")])
    return h.make_model(graph, opset_imports=[h.make_opsetid("", 13), h.make_opsetid("own", 1)], functions=[function]).SerializeToString()


def recorded(folder, ending, largest):
    """The smallest model of that kind in the tree."""
    found = [os.path.join(at, name) for at, _, names in os.walk(os.path.join(ROOT, folder)) for name in names if name.endswith(ending)]
    sizes = sorted((os.path.getsize(path), path) for path in found)
    assert sizes and sizes[0][0] <= largest, folder
    with open(sizes[0][1], "rb") as file:
        return file.read()


MODELS = {"m.onnx": onnx_model, "m.pb": lambda: recorded("tests/tf/recorded", ".pb", 100_000), "m.tflite": lambda: GOOD}


@pytest.fixture(params=MODELS)
def model(request):
    return request.param, MODELS[request.param]()


def some(items, count):
    items = list(items)
    return items if ALL or len(items) <= count else random.Random(1).sample(items, count)


def codes_of(model_name, contents, folder):
    codes = []
    for content in contents:
        (folder / model_name).write_bytes(content)
        _, _, errors = run([MO], folder / model_name, "-o", folder / "out")
        found = re.search(r"^\[ ERROR \]  (MO\d+)", errors, re.M)
        codes.append(found[1] if found else "")
    return codes


def same_on_both(model_name, contents, folder):
    """All in Node; natively as many as take a few seconds."""
    codes = convert_all(contents, model_name)
    chosen = some(range(len(contents)), 60)
    assert codes_of(model_name, [contents[i] for i in chosen], folder) == [codes[i] for i in chosen]
    return codes


def test_cut_at_each_byte(model, tmp_path):
    name, content = model
    same_on_both(name, [content[:size] for size in some(range(len(content)), 300)], tmp_path)


def mutated(content, random):
    out = bytearray(content)
    for _ in range(random.choice([1, 1, 2, 8])):
        at = random.randrange(len(out))
        kind = random.randrange(4)
        if kind == 0:
            out[at] = random.randrange(256)
        elif kind == 1:
            out[at:at] = bytes([0xFF] * random.randrange(1, 10))
        elif kind == 2:
            del out[at : at + random.randrange(1, 20)]
        else:
            out[at : at + 4] = random.choice([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]).to_bytes(4, "little")
    return bytes(out)


def test_other_bytes(model, tmp_path):
    name, content = model
    chance = random.Random(name)
    same_on_both(name, [mutated(content, chance) for _ in range(2000 if ALL else 200)], tmp_path)


def test_lengths_that_lie(tmp_path):
    """Each length of a message in the model becomes one that is too great, or endless."""
    content, contents = onnx_model(), []
    for at in range(1, len(content)):
        if content[at - 1] & 7 == 2:
            contents += [content[:at] + lie + content[at + 1 :] for lie in (b"\xff\xff\xff\xff\x07", b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\xff" * 10, b"\x80" * 12)]
    same_on_both("m.onnx", some(contents, 300), tmp_path)
