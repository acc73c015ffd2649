"""Files that releases of PyTorch have written (tests/pytorch/written/write.py), from 2.6 on, as they are: their numbers."""
import glob
import os

import numpy as np
import openvino as ov
import pytest

import judge
import verdicts

FILES = sorted(glob.glob(os.path.join(judge.ROOT, "tests", "pytorch", "written", "*.pt2")))


@pytest.mark.parametrize("path", FILES, ids=[os.path.basename(path) for path in FILES])
def test_numbers(path, tmp_path):
    model = verdicts.read(verdicts.by_mo(["--input_model", path], str(tmp_path)))
    arrays = np.load(path[:-4] + ".npz")
    fed = [arrays[key] for key in sorted(arrays) if key.startswith("in:")]
    wanted = [arrays[key] for key in sorted(arrays) if key.startswith("out:")]
    results = list(ov.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(fed).values())
    assert len(results) == len(wanted)
    for got, want in zip(results, wanted):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


def test_each_release_has_its_files():
    versions = {os.path.basename(path).rpartition("-")[2] for path in FILES}
    assert {"2.6.pt2", "2.8.pt2"} < versions and len(FILES) >= 12
