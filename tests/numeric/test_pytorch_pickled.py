"""Weights of PyTorch 2.6 to 2.8 are pickled: the same program gives the same bytes as with those of 2.9."""
import os
import subprocess
import sys

import pytest

import judge

sys.path[:0] = [os.path.join(judge.ROOT, "tests", "pytorch"), os.path.join(judge.ROOT, "tests", "recorded")]
import stored_torch  # noqa: E402

CASES = {name: stored_torch.everything()[name] for name in ("wrappers/strided", "wrappers/tied", "convolution/conv2d", "recurrent/lstm", "indexing/write_mask", "creating/constant", "matrices/transformer_layer", "complex_numbers/weights")}


def converted(path, folder):
    subprocess.run([judge.MO, "--input_model", path, "--output_dir", folder, "--model_name", "m"], check=True, capture_output=True)
    files = []
    for ending in (".xml", ".bin"):
        with open(os.path.join(folder, "m" + ending), "rb") as file:
            files.append(file.read())
    return files


@pytest.mark.parametrize("form", ["2.8", "2.6"])
@pytest.mark.parametrize("name", CASES)
def test_the_form_of_weights_changes_nothing(name, form, tmp_path):
    found = []
    for one in ("2.9", form):
        path = str(tmp_path / one / "net.pt2")
        os.mkdir(os.path.dirname(path))
        CASES[name].write(path, one)
        found.append(converted(path, os.path.dirname(path)))
    assert found[0] == found[1]
    assert len(found[0][1]) > 0
