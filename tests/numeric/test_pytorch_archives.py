"""Programs of PyTorch in other archives than torch.export.save writes: several in one, packed again, and unpacked. Each gives the bytes, and so
the numbers, that it gives alone and stored."""
import os
import subprocess
import sys
import zipfile

import pytest

import judge
import verdicts
from recorded_programs import results, run as run_with, same

sys.path[:0] = [os.path.join(judge.ROOT, "tests", "pytorch"), os.path.join(judge.ROOT, "tests", "recorded")]
import stored_torch  # noqa: E402

CASES = stored_torch.everything(["wrappers", "recurrent", "convolution", "matrices"])
TOGETHER = {"encoder": CASES["recurrent/lstm"], "decoder": CASES["convolution/conv2d"]}


def converted(path, folder, *options):
    """The files of the pairs, by their names."""
    os.makedirs(folder, exist_ok=True)
    subprocess.run([judge.MO, "--input_model", str(path), "--output_dir", str(folder), "--compress_to_fp16=False", *options], check=True, capture_output=True)
    return {name: (folder / name).read_bytes() for name in os.listdir(folder)}


def alone(case, name, folder, form="2.9"):
    os.makedirs(folder)
    case.write(str(folder / "net.pt2"), form)
    return converted(folder / "net.pt2", folder / "out", "--model_name", name)


@pytest.fixture
def both(tmp_path):
    path = tmp_path / "both.pt2"
    path.write_bytes(stored_torch.zipped([("both/" + name, content) for name, content in stored_torch.together(TOGETHER)]))
    return path


def test_each_program_is_a_model(both, tmp_path):
    found = converted(both, tmp_path / "out")
    assert sorted(found) == ["decoder.bin", "decoder.xml", "encoder.bin", "encoder.xml"]
    for name, case in TOGETHER.items():
        assert alone(case, name, tmp_path / name) == {key: content for key, content in found.items() if key.startswith(name)}
        model = verdicts.read(str(tmp_path / "out" / (name + ".xml")))
        for got, want in zip(results(model, case, lambda *given: run_with(*given, lambda ports, _: ports)), case.wanted):
            for output, one, other in zip(case.about["outputs"], got, want):
                same(output, one, other, case.about["random"], "PyTorch")


def test_one_of_them_by_its_name(both, tmp_path):
    found = converted(both, tmp_path / "out", "--model_name", "decoder")
    assert found == alone(TOGETHER["decoder"], "decoder", tmp_path / "alone") and len(found) == 2


def repacked(path, entries, method, folders=()):
    with zipfile.ZipFile(path, "w") as made:
        for name in folders:
            made.writestr(name, b"")
        for at, (name, content) in enumerate(entries):
            made.writestr(name, content, zipfile.ZIP_STORED if method == "first stored" and at == 0 else zipfile.ZIP_DEFLATED)


@pytest.mark.parametrize("form", ["2.9", "2.8", "2.6"])
@pytest.mark.parametrize("method", ["all packed", "first stored", "folders first", "unpacked"])
@pytest.mark.parametrize("name", ["wrappers/strided", "wrappers/tied", "matrices/transformer_layer"])
def test_packed_again(name, method, form, tmp_path):
    case, top = CASES[name], "" if form == "2.6" else "net/"
    entries = [(top + path, content) for path, content in case.entries(form)]
    path = tmp_path / "packed.pt2"
    if method == "unpacked":
        for inner, content in entries:
            file = path / inner
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        path = path / top
    else:
        repacked(path, entries, method, ["net/", "net/data/"] if method == "folders first" and top else [])
    found = converted(path, tmp_path / "out", "--model_name", "m")
    assert found == alone(case, "m", tmp_path / "alone", form)
    assert len(found["m.bin"]) > 0


def test_several_that_are_packed_again(tmp_path):
    path = tmp_path / "both.pt2"
    repacked(path, [("both/" + name, content) for name, content in stored_torch.together(TOGETHER)], "all packed")
    assert sorted(converted(path, tmp_path / "out")) == ["decoder.bin", "decoder.xml", "encoder.bin", "encoder.xml"]
    found = converted(path, tmp_path / "one", "--model_name", "encoder")
    assert found == alone(TOGETHER["encoder"], "encoder", tmp_path / "alone")
