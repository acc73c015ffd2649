"""Files of MXNet that cannot be converted: code, place, and what to do; exit code 1, and nothing written."""
import json
import os
import re
import resource
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path.insert(0, os.path.join(ROOT, "tests", "mxnet"))
import array_list  # noqa: E402
from damage import damaged  # noqa: E402

SECONDS = 120
W = np.arange(12, dtype=np.float32).reshape(4, 3)
ARRAYS = {"arg:fc_weight": W, "arg:fc_bias": np.ones(4, np.float32)}
GOOD = array_list.written(ARRAYS)
NODES = [{"op": "null", "name": "data", "attrs": {"__shape__": "(2, 3)"}, "inputs": []}, {"op": "null", "name": "fc_weight", "inputs": []}, {"op": "null", "name": "fc_bias", "inputs": []},
         {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "4"}, "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}]


def symbol(nodes=NODES, heads=((3, 0, 0),), **others):
    graph = {"nodes": nodes, "arg_nodes": [0, 1, 2], "heads": heads, "attrs": {"mxnet_version": ["int", 10901]}}
    return json.dumps({**graph, **others}, indent=1).encode()


MODEL = symbol()


def changed(number, **fields):
    return symbol([{**node, **fields} if i == number else node for i, node in enumerate(NODES)])


def run(*arguments, **kwargs):
    return subprocess.run([MO, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=SECONDS, **kwargs)


def written(folder, model, arrays):
    folder.mkdir(exist_ok=True, parents=True)
    for name, content in (("net-symbol.json", model), ("net-0000.params", arrays)):
        if content is not None:
            (folder / name).write_bytes(content)
    return folder / ("net-0000.params" if arrays is not None else "net-symbol.json")


def refused(path, *needles, options=(), **kwargs):
    out = path.parent / "out"
    result = run("--input_model", path, "--output_dir", out, *options, **kwargs)
    assert result.returncode == 1 and not out.exists(), (result.returncode, result.stdout, result.stderr)
    for needle in needles:
        assert needle in result.stderr, (needle, result.stderr)
    return result.stderr


def test_the_good_one_converts(tmp_path):
    path = written(tmp_path, MODEL, GOOD)
    result = run("--input_model", path, "--output_dir", tmp_path / "out")
    assert result.returncode == 0, result.stderr


# Symbols.

SYMBOLS = {
    "no_object": (b'["nodes", "arg_nodes", "node_row_ptr"]', "MO1002"),
    "ends_early": (MODEL[:-30], ("MO1004", "line ")),
    "no_json": (MODEL.replace(b'"heads": [', b'"heads": [}', 1), ("MO1005", "line ", "column ")),
    "no_nodes": (b'{"arg_nodes": [], "heads": []}', ("MO1012", "line 1, column 30")),
    "nodes_that_are_numbers": (symbol([1, 2]), "MO1005"),
    "a_node_that_is_a_list": (symbol([[]]), "MO1005"),
    "a_name_that_is_a_number": (changed(3, name=5), "MO1005"),
    "inputs_that_are_texts": (changed(3, inputs=["data"]), "MO1005"),
    "an_input_without_numbers": (changed(3, inputs=[[]]), "MO1005"),
    "a_negative_input": (changed(3, inputs=[[-1, 0, 0]]), "MO1005"),
    "an_input_of_no_node": (changed(3, inputs=[[99, 0, 0]]), ("MO3001", "fc")),
    "a_circle": (changed(1, op="relu", inputs=[[3, 0, 0]]), ("MO3001", "fc_weight", "reads node 3", "line ")),
    "a_node_that_reads_itself": (changed(3, inputs=[[3, 0, 0]]), "MO3001"),
    "an_output_of_no_node": (symbol(heads=[[4, 0, 0]]), ("MO1013", "output of node 4 of 4", "line ")),
    "an_output_that_there_is_not": (symbol(heads=[[3, 7, 0]]), "MO"),
    "a_huge_number_of_an_output": (symbol(heads=[[3, 4294967295, 0]]), "MO1011"),
    "no_outputs": (symbol(heads=[]), "MO3008"),
    "an_attribute_that_is_a_list": (changed(3, attrs={"num_hidden": [4]}), "MO1005"),
    "a_number_that_is_none": (changed(3, attrs={"num_hidden": "4", "flatten": "maybe"}), ("MO2002", "fc", "line ")),
    "an_unknown_operator": (changed(3, op="NoSuchOperator"), ("MO2001", "NoSuchOperator", 'node "fc"', "line ")),
    "a_custom_operator": (changed(3, op="Custom", attrs={"op_type": "mine"}), ("MO2001", "Custom.mine")),
    "a_type_that_there_is_not": (changed(0, attrs={"__dtype__": "99"}), ("MO2005", "MXNet's type 99")),
    "a_shape_of_very_many_dimensions": (changed(0, attrs={"__shape__": str(tuple([1] * 100))}), "MO3003"),
    "a_loop_without_sub_graph": (changed(3, op="_foreach", attrs={"num_out_data": "1"}), ("MO2002", "0 sub-graphs, want 1")),
    "a_loop_of_other_inputs": (changed(3, op="_foreach", attrs={"in_data_locs": "(5,)"}, subgraphs=[json.loads(MODEL)]), ("MO2002", "in_data_locs")),
    "a_loop_without_states": (changed(3, op="_while_loop", attrs={"max_iterations": "3", "num_out_data": "0"}, subgraphs=[json.loads(MODEL)] * 2), "MO2002"),
    "branches_that_differ": (changed(3, op="_cond", attrs={"cond_input_locs": "(0,)"}, subgraphs=[{"nodes": [NODES[0]], "heads": [[0, 0, 0]]}, *[json.loads(MODEL)] * 2]), "MO2002"),
}


@pytest.mark.parametrize("name", SYMBOLS)
def test_symbols(name, tmp_path):
    content, needles = SYMBOLS[name]
    path = written(tmp_path, content, GOOD)
    refused(path, *([needles] if isinstance(needles, str) else needles), options=("--input_symbol", tmp_path / "net-symbol.json"))


def test_a_symbol_without_its_arrays_names_all(tmp_path):
    refused(written(tmp_path, MODEL, None), "MO1034", "fc_weight, fc_bias")


def test_deep_json(tmp_path):
    deep = b'{"nodes": [{"op": "null", "name": "x", "more": ' + b"[" * 10_000 + b"]" * 10_000 + b"}]}"
    refused(written(tmp_path, deep, None), "MO1011", "line 1")


def test_deep_subgraphs(tmp_path):
    graph = {"nodes": NODES, "heads": [[3, 0, 0]]}
    for _ in range(40):
        graph = {"nodes": [*NODES[:3], {**NODES[3], "op": "_foreach", "attrs": {"in_data_locs": "(0,)", "remain_locs": "(1, 2)", "num_out_data": "1"}, "subgraphs": [graph]}], "heads": [[3, 0, 0]]}
    refused(written(tmp_path, json.dumps(graph).encode(), GOOD), "MO1011")


def test_two_gigabytes_of_json(tmp_path):
    """Sparse on the disk. It is refused before it is read, in little memory, if sanitizers do not take it."""
    path = written(tmp_path, b'{"nodes": [{"op": "null"}], "more": "' + b"x" * 5000, None)
    with open(path, "r+b") as file:
        file.truncate(2 << 30)
    limit = 1 << 30 if "asan" not in MO else resource.RLIM_INFINITY
    refused(path, "MO1005", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))


# Arrays.

def listed(record, names=("arg:fc_weight", "arg:fc_bias"), count=None):
    packed = b"".join(struct.pack("<Q", len(name)) + name.encode() for name in names)
    return struct.pack("<QQQ", 0x112, 0, len(names) if count is None else count) + record + struct.pack("<Q", len(names)) + packed


FIRST, SECOND = (array_list.dense(one, "v2") for one in ARRAYS.values())


def record(storage=0, shape=(4, 3), kind=0, data=W.tobytes(), magic=0xF993FAC9, rank=None):
    sizes = struct.pack("<I", len(shape) if rank is None else rank) + struct.pack(f"<{len(shape)}q", *shape)
    return struct.pack("<Ii", magic, storage) + sizes + struct.pack("<iii", 1, 0, kind) + data


LISTS = {
    "another_magic": (struct.pack("<QQQQ", 0x113, 0, 0, 0), "MO1002"),
    "ends_in_the_head": (GOOD[:12], "MO1004"),
    "more_arrays_than_bytes": (listed(FIRST + SECOND, count=1 << 60), ("MO1004", "byte 16")),
    "more_arrays_than_there_are": (listed(FIRST + SECOND, count=3), "MO"),
    "fewer_names_than_arrays": (listed(FIRST + SECOND, names=("arg:fc_weight",), count=2), ("MO1005", "1 names of 2 arrays")),
    "a_name_without_end": (listed(FIRST + SECOND)[:-4], "MO1004"),
    "a_rank_of_a_million": (listed(record(rank=1_000_000) + SECOND), ("MO3003", "1000000")),
    "a_negative_rank": (listed(record(rank=0xFFFFFFFF) + SECOND), "MO3003"),
    "a_negative_dimension": (listed(record(shape=(-4, 3)) + SECOND), ("MO1005", "-4")),
    "dimensions_that_overflow": (listed(record(shape=(1 << 40, 1 << 40)) + SECOND), "MO1010"),
    "more_elements_than_bytes": (listed(record(shape=(1 << 20, 1 << 10)) + SECOND), "MO1004"),
    "a_type_that_there_is_not": (listed(record(kind=77) + SECOND), ("MO2005", "MXNet's type 77")),
    "a_negative_type": (listed(record(kind=-1) + SECOND), "MO2005"),
    "a_storage_that_there_is_not": (listed(record(storage=9) + SECOND), ("MO1005", "storage type of 9")),
    "other_sizes_than_the_network": (array_list.written({**ARRAYS, "arg:fc_weight": np.ones((4, 5), np.float32)}), "MO300"),
    "rows_outside": (listed(struct.pack("<IiI2q", 0xF993FAC9, 1, 2, 1, 3) + struct.pack("<I2q", 2, 4, 3) + struct.pack("<iii", 1, 0, 0) + struct.pack("<iIq", 6, 1, 1) + bytes(12) + struct.pack("<q", 4) + SECOND),
                     ("MO1005", "a row of number 4")),
    "rows_that_are_real": (listed(struct.pack("<IiI2q", 0xF993FAC9, 1, 2, 1, 3) + struct.pack("<I2q", 2, 4, 3) + struct.pack("<iii", 1, 0, 0) + struct.pack("<iIq", 0, 1, 1) + bytes(12) + struct.pack("<f", 0) + SECOND), "MO1005"),
    "very_many_rows": (listed(struct.pack("<IiI2q", 0xF993FAC9, 1, 2, 1, 3) + struct.pack("<I2q", 2, 1 << 40, 3) + struct.pack("<iii", 1, 0, 0) + struct.pack("<iIq", 6, 1, 1) + bytes(12) + struct.pack("<q", 0) + SECOND), "MO"),
    "columns_outside": (listed(struct.pack("<IiIq", 0xF993FAC9, 2, 1, 1) + struct.pack("<I2q", 2, 4, 3) + struct.pack("<iii", 1, 0, 0) + struct.pack("<iIq", 6, 1, 5) + struct.pack("<iIq", 6, 1, 1) + bytes(4)
                               + struct.pack("<6q", 0, 1, 1, 1, 1, 3) + SECOND), ("MO1005", "an index of 3")),
    "pointers_that_fall": (listed(struct.pack("<IiIq", 0xF993FAC9, 2, 1, 1) + struct.pack("<I2q", 2, 4, 3) + struct.pack("<iii", 1, 0, 0) + struct.pack("<iIq", 6, 1, 5) + struct.pack("<iIq", 6, 1, 1) + bytes(4)
                                  + struct.pack("<6q", 0, 1, 0, 1, 1, 1) + SECOND), "MO1005"),
    "an_npz_that_is_cut_off": (array_list.zipped(ARRAYS)[:200], "MO1005"),
    "an_npz_of_texts": (array_list.zipped({**ARRAYS, "arg:fc_bias": np.array(["a", "b"])}), ("MO2005", "<U1")),
}


@pytest.mark.parametrize("name", LISTS)
def test_arrays(name, tmp_path):
    content, needles = LISTS[name]
    refused(written(tmp_path, MODEL, content), *([needles] if isinstance(needles, str) else needles))


def test_zeros_without_end_are_not_written(tmp_path):
    """A sparse array of no rows has any size."""
    zeros = struct.pack("<IiI2q", 0xF993FAC9, 1, 2, 0, 3) + struct.pack("<I2q", 2, 1 << 40, 3) + struct.pack("<iii", 1, 0, 0) + struct.pack("<iIq", 6, 1, 0)
    nodes = [NODES[0], NODES[1], {"op": "elemwise_add", "name": "sum", "inputs": [[1, 0, 0], [1, 0, 0]]}, {"op": "tanh", "name": "t", "inputs": [[2, 0, 0]]}]
    refused(written(tmp_path, symbol(nodes), listed(zeros + SECOND)), "MO")


# Damage by seed.

LOOP = changed(3, op="_foreach", attrs={"in_data_locs": "(0,)", "remain_locs": "(1, 2)", "num_out_data": "1"},
               subgraphs=[{"nodes": [*NODES[:3], {"op": "broadcast_add", "name": "a", "inputs": [[0, 0, 0], [1, 0, 0]]}, {"op": "broadcast_mul", "name": "m", "inputs": [[3, 0, 0], [2, 0, 0]]}], "heads": [[4, 0, 0]]}])
KINDS = {"symbol": (MODEL, GOOD, True), "loop": (LOOP, GOOD, True), "list": (MODEL, GOOD, False), **{version: (MODEL, array_list.written(ARRAYS, version), False) for version in ("v0", "v1", "v3")}, "npz": (MODEL, array_list.zipped(ARRAYS), False),
         "row_sparse": (MODEL, array_list.written(ARRAYS, storages={"arg:fc_weight": "row_sparse"}), False), "csr": (MODEL, array_list.written(ARRAYS, storages={"arg:fc_weight": "csr"}), False)}


@pytest.mark.parametrize("way", ["truncated", "mutated"])
@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_answered(kind, way, tmp_path):
    model, arrays, is_symbol = KINDS[kind]

    def answer(seed):
        bad = damaged(model if is_symbol else arrays, way, seed, b"{")
        path = written(tmp_path / str(seed), bad if is_symbol else model, arrays if is_symbol else bad)
        result = run("--input_model", path, "--output_dir", path.parent / "out")
        said = (seed, result.returncode, result.stdout, result.stderr)
        assert result.returncode in (0, 1), said
        if result.returncode == 1:
            codes = re.findall(r"^\[ ERROR \]  (MO\d{4}) ", result.stderr, re.M)
            # What begins like a zip and is none of arrays is an archive that cannot be read.
            assert codes and (not any(code.startswith("MO7") for code in codes) or (kind == "npz" and codes == ["MO7001"])), said
            assert not (path.parent / "out").exists(), said
        return result.returncode
    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(answer, range(60)))
    assert any(codes)
    if way == "truncated":
        assert all(codes)
