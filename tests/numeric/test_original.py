"""Command lines of tests/original/lines.json: what the original Model Optimizer made of them, recorded, and what `mo` makes of them.

Inputs, outputs, their names, shapes, types and layouts, states, files and numbers are the same but for rows with `differs`: there
`found` lists all differences, and `why` is a row of docs/differences.md.
"""
import json
import os
import subprocess
import sys

import pytest

import judge

FOLDER = os.path.join(judge.ROOT, "tests", "original")
sys.path.insert(0, FOLDER)
import lines  # noqa: E402
import models  # noqa: E402

CASES = lines.load()
with open(os.path.join(FOLDER, "recorded.json"), encoding="utf-8") as file:
    RECORDED = json.load(file)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    models.write(folder)
    return folder


def converted(model, row, front, folder, original):
    """What is in the IR and in numbers, fed as the original was; or how it failed."""
    key = f"{row['name']}, {front}"
    command = [judge.MO, "--input_model", str(model), "--output_dir", str(folder), *lines.options(row), *(["--use_legacy_frontend"] * (front == "legacy"))]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        assert "[ ERROR ]" in run.stderr or "mo: error: " in run.stderr, run.stderr
        assert not os.path.exists(folder) or os.listdir(folder) == []
        return {"exit": run.returncode, "error": run.stderr}
    files = sorted(os.listdir(folder))
    xml = next(name for name in files if name.endswith(".xml"))
    return {"exit": 0, "files": files, **lines.describe(os.path.join(folder, xml), key, original.get("inputs"))}


@pytest.mark.parametrize("key,row,front", CASES, ids=[key for key, _, _ in CASES])
def test_as_the_original(key, row, front, model, small, tmp_path):
    original = RECORDED[key]
    path = model(row["model"]) if row["model"] in lines.LARGE else small / (row["model"] + ".onnx")
    ours = converted(path, row, front, tmp_path / "out", original)
    found = lines.differences(original, ours)
    expected = row.get("differs", {}).get(front, {}).get("found", [])
    assert found == expected, (original.get("error"), ours.get("error"))


def test_each_difference_is_documented():
    with open(os.path.join(judge.ROOT, "docs", "differences.md"), encoding="utf-8") as document:
        text = document.read()
    for _, row, front in CASES:
        if front in row.get("differs", {}):
            assert row["differs"][front]["why"] in text, row["name"]


def test_the_table_and_what_is_recorded_agree():
    assert {key: lines.line(row) for key, row, _ in CASES} == {key: recorded["line"] for key, recorded in RECORDED.items()}
    assert len({row["name"] for _, row, _ in CASES}) >= 45
    assert {front for _, _, front in CASES} == {"default", "legacy"}
