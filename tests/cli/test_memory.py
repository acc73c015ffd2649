"""Too little memory, at whatever place it is missing, is MO7003 and exit code 1, and nothing is left. Natively."""
import json
import resource
import subprocess

import numpy as np
import pytest
from onnx import TensorProto as T, helper as h, numpy_helper as nh

from test_output import MO

MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A chain of 20,000 sums with a constant each."""
    path, names = tmp_path_factory.mktemp("memory") / "m.onnx", [f"y{i}" for i in range(20_000)]
    nodes = [h.make_node("Add", [before, f"w{i}"], [name]) for i, (before, name) in enumerate(zip(["x", *names], names))]
    weights = [nh.from_array(np.float32([i, i + 1]), f"w{i}") for i in range(len(names))]
    ends = [h.make_tensor_value_info(name, T.FLOAT, [2]) for name in ("x", names[-1])]
    path.write_bytes(h.make_model(h.make_graph(nodes, "g", ends[:1], ends[1:], weights), opset_imports=[h.make_opsetid("", 13)]).SerializeToString())
    return path


def run(model, out, limit, *options):
    def limited():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    line = [MO, str(model), "--model_name", "m", "--output_dir", str(out), *options]
    return subprocess.run(line, capture_output=True, text=True, timeout=120, preexec_fn=limited)


@pytest.mark.parametrize("options", [(), ("--generate_mapping", "--trace"), ("--json",)], ids=lambda options: "".join(options) or "alone")
def test_too_little_memory_is_an_error(model, tmp_path, options):
    out, limit, failed = tmp_path / "new" / "out", 16 * MEGABYTE, 0
    while True:
        ended = run(model, out, limit, *options)
        if ended.returncode == 0:
            break
        failed += 1
        assert ended.returncode == 1, (limit, ended)
        assert ended.stderr.startswith("[ ERROR ]  MO7003 there is not enough memory"), (limit, ended)
        assert not (tmp_path / "new").exists(), (limit, ended)
        if ended.stdout.startswith("{"):
            assert json.loads(ended.stdout)["messages"][0]["code"] == "MO7003"
        limit = int(limit * 1.07)
    assert failed > 10
    assert (out / "m.xml").exists() and (out / "m.bin").exists()
