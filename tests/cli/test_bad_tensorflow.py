"""Damaged files of TensorFlow: an answer within seconds, exit code 0 or 1, and nothing half written; each kind of damage with its code and place."""
import os
import re
import shutil
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path.insert(0, os.path.join(ROOT, "tests", "tf"))
import store  # noqa: E402
import tables  # noqa: E402
import writer  # noqa: E402

from processors import processor_seconds  # noqa: E402

SAVED = store.saved()
SECONDS = 240  # the sanitized binary takes 50 s of a processor for the slowest, on a machine that does other things


def run(*arguments):
    return subprocess.run([MO, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=SECONDS)


def files_below(folder):
    return {os.path.join(where, name) for where, _, names in os.walk(folder) for name in names}


def refused(folder, code, *places, options):
    """Converts with `options`, wants exit code 1, `code`, every text of `places` on stderr, and an untouched folder."""
    before = files_below(folder)
    result = run(*options, "--output_dir", folder / "out")
    assert result.returncode == 1, (result.returncode, result.stdout, result.stderr)
    assert re.search(rf"^\[ ERROR \]  {code} ", result.stderr, re.M), result.stderr
    for place in places:
        assert place in result.stderr, result.stderr
    assert "[ SUCCESS ]" not in result.stdout
    assert files_below(folder) == before and not (folder / "out").exists()
    return result.stderr


def copy_of(case, folder):
    """A recorded case as files of its own, and the options that convert it."""
    shutil.copytree(SAVED["saved/" + case], folder / "model")
    os.remove(folder / "model" / "case.npz")
    options = store.Saved(SAVED["saved/" + case]).options
    return folder / "model", [option.replace(SAVED["saved/" + case], str(folder / "model")) for option in options]


# Damage by seed.

def mutated(content, seed):
    """One to five places of the content changed: a bit, a byte, some bytes removed, doubled or replaced."""
    rng, content = np.random.default_rng(seed), bytearray(content)
    for _ in range(rng.integers(1, 6)):
        at, size = int(rng.integers(len(content))), int(rng.integers(1, 17))
        way = rng.integers(5)
        if way == 0:
            content[at] ^= 1 << int(rng.integers(8))
        elif way == 1:
            content[at] = int(rng.choice([0, 1, 0x7F, 0x80, 0xFF]))
        elif way == 2 and len(content) > size:
            del content[at:at + size]
        elif way == 3:
            content[at:at] = content[at:at + size]
        else:
            content[at:at + size] = rng.bytes(size)
    return bytes(content)


def mutated_text(content, seed):
    """One to five words of the text exchanged, removed, doubled or replaced."""
    rng, words = np.random.default_rng(seed), re.findall(rb"\w+|\s+|[^\w\s]", content)
    for _ in range(rng.integers(1, 6)):
        at, other, way = int(rng.integers(len(words))), int(rng.integers(len(words))), rng.integers(5)
        if way == 0:
            words[at], words[other] = words[other], words[at]
        elif way == 1 and len(words) > 1:
            del words[at]
        elif way == 2:
            words[at:at] = words[at:at + 8]
        elif way == 3:
            words[at] = words[other]
        else:
            words[at] = [b"-1", b"9223372036854775808", b"1e99", b"\xff", b'"', b"{", b"DT_STRING", b"\\x"][int(rng.integers(8))]
    return b"".join(words)


def truncated(content, seed):
    return content[:int(len(content) * np.random.default_rng(seed).uniform())]


def graphs():
    """Frozen graphs of several families."""
    cases = store.operations()
    return [cases[name].model for name in sorted(cases)[::97]]


TEXT = b"""# A network with a function.
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 8 } dim { size: 8 } dim { size: 2 } } } } }
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 1 } dim { size: 1 } dim { size: 2 } dim { size: 2 } }
    tensor_content: "\\000\\000\\200?\\000\\000\\000@\\000\\000@@\\000\\000\\200@" } } } }
node { name: "conv" op: "Conv2D" input: "x" input: "w" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "strides" value { list { i: 1 i: 2 i: 2 i: 1 } } } attr { key: "padding" value { s: "SAME" } }
  attr { key: "data_format" value { s: "NHWC" } } }
node { name: "b" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 0.5 float_val: -0.25 } } } }
node { name: "call" op: "PartitionedCall" input: "conv" input: "b" attr { key: "f" value { func { name: "end" } } } }
node { name: "axes" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: [1, 2] } } } }
node { name: "y" op: "Mean" input: "call:0" input: "axes" attr { key: "T" value { type: DT_FLOAT } } attr { key: "keep_dims" value { b: false } } }
library { function { signature { name: "end" input_arg { name: "a" type: DT_FLOAT } input_arg { name: "b" type: DT_FLOAT }
    output_arg { name: "c" type: DT_FLOAT } }
  node_def { name: "sum" op: "BiasAdd" input: "a" input: "b" attr { key: "T" value { type: DT_FLOAT } } }
  node_def { name: "relu" op: "Relu" input: "sum:output:0" attr { key: "T" value { type: DT_FLOAT } } }
  ret { key: "c" value: "relu:activations:0" } } }
"""


def mended_table(content, seed):
    return tables.mended(mutated(content, seed))


# What is damaged: for each kind the cases, the file in each, and the ways to damage it.
INDEX = "variables/variables.index"
SHARD = "variables/variables.data-00000-of-00001"
KINDS = {
    "graph": (None, [mutated]),
    "text": (None, [mutated_text, mutated]),
    "saved_model": ({"tf2_module": "saved_model.pb", "keras2_saved": "saved_model.pb", "keras3_export": "saved_model.pb", "keras3_lstm": "saved_model.pb",
                     "tf1_tags": "saved_model.pb"}, [mutated]),
    "text in folders": ({"meta_graph_text": "model.ckpt.meta", "tf1_tags_text": "saved_model.pbtxt", "tf2_module_text": "saved_model.pbtxt", "checkpoint_v2_text": "graph.pbtxt"},
                        [mutated_text]),
    "meta": ({"meta_graph": "model.ckpt.meta", "meta_graph_partitioned": "model.ckpt.meta", "meta_graph_resource": "model.ckpt.meta"}, [mutated]),
    "index": ({"tf2_module": INDEX, "checkpoint_v2": "model.ckpt.index", "meta_graph_partitioned": "model.ckpt.index", "keras3_export": INDEX},
              [mutated, mended_table, mended_table]),
    "shard": ({"tf2_module": SHARD, "checkpoint_v2": "model.ckpt.data-00000-of-00001", "meta_graph_partitioned": "model.ckpt.data-00000-of-00001"}, [mutated]),
    "checkpoint_v1": ({"checkpoint_v1": "model.ckpt", "checkpoint_v1_resource": "model.ckpt", "meta_graph_v1": "model.ckpt", "checkpoint_v1_shards": "model.ckpt-00000-of-00002",
                       "meta_graph_v1_shards_partitioned": "model.ckpt-1234-00001-of-00002"},
                      [mutated, mended_table, mended_table]),
}


def contents_of(kind):
    """[(case or None, file, content)]. Seed n damages entry n modulo their number."""
    if kind == "graph":
        return [(None, "m.pb", graph) for graph in graphs()]
    if kind == "text":
        return [(None, "m.pbtxt", TEXT)]
    out = []
    for case, name in KINDS[kind][0].items():
        with open(os.path.join(SAVED["saved/" + case], name), "rb") as file:
            out.append((case, name, file.read()))
    return out


def is_answered(folder, case, name, content):
    """Whether it converts. Anything but an IR, or an error with a code and nothing else, fails."""
    folder.mkdir()
    if case:
        model, options = copy_of(case, folder)
    else:
        model, options = folder, ["--input_model", str(folder / name)]
    (model / name).write_bytes(content)
    before = files_below(folder)
    result = run(*options, "--output_dir", folder / "out")
    said = (folder.name, result.returncode, result.stdout, result.stderr)
    written = files_below(folder) - before
    assert result.returncode in (0, 1), said
    if result.returncode == 0:
        assert "[ SUCCESS ]" in result.stdout and sorted(os.path.splitext(path)[1] for path in written) == [".bin", ".xml"], said
    else:
        codes = set(re.findall(r"^\[ ERROR \]  (MO\d)\d{3} ", result.stderr, re.M))
        assert codes and "MO7" not in codes, said
        assert not written and "[ SUCCESS ]" not in result.stdout, said
    return result.returncode == 0


@pytest.mark.parametrize("damage,seeds", [("mutated", 60), ("truncated", 40)])
@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_answered(tmp_path, kind, damage, seeds):
    contents, ways = contents_of(kind), KINDS[kind][1] if damage == "mutated" else [truncated]

    def answer(seed):
        case, name, content = contents[seed % len(contents)]
        return is_answered(tmp_path / f"{seed}", case, name, ways[seed // len(contents) % len(ways)](content, seed))

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(answer, range(seeds)))
    assert not all(answers)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_damaged_converts(tmp_path, kind):
    for at, (case, name, content) in enumerate(contents_of(kind)):
        assert is_answered(tmp_path / f"{at}", case, name, content), (case, name)


# One kind of damage each.

def node(name, op, *inputs, **attributes):
    """A NodeDef as text; attributes as the text of their values."""
    parts = [f'name: "{name}" op: "{op}"', *(f'input: "{name}"' for name in inputs)]
    parts += [f'attr {{ key: "{key}" value {{ {value} }} }}' for key, value in attributes.items()]
    return "node { " + " ".join(parts) + " }\n"


FLOAT = "type: DT_FLOAT"
X = node("x", "Placeholder", dtype=FLOAT, shape="shape { dim { size: 2 } }")


def refused_text(folder, text, code, *places):
    (folder / "m.pbtxt").write_text(text, encoding="utf-8")
    return refused(folder, code, *places, options=["--input_model", folder / "m.pbtxt"])


def tensor(dims, rest):
    shape = " ".join(f"dim {{ size: {size} }}" for size in dims)
    return X + node("c", "Const", dtype=FLOAT, value=f"tensor {{ dtype: DT_FLOAT tensor_shape {{ {shape} }} {rest} }}") + node("y", "Add", "x", "c", T=FLOAT)


def test_a_tensor_of_2_to_the_63_bytes(tmp_path):
    for dims in ([1 << 61], [1 << 31, 1 << 30], [1 << 40, 1 << 40], [(1 << 63) - 1]):
        refused_text(tmp_path, tensor(dims, "float_val: 1"), "MO1010", 'node "c", Const', 'tensor "value"', 'file "m.pbtxt", line 2', "damaged or malicious")


def test_a_tensor_with_content_of_another_size(tmp_path):
    refused_text(tmp_path, tensor([3], 'tensor_content: "0123"'), "MO1009", "4 bytes, want 12", 'node "c"', "line 2")


def test_text_that_ends_early_or_lies(tmp_path):
    refused_text(tmp_path, X + 'node { name: "y" op: "Relu"\n', "MO1030", 'file "m.pbtxt", line 3, column 1')
    refused_text(tmp_path, X + 'node { name: "y" op: 7 }\n', "MO1031", 'file "m.pbtxt", line 2')


def test_an_input_that_nothing_makes(tmp_path):
    refused_text(tmp_path, X + node("y", "Relu", "z:3", T=FLOAT), "MO1013", '"z:3"', 'node "y", Relu', "the graph is incomplete")


@pytest.mark.parametrize("inputs,missing", [(0, 2), (2, 2), (4, 5)])
def test_sparse_tensors_joined_of_too_few_parts(tmp_path, inputs, missing):
    text = node("y", "SparseConcat", *["x"] * inputs, concat_dim="i: 0")
    refused_text(tmp_path, X + text, "MO2006", f"input {missing} ", 'node "y", SparseConcat', 'file "m.pbtxt", line')


def test_a_concatenation_of_nothing(tmp_path):
    refused_text(tmp_path, X + node("y", "ConcatV2", N="i: 0"), "MO2006", "input 0 ", 'node "y", ConcatV2', 'file "m.pbtxt", line 2')


def test_a_cycle(tmp_path):
    refused_text(tmp_path, X + node("a", "Add", "x", "b", T=FLOAT) + node("b", "Relu", "a", T=FLOAT) + node("y", "Relu", "b", T=FLOAT), "MO3001", "a", "b")


def function(name, body, ret, inputs=("a",)):
    arguments = " ".join(f'input_arg {{ name: "{argument}" type: DT_FLOAT }}' for argument in inputs)
    return (f'library {{ function {{ signature {{ name: "{name}" {arguments} output_arg {{ name: "r" type: DT_FLOAT }} }}\n'
            f'{body.replace("node {", "node_def {")} ret {{ key: "r" value: "{ret}" }} }} }}\n')


def call(name, called, *inputs):
    return node(name, "PartitionedCall", *inputs, f=f'func {{ name: "{called}" }}')


def test_a_function_that_calls_itself(tmp_path):
    refused_text(tmp_path, X + call("y", "f", "x") + function("f", call("again", "f", "a"), "again:output:0"), "MO1016", "f", 'node "y/again", PartitionedCall', 'file "m.pbtxt", line 4')


def test_functions_that_double_without_end(tmp_path):
    library = "".join(function(f"f{at}", call("p", f"f{at + 1}", "a") + call("q", f"f{at + 1}", "p:output:0"), "q:output:0") for at in range(60))
    library += function("f60", node("end", "Relu", "a", T=FLOAT), "end:activations:0")
    text = refused_text(tmp_path, X + call("y", "f0", "x") + library, "MO1011", "damaged or malicious")
    assert text.count("MO1011") == 1


def test_a_long_text_is_read_once(tmp_path):
    """Neither the lines before a node nor the text behind a name are read again for each of them. Sanitizers need as long for fewer."""
    count = 40000 if "asan" not in MO else 10000
    text = X + "".join(node(f"n{at}", "Relu", f"n{at - 1}" if at else "x", T=FLOAT) for at in range(count)) + node("y", "Nothing", f"n{count - 1}")
    began = processor_seconds()
    refused_text(tmp_path, text, "MO2001", 'node "y", Nothing', f"line {count + 2}")
    assert processor_seconds() - began < 20


def test_a_function_that_is_not_there(tmp_path):
    refused_text(tmp_path, X + call("y", "nowhere", "x"), "MO1019", "nowhere", 'node "y"', "line 2")


def xla(op, message, *inputs, **attributes):
    return X + node("y", op, *(inputs or ("x", "x")), dimension_numbers=f's: "{message}"', **attributes)


def test_axes_of_xla_that_are_none(tmp_path):
    """The messages in attributes of XLA's operations are checked before anything is made of them."""
    for message, place in ((r"\n\005", "is no DotDimensionNumbers"), (r"\n\002\200\200", "is no DotDimensionNumbers"), (r"\377\377", "is no DotDimensionNumbers"),
                           (r"\n\001c", "lhs_contracting_dimensions is 99"), (r"\n\002\000\000", "lhs_contracting_dimensions names an axis twice"),
                           (r"\n\001\001\022\001\000", "lhs_contracting_dimensions names axis 1 of 1"), (r"\n\001\000", "different numbers of axes"),
                           (r"\n\001\000\022\001\000\032\001\000\"\001\000", "overlap")):
        refused_text(tmp_path, xla("XlaDotV2", message, preferred_element_type=FLOAT), "MO2002", place, 'node "y", XlaDotV2', 'file "m.pbtxt", line 2')
    refused_text(tmp_path, X + node("y", "XlaDotV2", "x", "x"), "MO2003", "dimension_numbers", 'node "y", XlaDotV2')


def test_functions_of_xla_that_are_none(tmp_path):
    reduction = X + node("zero", "Const", dtype=FLOAT, value="tensor { dtype: DT_FLOAT tensor_shape { } float_val: 0 }")
    reduce = node("y", "XlaReduce", "x", "zero", reducer='func { name: "f" }', dimensions_to_reduce="list { i: 0 }")
    refused_text(tmp_path, reduction + reduce, "MO1019", "f", 'node "y", XlaReduce')
    refused_text(tmp_path, reduction + reduce + function("f", node("r", "Relu", "a", T=FLOAT), "r:activations:0"), "MO2006", "f has 1 arguments, not 2", 'node "y", XlaReduce')
    matrices = function("f", node("m", "MatMul", "a", "b", T=FLOAT), "m:product:0", ("a", "b"))
    refused_text(tmp_path, reduction + reduce + matrices, "MO2004", "a function of elements in which there is MatMul", 'node "y", XlaReduce')


def test_programs_of_jax_are_named_with_the_way_out(tmp_path):
    refused_text(tmp_path, X + node("y", "XlaCallModule", "x", Tout="list { type: DT_FLOAT }"), "MO2001", "jax2tf.convert(f, native_serialization=False)", 'node "y", XlaCallModule')


LOOPS = {
    "a frame that no NextIteration feeds back": node("enter", "Enter", "x", T=FLOAT, frame_name='s: "f"') + node("merge", "Merge", "enter", "next", T=FLOAT)
    + node("next", "NextIteration", "again", T=FLOAT) + node("again", "Identity", "next", T=FLOAT) + node("y", "Exit", "merge", T=FLOAT),
    "a cycle without a frame": node("merge", "Merge", "x", "step", T=FLOAT) + node("step", "Relu", "merge", T=FLOAT) + node("y", "Relu", "step", T=FLOAT),
    "a body without its result": node("y", "StatelessWhile", "x", T="list { type: DT_FLOAT }", cond='func { name: "c" }', body='func { name: "b" }')
    + function("c", node("no", "Const", dtype="type: DT_BOOL", value="tensor { dtype: DT_BOOL tensor_shape { } bool_val: false }"), "no:output:0")
    + function("b", node("step", "Relu", "a", T=FLOAT), "nowhere:activations:0"),
    "a body that is not there": node("y", "While", "x", T="list { type: DT_FLOAT }", cond='func { name: "c" }', body='func { name: "b" }'),
    "a loop in itself": node("y", "While", "x", T="list { type: DT_FLOAT }", cond='func { name: "b" }', body='func { name: "b" }')
    + function("b", node("in", "While", "a", T="list { type: DT_FLOAT }", cond='func { name: "b" }', body='func { name: "b" }'), "in:output:0"),
}


@pytest.mark.parametrize("loop", LOOPS)
def test_loops_that_are_none(tmp_path, loop):
    assert not is_answered(tmp_path / "loop", None, "m.pbtxt", (X + LOOPS[loop]).encode())


def test_unknown_tags_and_signatures_list_the_known_ones(tmp_path):
    folder, options = copy_of("tf1_tags", tmp_path)
    refused(tmp_path, "MO1021", "the tags are gpu; there is serve; serve, train", "--saved_model_tags", 'file "model/saved_model.pb"', options=["--saved_model_dir", folder, "--saved_model_tags", "gpu"])
    shutil.rmtree(folder)
    folder, options = copy_of("tf2_module", tmp_path)
    refused(tmp_path, "MO1022", "the signature is nobody; there is other, serving_default", "--saved_model_signature", 'file "model/saved_model.pb"', options=[*options, "--saved_model_signature", "nobody"])


def test_a_saved_model_without_a_signature_says_how_to_save_one(tmp_path):
    def field(number, content):
        return bytes([number << 3 | 2, len(content)]) + content

    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "saved_model.pb").write_bytes(b"\x08\x01" + field(2, field(1, field(4, b"serve")) + field(2, b"")))
    refused(tmp_path, "MO1022", "the signature is serving_default; there is none", "signatures=model.call.get_concrete_function(...)", options=["--saved_model_dir", tmp_path / "model"])


def test_a_folder_of_versions_is_that_of_its_model(tmp_path):
    folder, _ = copy_of("tf2_module", tmp_path)
    (tmp_path / "served").mkdir()
    folder.rename(tmp_path / "served" / "1")
    run = subprocess.run([MO, "--saved_model_dir", tmp_path / "served", "--output_dir", tmp_path / "out"], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr, sorted(os.listdir(tmp_path / "out"))) == (0, "", ["1.bin", "1.xml"])


def test_variables_without_a_value_are_all_named(tmp_path):
    folder, _ = copy_of("checkpoint_v2", tmp_path)
    alone = tmp_path / "alone"
    alone.mkdir()
    graph = ["--input_model", shutil.copy(folder / "graph.pb", alone / "graph.pb")]
    text = refused(tmp_path, "MO1020", 'node "layer/weights"', 'node "layer/bias"', "--input_checkpoint", options=graph)
    assert text.count("MO1020") == 2
    kept = [entry for entry in tables.entries((folder / "model.ckpt.index").read_bytes()) if entry[0] in (b"", b"layer/bias")]
    (folder / "model.ckpt.index").write_bytes(tables.table(tables.block(kept)))
    text = refused(tmp_path, "MO1020", 'node "layer/weights"', options=[*graph, "--input_checkpoint", folder / "model.ckpt"])
    assert text.count("MO1020") == 1


def damaged_index(tmp_path, code, *places, entries=None, blocks=None, content=None):
    """Converts tf2_module with another index: `entries` changed by key, one block of other bytes, or whole."""
    folder, options = copy_of("tf2_module", tmp_path)
    path = folder / INDEX
    whole = path.read_bytes()
    if entries:
        known = dict(tables.entries(whole)) | entries
        blocks = tables.block(sorted(known.items()))
    path.write_bytes(tables.table(blocks) if blocks else content(whole))
    refused(tmp_path, code, *places, options=options)


WEIGHTS = b"weights/.ATTRIBUTES/VARIABLE_VALUE"


def bundle_entry(shape, offset, size, shard=0):
    dims = b"".join(b"".join(writer.field(2, b"\x08" + tables.varint(dim))) for dim in shape)
    return b"\x08\x01" + b"".join(writer.field(2, dims)) + b"\x18" + tables.varint(shard) + b"\x20" + tables.varint(offset) + b"\x28" + tables.varint(size)


def test_a_missing_index_and_a_missing_shard(tmp_path):
    folder, options = copy_of("tf2_module", tmp_path)
    os.rename(folder / SHARD, tmp_path / "shard")
    refused(tmp_path, "MO1006", 'file "model/variables/variables.data-00000-of-00001"', "put it beside the model", options=options)
    os.remove(folder / INDEX)
    refused(tmp_path, "MO1006", 'file "model/variables/variables.index"', options=options)


def test_a_checksum_of_the_index(tmp_path):
    damaged_index(tmp_path, "MO1023", 'file "model/variables/variables.index", byte 0', "damaged", content=lambda whole: whole[:9] + bytes([whole[9] ^ 1]) + whole[10:])


@pytest.mark.parametrize("case,shard,key,byte", [
    ("tf2_module", SHARD, WEIGHTS.decode(), 0),
    ("checkpoint_v2", "model.ckpt.data-00000-of-00001", "layer/weights", 16),
    ("meta_graph_partitioned", "model.ckpt.data-00000-of-00001", "layer/weights", 32),  # its third slice
])
def test_a_checksum_of_a_variable_if_it_is_asked_for(tmp_path, case, shard, key, byte):
    folder, options = copy_of(case, tmp_path)
    assert run(*options, "--verify_checksums", "--output_dir", tmp_path / "verified").returncode == 0
    shutil.rmtree(tmp_path / "verified")
    content = bytearray((folder / shard).read_bytes())
    content[byte + 5] ^= 1
    (folder / shard).write_bytes(content)
    refused(tmp_path, "MO1023", f'{shard}", byte {byte}', f'tensor "{key}"', "damaged", options=[*options, "--verify_checksums"])
    assert run(*options, "--output_dir", tmp_path / "copied").returncode == 0


def test_an_offset_beyond_the_shard(tmp_path):
    damaged_index(tmp_path, "MO1008", 'file "model/variables/variables.data-00000-of-00001", byte 1099511627776', WEIGHTS.decode(), "is cut off",
                  entries={WEIGHTS: bundle_entry([3, 4], 1 << 40, 48)})


@pytest.mark.parametrize("offset,size", [((1 << 64) - 8, 48), ((1 << 63) - 1, 48)])
def test_an_offset_that_overflows(tmp_path, offset, size):
    damaged_index(tmp_path, "MO1008", 'file "model/variables/variables.data-00000-of-00001"', WEIGHTS.decode(), entries={WEIGHTS: bundle_entry([3, 4], offset, size)})


def test_a_size_that_does_not_fit_the_shape(tmp_path):
    damaged_index(tmp_path, "MO1009", "40 bytes, want 48", WEIGHTS.decode(), 'file "model/variables/variables.index"', entries={WEIGHTS: bundle_entry([3, 4], 0, 40)})


def test_a_variable_of_2_to_the_63_bytes(tmp_path):
    damaged_index(tmp_path, "MO1010", WEIGHTS.decode(), 'file "model/variables/variables.index"', entries={WEIGHTS: bundle_entry([1 << 61], 0, 1 << 63)})


def test_a_shard_that_the_header_does_not_have(tmp_path):
    damaged_index(tmp_path, "MO1005", WEIGHTS.decode(), 'file "model/variables/variables.index"', entries={WEIGHTS: bundle_entry([3, 4], 0, 48, shard=1)})


@pytest.mark.parametrize("lie", [(200, 1, 1), (0, 200, 1), (0, 1, 200), (1 << 63, 1, 1), (0, (1 << 64) - 1, 1), (0, 1, (1 << 64) - 1)])
def test_an_entry_with_a_lying_length(tmp_path, lie):
    """Of what it shares with the key before, of its key, of its value."""
    content = b"\0\1\1ab" + b"".join(map(tables.varint, lie)) + b"cd" + struct.pack("<II", 0, 1)
    damaged_index(tmp_path, "MO1005", 'file "model/variables/variables.index", byte 5', "an entry of the index passes its end", blocks=tables.sealed_block(content))


def test_restarts_beyond_the_block(tmp_path):
    damaged_index(tmp_path, "MO1005", 'file "model/variables/variables.index", byte 0', blocks=tables.sealed_block(struct.pack("<I", 0xFFFFFFFF)))


def test_keys_that_are_not_in_order(tmp_path):
    damaged_index(tmp_path, "MO1005", 'file "model/variables/variables.index", byte 5', "not in order", blocks=tables.block([(b"b", b"v"), (b"a", b"v")]))


def test_a_compressed_index(tmp_path):
    damaged_index(tmp_path, "MO2004", 'file "model/variables/variables.index"', "a compressed index", blocks=tables.block([(b"a", b"v")], kind=1))


def test_an_index_that_is_cut_off_or_none(tmp_path):
    damaged_index(tmp_path, "MO1004", 'file "model/variables/variables.index", byte 40', content=lambda whole: whole[:40])
    shutil.rmtree(tmp_path / "model")
    damaged_index(tmp_path, "MO1005", "no index of variables", content=lambda whole: whole[:-1])


def test_a_checkpoint_of_version_1_without_a_slice(tmp_path):
    folder, options = copy_of("checkpoint_v1", tmp_path)
    path = folder / "model.ckpt"
    kept = [entry for entry in tables.entries(path.read_bytes()) if b"bias" not in entry[0]]
    path.write_bytes(tables.table(tables.block(kept)))
    refused(tmp_path, "MO1005", "a slice is missing", 'node "layer/bias"', 'tensor "layer/bias"', 'model.ckpt"', options=options)


def test_a_checkpoint_that_is_not_there(tmp_path):
    folder, _ = copy_of("meta_graph", tmp_path)
    os.remove(folder / "model.ckpt.index")
    refused(tmp_path, "MO1006", 'file "model.ckpt.index"', options=["--input_meta_graph", folder / "model.ckpt.meta"])


@pytest.mark.parametrize("lost", [["00000"], ["00001"], ["00000", "00001"]])
def test_shards_of_version_1_that_are_not_there(tmp_path, lost):
    """Each missing one is named; a MetaGraph alone does not say how many there were."""
    folder, options = copy_of("meta_graph_v1_shards_partitioned", tmp_path)
    for number in lost:
        os.remove(folder / f"model.ckpt-1234-{number}-of-00002")
    names = [f"model.ckpt-1234-{number}-of-00002" for number in lost] if len(lost) == 1 else ["model.ckpt-1234.index"]
    text = refused(tmp_path, "MO1006", "put it beside the model", *(f'file "{name}"' for name in names), options=options)
    assert text.count("MO1006") == len(names)


@pytest.mark.parametrize("name", ["model.ckpt-?????-of-00002", "model.ckpt-00000-of-00002", "model.ckpt-00001-of-00002", "model.ckpt"])
def test_shards_of_version_1_have_several_names(tmp_path, name):
    folder, options = copy_of("checkpoint_v1_shards", tmp_path)
    graph = options[:2]
    assert run(*options, "--output_dir", tmp_path / "wanted").returncode == 0
    assert run(*graph, "--input_checkpoint", folder / name, "--output_dir", tmp_path / "got").returncode == 0
    assert (tmp_path / "got" / "graph.bin").read_bytes() == (tmp_path / "wanted" / "graph.bin").read_bytes()
    os.remove(folder / "model.ckpt-00001-of-00002")
    result = run(*graph, "--input_checkpoint", folder / name, "--output_dir", tmp_path / "none")
    assert (result.returncode, result.stderr.count("MO1006")) == (1, 1), result.stderr
    assert f'file "{folder}/model.ckpt-00001-of-00002"' in result.stderr
    os.remove(folder / "model.ckpt-00000-of-00002")
    result = run(*graph, "--input_checkpoint", folder / name, "--output_dir", tmp_path / "none")
    assert result.returncode == 2 and "MO6022" in result.stderr and name in result.stderr


def test_shards_of_two_checkpoints_of_version_1(tmp_path):
    folder, options = copy_of("meta_graph_v1_shards_partitioned", tmp_path)
    shutil.copy(folder / "model.ckpt-1234-00000-of-00002", folder / "model.ckpt-1234-00000-of-00001")
    refused(tmp_path, "MO1020", "model.ckpt-1234-00000-of-00001 and model.ckpt-1234-00000-of-00002", "name a file of one with --input_checkpoint", options=options)
    assert run(*options, "--input_checkpoint", folder / "model.ckpt-1234-?????-of-00002", "--output_dir", tmp_path / "out").returncode == 0
    os.rename(folder / "model.ckpt-1234-00000-of-00001", folder / "model.ckpt-1234-00000-of-00003")  # the others are not there
    assert run(*options, "--output_dir", tmp_path / "out").returncode == 0


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95, 0.999])
def test_a_saved_model_that_is_cut_off(tmp_path, part):
    folder, options = copy_of("tf2_module", tmp_path)
    whole = (folder / "saved_model.pb").read_bytes()
    (folder / "saved_model.pb").write_bytes(whole[:int(len(whole) * part)])
    refused(tmp_path, "MO1004", 'file "model/saved_model.pb", byte ', "the file is cut off", options=options)


# MetaGraphs and SavedModels as text: they are recognised by their fields, and errors have the line.

GRAPH = X + node("y", "Relu", "x", T=FLOAT)
SIGNATURE = 'signature_def { key: "serving_default" value { inputs { key: "x" value { name: "x:0" } }\noutputs { key: "y" value { name: "y:0" } } } }\n'


def meta_graph(graph=GRAPH, rest=""):
    """Its first field is one that says nothing of the graph."""
    return f'# As text.\ncollection_def {{ key: "node {{" value {{ node_list {{ value: "x:0" }} }} }}\nmeta_info_def {{ tags: "serve" }}\ngraph_def {{\n{graph}}}\n{rest}'


def saved_model(graph=GRAPH, rest=SIGNATURE):
    return f"saved_model_schema_version: 1\nmeta_graphs <\n{meta_graph(graph, rest)}>\n"


@pytest.mark.parametrize("text", [GRAPH, "versions { producer: 1 }\n" + GRAPH, meta_graph(), meta_graph().replace("graph_def {", "graph_def: <").replace("}\n}\n", "}\n>\n"), saved_model()],
                         ids=["graph", "versions first", "MetaGraph", "MetaGraph in angles", "SavedModel"])
def test_texts_are_known_by_their_fields(tmp_path, text):
    assert is_answered(tmp_path / "text", None, "m.pbtxt", text.encode())


@pytest.mark.parametrize("whole,line", [(meta_graph, 6), (saved_model, 8)], ids=["MetaGraph", "SavedModel"])
def test_errors_of_graphs_in_texts_have_their_line(tmp_path, whole, line):
    graph = X + node("y", "Nothing", "x", T=FLOAT)
    refused_text(tmp_path, whole(graph), "MO2001", 'node "y", Nothing', f'file "m.pbtxt", line {line}')
    refused_text(tmp_path, whole(X + node("y", "Relu", "z", T=FLOAT)), "MO1013", '"z"', 'node "y", Relu', f'file "m.pbtxt", line {line}')
    refused_text(tmp_path, whole(X + 'node { name: "y" op: 7 }\n'), "MO1031", f'file "m.pbtxt", line {line}')
    refused_text(tmp_path, whole()[:-2], "MO1030", 'file "m.pbtxt", line ')
    refused_text(tmp_path, whole().replace('"serve"', "serve"), "MO1031", f'file "m.pbtxt", line {line - 3}')


def test_signatures_of_texts_that_name_nothing(tmp_path):
    refused_text(tmp_path, saved_model(rest=SIGNATURE.replace("y:0", "z:0")), "MO1013", '"z:0"', 'file "m.pbtxt"')
    refused_text(tmp_path, saved_model(rest=""), "MO1022", 'file "m.pbtxt"')
    refused_text(tmp_path, "saved_model_schema_version: 1\n", "MO1021", 'file "m.pbtxt"')


def test_texts_of_other_formats(tmp_path):
    for text in ('graph { node { op_type: "Relu" } }\n', 'name: "net" input: "x"\n', 'node "x"\n', 'a { graph_def { node { } } }\n'):
        refused_text(tmp_path, text, "MO1002", 'file "m.pbtxt"')


@pytest.mark.parametrize("name", ["model.ckpt.meta", "model.ckpt.meta.pbtxt", "model.ckpt.pbtxt", "model.ckpt.meta.txt"])
def test_a_meta_graph_as_text_has_its_checkpoint_beside_it(tmp_path, name):
    folder, _ = copy_of("meta_graph_text", tmp_path)
    os.rename(folder / "model.ckpt.meta", folder / name)
    assert run("--input_meta_graph", folder / name, "--output_dir", tmp_path / "out").returncode == 0
    shutil.rmtree(tmp_path / "out")
    os.remove(folder / "model.ckpt.index")
    refused(tmp_path, "MO1006", 'file "model.ckpt.index"', "put it beside the model", options=["--input_meta_graph", folder / name])


def test_variables_of_a_meta_graph_as_text_have_their_line(tmp_path):
    folder, options = copy_of("meta_graph_text", tmp_path)
    path = folder / "model.ckpt.index"
    kept = [entry for entry in tables.entries(path.read_bytes()) if entry[0] in (b"", b"layer/bias")]
    path.write_bytes(tables.table(tables.block(kept)))
    lines = (folder / "model.ckpt.meta").read_text(encoding="utf-8").split("\n")
    line = lines.index('    name: "layer/weights"')
    refused(tmp_path, "MO1020", 'node "layer/weights", VarHandleOp', f'file "model.ckpt.meta", line {line}', options=options)
