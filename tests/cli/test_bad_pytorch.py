"""Programs of PyTorch that cannot be converted: code, place, and what to do; exit code 1, and nothing written."""
import copy
import json
import os
import re
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path[:0] = [os.path.join(ROOT, "tests", "pytorch"), os.path.join(ROOT, "tests", "recorded")]
import pickled  # noqa: E402
import stored_torch  # noqa: E402
from damage import damaged  # noqa: E402

SECONDS = 120
CASES = stored_torch.everything(["wrappers", "matrices", "shapes", "control_flow"])
CASE = CASES["wrappers/tied"]
CONFIGURATION, PROGRAM, WEIGHT = "data/weights/model_weights_config.json", "models/model.json", "data/weights/weight_0"


def archive(folder, form="2.9", case=CASE, more=(), **changed):
    """The files of the case; `changed` has others by the ends of their names, with None for none."""
    files = dict(case.entries(form))
    for end, content in changed.items():
        name = next(name for name in files if name.endswith(end))
        if content is None:
            del files[name]
        else:
            files[name] = content(files[name]) if callable(content) else content
    top = "" if form == "2.6" else "net/"
    path = folder / "net.pt2"
    path.write_bytes(stored_torch.zipped([(top + name, content) for name, content in [*files.items(), *more]]))
    return path


def edited(change):
    """A JSON with a change to its value."""
    def edit(content):
        value = json.loads(content)
        change(value)
        return json.dumps(value).encode()
    return edit


def run(path, *options):
    return subprocess.run([MO, "--input_model", path, "--output_dir", path.parent / "out", *options], capture_output=True, text=True, errors="replace", timeout=SECONDS)


def refused(path, *needles):
    result = run(path)
    assert result.returncode == 1 and not (path.parent / "out").exists(), (result.returncode, result.stdout, result.stderr)
    for needle in needles:
        assert needle in result.stderr, (needle, result.stderr)
    return result.stderr


def weight(**changes):
    return edited(lambda value: next(iter(value["config"].values())).update(changes))


def meta(**changes):
    return edited(lambda value: next(iter(value["config"].values()))["tensor_meta"].update(changes))


INTS = lambda *numbers: [{"as_int": number} for number in numbers]  # noqa: E731


@pytest.mark.parametrize("change, needles", [
    (weight(path_name="../weight_0"), ("MO1005", "path_name")),
    (weight(path_name="weight_99"), ("MO1005", "weight_99")),
    (meta(sizes=INTS(4, 40)), ("MO1008", "first.weight")),
    (meta(sizes=INTS(4, -4)), ("MO1005",)),
    (meta(strides=INTS(4)), ("MO1005", "strides")),
    (meta(strides=INTS(2 ** 62, 1)), ("stored elements",)),
    (meta(strides=INTS(1, 1)), ("overlap",)),
    (meta(sizes=INTS(2 ** 40, 2 ** 40), strides=INTS(0, 0)), ("MO",)),
    (meta(storage_offset={"as_int": 2 ** 63 - 1}), ("stored elements",)),
    (meta(layout=1), ("layout 1",)),
    (edited(lambda value: value["config"]["first.bias"]["tensor_meta"].update(dtype=15)), ("MO1034", "first.bias")),
    (meta(dtype=10), ("MO1008", "first.weight")),
    (meta(dtype=10, strides=INTS(2 ** 62, 1)), ("MO1010", "first.weight")),
    (meta(dtype=11, storage_offset={"as_int": 2 ** 63 - 1}), ("MO1010", "first.weight")),
    (edited(lambda value: value["config"]["first.bias"].update(use_pickle=True)), ("MO1034", "first.bias")),
    (b"[" * 10_000, ("MO",)),
    (b"{", ("MO",)),
    (b"", ("MO",)),
], ids=lambda value: str(value)[:20] if isinstance(value, tuple) else None)
def test_weights(tmp_path, change, needles):
    refused(archive(tmp_path, **{CONFIGURATION: change}), *needles)


def test_weights_without_bytes(tmp_path):
    refused(archive(tmp_path, weight_0=b""), "fake tensors", "real weights")


@pytest.mark.parametrize("change, needles", [
    (edited(lambda value: value.update(schema_version={"major": 7, "minor": 3})), ("version 7.3", "2.6 or newer", "torch.export.save")),
    (edited(lambda value: value.pop("graph_module")), ("MO1012",)),
    (edited(lambda value: value["graph_module"]["graph"]["nodes"][0].update(target="torch.ops.mine.bang.default")), ("MO2001", "mine.bang", "first")),
    (edited(lambda value: value["graph_module"]["graph"]["nodes"][1]["inputs"][0]["arg"].update(as_tensor={"name": "nowhere"})), ("MO1013", "nowhere")),
    (edited(lambda value: value["graph_module"]["graph"]["nodes"][0]["inputs"][0].update(arg=3)), ("MO1005", "line 1")),
    (edited(lambda value: value["graph_module"]["graph"].update(tensor_values={})), ("MO1005", "no shape")),
    (lambda content: b'{"a":' * 10_000, ("MO",)),
    (lambda content: content[:len(content) // 2], ("MO", "line 1")),
    (lambda content: b"", ("MO",)),
], ids=str)
def test_programs(tmp_path, change, needles):
    refused(archive(tmp_path, **{"model.json": change}), *needles)


def declaring(name, **changes):
    """The program with other words about a tensor."""
    return {"model.json": edited(lambda value: value["graph_module"]["graph"]["tensor_values"][name].update(changes))}


@pytest.mark.parametrize("changes, said", [({"dtype": 8}, "f64 [2,4]"), ({"sizes": INTS(2, 5)}, "f32 [2,5]"), ({"sizes": INTS(1, 2, 4)}, "f32 [1,2,4]")], ids=["type", "size", "rank"])
def test_what_is_inferred_differs_from_the_program(tmp_path, changes, said):
    """The first node of which that is known is named, and nothing is written."""
    refused(archive(tmp_path, **declaring("linear", **changes)), "MO5009", f"linear is f32 [2,4], {said} in the program", '"first/linear"', "line 1")


def test_a_size_that_the_program_leaves_open_contradicts_nothing(tmp_path):
    symbol = {"as_expr": {"expr_str": "Symbol('s0', positive=True, integer=True)", "hint": None}}
    assert run(archive(tmp_path, **declaring("linear", sizes=[symbol, {"as_int": 4}]))).returncode == 0


def test_other_inputs_than_those_of_the_program_are_no_contradiction(tmp_path):
    done = run(archive(tmp_path), "--input_shape", "[3,4]")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("target, reason", [
    ("torchao.quantize_affine.default", "quantisation of torchao"),
    ("torchao.dequantize_affine.default", "quantisation of torchao"),
    ("aten._batch_norm_with_update_functional.default", "as in training"),
    ("aten.linalg_svd.default", "decomposition of matrices"),
])
def test_operators_that_are_refused_say_why(tmp_path, target, reason):
    change = edited(lambda value: value["graph_module"]["graph"]["nodes"][0].update(target=f"torch.ops.{target}"))
    refused(archive(tmp_path, **{"model.json": change}), "MO2001", target.rpartition(".")[0].removeprefix("aten."), reason)


def test_all_unknown_operators_are_named_at_once(tmp_path):
    def change(value):
        for at, node in enumerate(value["graph_module"]["graph"]["nodes"]):
            node["target"] = f"torch.ops.mine.op{at}.default"
    said = refused(archive(tmp_path, **{"model.json": edited(change)}))
    assert {"mine.op0", "mine.op1"} <= set(re.findall(r"mine\.op\d", said))


def graphs_of(program):
    """The node with graphs, and its graphs."""
    node = next(node for node in program["graph_module"]["graph"]["nodes"] if ".higher_order." in node["target"])
    return node, [input["arg"]["as_graph"]["graph"] for input in node["inputs"] if "as_graph" in input["arg"]]


@pytest.mark.parametrize("change, needles", [
    (lambda node, graphs: [graph["nodes"][-1].update(target=f"torch.ops.mine.op{at}.default") for at, graph in enumerate(graphs)], ("MO2001", "mine.op0", "mine.op1")),
    (lambda node, graphs: node.update(target="torch.ops.higher_order.strange"), ("MO2001", "higher_order.strange")),
    (lambda node, graphs: graphs[1]["nodes"][0].update(target="torch.ops.aten.mul_.Tensor"), ("MO2004", "a write to an input of the body", "aten.mul_", "line 1")),
    (lambda node, graphs: graphs[0]["inputs"].pop(), ("MO2004", "3 values for 2 inputs")),
    (lambda node, graphs: graphs[0]["outputs"].pop(), ("MO", "output 0")),
    (lambda node, graphs: graphs[0]["outputs"].__setitem__(0, {"as_tensor": {"name": "nowhere"}}), ("MO1013", "nowhere")),
    (lambda node, graphs: graphs[0]["outputs"].__setitem__(0, {"as_none": True}), ("MO2004", "no tensor")),
    (lambda node, graphs: node["inputs"].pop(2), ("MO1005", "1 graphs of 2")),
    (lambda node, graphs: node["inputs"].pop(), ("MO1005", "values of the graphs are missing")),
], ids=str)
def test_graphs(tmp_path, change, needles):
    refused(archive(tmp_path, case=CASES["control_flow/cond"], **{"model.json": edited(lambda value: change(*graphs_of(value)))}), *needles)


def test_an_expression_that_is_long_or_deep_is_an_open_size(tmp_path):
    case = CASES["shapes/view_symbolic"]
    for text in ("Add(" * 100_000, "Add(Integer(1)" + ", Integer(1)" * 100_000 + ")"):
        def change(value, text=text):
            for tensor in value["graph_module"]["graph"]["tensor_values"].values():
                for size in tensor["sizes"]:
                    if "as_expr" in size:
                        size["as_expr"]["expr_str"] = text
        folder = tmp_path / str(len(text))
        folder.mkdir()
        assert run(archive(folder, case=case, **{"model.json": edited(change)})).returncode == 0


@pytest.mark.parametrize("form", ["2.6", "2.8"])
@pytest.mark.parametrize("made, needles", [
    (b"\x80\x02cos\nsystem\n" + pickled.text("touch /tmp/never") + b"\x85R.", ("would run os system",)),
    (b"\x80\x02cbuiltins\neval\n" + pickled.text("1") + b"\x85R.", ("would run builtins eval",)),
    (b"\x80\x04\x8c\x02os\x8c\x06system\x93.", ("opcode",)),
    (b"\x80\x02(S'os'\ni.", ("opcode",)),
    (b"\x80\x02K\x01.", ("no dictionary",)),
    (b"\x80\x02u.", ("takes more",)),
    (b"\x80\x02R.", ("takes more",)),
    (b"\x80\x02.", ("takes more",)),
    (b"\x80\x02h\x07.", ("not made",)),
    (b"\x80\x02X\xff\xff\xff\xff.", ("MO",)),
    (b"\x80\x02}", ("MO",)),
    (b"\x80\x02}(K\x01K\x02K\x03u.", ("broken list",)),
    (b"\x80\x02K\x01K\x02\x85R.", ("calls no function",)),
    (b"\x80\x02" + b"(" * 100_000 + b".", ("takes more",)),
    (b"\x80\x02(" + b"K\x01" * 1_000 + b"tq\x00" + b"ctorch._utils\n_rebuild_parameter\nq\x01" + b"h\x01h\x00R" * 10_000 + b".", ("MO1011", "more than 1048576 values")),
    (b"\x80\x02" + b"N" * ((1 << 20) + 1) + b".", ("MO1011", "more than 1048576 values")),
    (b"\x80\x02X\x01\x80\0\0" + b"n" * 32769 + b".", ("MO1011", "a text of 32769 bytes")),
    (pickled.dictionary([("first.weight", pickled.tensor(7, "9", 0, [4, 4], [4, 1], 16))]), ("data/9",)),
    (pickled.dictionary([("first.weight", pickled.tensor(7, "0", 0, [400, 400], [400, 1], 16))]), ("first.weight", "stored elements")),
    (pickled.dictionary([]), ("MO1034", "first.bias", "second.bias")),
], ids=lambda value: str(value[0])[:24] if isinstance(value, tuple) else None)
def test_pickles(tmp_path, form, made, needles):
    content = stored_torch.zipped([("archive/data.pkl", made), ("archive/data/0", bytes(64)), ("archive/version", b"3\n")])
    refused(archive(tmp_path, form, **{"weights/model.pt" if form == "2.8" else "state_dict.pt": content}), *needles)
    assert not os.path.exists("/tmp/never")


def test_other_archives(tmp_path):
    refused(archive(tmp_path, archive_version=b"1"), "version 1")
    refused(archive(tmp_path, byteorder=b"big"), "big-endian")
    refused(archive(tmp_path, **{"model.json": None}), "without a program")


def test_a_program_that_is_not_there(tmp_path):
    path = archive(tmp_path, more=[("models/other.json", b"{}")])
    result = run(path, "--model_name", "lost")
    assert result.returncode == 1 and not (tmp_path / "out").exists()
    assert 'MO6007 the model cannot be opened: the archive "net.pt2" has 2 models: model, other (file "net.pt2"). name one with --model_name' in result.stderr


def packed(path, files):
    """The files in a zip that was packed again; contents are bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr("net/" + name, content)
    return path


def test_a_packed_program_in_an_archive(tmp_path):
    """The archive is unpacked, and what is in it not once more."""
    inner, outer = packed(tmp_path / "inner.pt2", dict(CASE.entries())), tmp_path / "net.zip"
    with zipfile.ZipFile(outer, "w") as made:
        made.write(inner, "net.pt2")
    refused(outer, "MO2004", "compressed", "zip -0")


@pytest.mark.parametrize("end, content, needles", [
    (CONFIGURATION, None, ("MO1034",)),
    (WEIGHT, None, ("MO1005", "weight_0 is not in the archive")),
    (WEIGHT, b"", ("MO1034", "fake tensors")),
    (WEIGHT, bytes(8), ("MO1008", "first.weight")),
    (PROGRAM, b"{", ("MO", "model.json")),
    (PROGRAM, None, ("MO1012", "without a program")),
    ("archive_version", b"1", ("MO2004", "version 1")),
], ids=str)
def test_packed_programs(tmp_path, end, content, needles):
    files = dict(CASE.entries())
    if content is None:
        del files[end]
    else:
        files[end] = content
    refused(packed(tmp_path / "net.pt2", files), *needles)


@pytest.mark.parametrize("at, value, needle", [
    (24, b"\0\0\0\xf0", "MO"),  # refused before it is unpacked
    (24, b"\xff\xff\xff\x7f", "MO"),
    (24, b"\x01\0\0\0", "MO7001"),
    (20, b"\x01\0\0\0", "MO7001"),
    (16, b"\0\0\0\0", "the checksum differs"),
])
def test_packed_files_whose_directory_lies(tmp_path, at, value, needle):
    """Sizes and checksums of the program's JSON, there and in the header of the file itself."""
    path = packed(tmp_path / "net.pt2", {PROGRAM: dict(CASE.entries())[PROGRAM], **dict(CASE.entries())})
    content = path.read_bytes()
    name = b"net/" + PROGRAM.encode()
    for place in (content.rindex(name) - 46 + at, content.index(name) - 30 + at - 2):
        content = content[:place] + value + content[place + 4:]
    path.write_bytes(content)
    refused(path, PROGRAM, needle)


def lying(content, at, value):
    """A number of the directory is another one."""
    place = content.rindex(b"PK\x01\x02")
    return content[:place + at] + value + content[place + at + len(value):]


@pytest.mark.parametrize("at, value", [(42, b"\xff\xff\xff\x7f"), (24, b"\xff\xff\xff\x7f"), (20, b"\xff\xff\xff\xff"), (28, b"\xff\xff"), (30, b"\xff\xff"), (10, b"\x08\0"), (8, b"\x01\x08")])
def test_directories_that_lie(tmp_path, at, value):
    path = archive(tmp_path)
    path.write_bytes(lying(path.read_bytes(), at, value))
    result = run(path)
    assert result.returncode in (0, 1) and "internal error" not in result.stderr
    assert result.returncode == 0 or not (tmp_path / "out").exists()


def one_damaged(folder, form, way, seed):
    folder.mkdir(parents=True)
    path = archive(folder, form, case=CASES["matrices/transformer_layer"])
    path.write_bytes(damaged(path.read_bytes(), way, seed, b"PK"))
    result = run(path)
    assert result.returncode in (0, 1), (way, seed, result.returncode, result.stderr)
    assert "internal error" not in result.stderr and "AddressSanitizer" not in result.stderr and "runtime error" not in result.stderr, (way, seed, result.stderr)
    if result.returncode == 1:
        assert re.search(r"\bMO\d{4}\b", result.stderr), result.stderr
        assert not (folder / "out").exists()
    return result.returncode


@pytest.mark.parametrize("form", ["2.9", "2.8", "2.6"])
def test_damaged_archives(tmp_path, form):
    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(lambda one: one_damaged(tmp_path / f"{one[0]}{one[1]}", form, *one), [(way, seed) for way in ("truncated", "mutated") for seed in range(12)]))
    assert codes.count(1) >= 12


@pytest.mark.parametrize("seed", range(24))
def test_damaged_programs(tmp_path, seed):
    """The JSON has a value that is gone, or another one."""
    rng = np.random.default_rng(seed)

    def change(value):
        place = value["graph_module"]["graph"]
        for _ in range(8):
            inner = [key for key in (place if isinstance(place, dict) else range(len(place))) if isinstance(place[key], (dict, list)) and place[key]]
            if not inner:
                break
            place = place[inner[int(rng.integers(len(inner)))]]
        keys = list(place if isinstance(place, dict) else range(len(place)))
        key = keys[int(rng.integers(len(keys)))]
        place[key] = [None, -1, 2 ** 63 - 1, "", [], {}, copy.deepcopy(place)][int(rng.integers(7))]
    path = archive(tmp_path, case=CASES["matrices/transformer_layer"], **{"model.json": edited(change)})
    result = run(path)
    assert result.returncode in (0, 1) and "internal error" not in result.stderr, result.stderr
    assert result.returncode == 0 or (re.search(r"\bMO\d{4}\b", result.stderr) and not (tmp_path / "out").exists())
