"""Buffers of PyTorch that a program writes keep their values from inference to inference."""
import os
import sys

import numpy as np
import openvino as ov
import pytest

import judge
import verdicts

sys.path[:0] = [os.path.join(judge.ROOT, "tests", "pytorch"), os.path.join(judge.ROOT, "tests", "recorded")]
import stored_torch  # noqa: E402

CASES = stored_torch.everything(["wrappers"])


@pytest.mark.parametrize("name", ["wrappers/state", "wrappers/state_core"])
def test_what_is_written_stays(name, tmp_path):
    path = str(tmp_path / "net.pt2")
    CASES[name].write(path)
    model = verdicts.read(verdicts.by_mo(["--input_model", path], str(tmp_path)))
    assert sorted(op.get_type_name() for op in model.get_ops()).count("Assign") == 2
    request = ov.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    total, rows, rng = np.ones(3, np.float32), np.zeros((4, 3), np.float32), np.random.default_rng(3)
    for _ in range(3):
        x = rng.random((2, 3), dtype=np.float32)
        results = list(request.infer([x]).values())
        total = total + x.sum(0)
        rows[1:3] = rows[1:3] * 0.5 + x
        np.testing.assert_allclose(results[0], total * 2, rtol=1e-5)
        np.testing.assert_allclose(results[1], rows.sum(1), rtol=1e-5)
