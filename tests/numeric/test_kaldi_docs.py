"""The example of docs/kaldi.md runs as it stands, and gives Kaldi's numbers."""
import os
import re
import sys

import numpy as np
import pytest

import judge
import kaldi_judge

sys.path.insert(0, os.path.join(judge.ROOT, "tests"))
from kaldi import networks  # noqa: E402
from kaldi.reference import utterance  # noqa: E402

with open(os.path.join(judge.ROOT, "docs", "kaldi.md"), encoding="utf-8") as file:
    EXAMPLE = re.search(r"```python\n(.*?)```", file.read(), re.S)[1]


@pytest.mark.parametrize("case", ["architecture/chain_tdnnf", "architecture/chain_tdnnf_ivector", "architecture/tdnn_lstm"])
def test_the_example(case, tmp_path, monkeypatch):
    network = networks.CASES[case].network()
    os.rename(networks.CASES[case].write(str(tmp_path / "model")), tmp_path / "final.mdl")
    kaldi_judge.convert(tmp_path / "final.mdl", tmp_path)
    written = next(path for path in tmp_path.glob("*.xml"))
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(EXAMPLE.replace("final.xml", written.name), names)
    judged = utterance.Judged(network)
    random = np.random.default_rng(2)
    features = random.standard_normal((20, judged.inputs["input"])).astype(np.float32)
    others = {name: random.standard_normal(size).astype(np.float32) for name, size in judged.inputs.items() if name != "input"}
    fed = judged.fed(features)
    wanted = judged.outputs({"input": fed, **{name: np.repeat(value[None], len(fed), 0) for name, value in others.items()}})[judged.output_names[0]]
    wanted = wanted[judged.left + judged.delay:]
    for every in (1, 3):
        for _ in range(2):  # two utterances
            kaldi_judge.compare(case, names["utterance"](features, every, **others), wanted[::every], len(wanted[::every]))


def test_the_example_for_an_utterance_as_one_vector(tmp_path, monkeypatch):
    """Frames are not repeated, and the last row counts."""
    network = networks.CASES["architecture/xvector"].network()
    os.rename(networks.CASES["architecture/xvector"].write(str(tmp_path / "model")), tmp_path / "final.raw")
    kaldi_judge.convert(tmp_path / "final.raw", tmp_path, "--output", "tdnn6.affine")
    written = next(path for path in tmp_path.glob("*.xml"))
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(EXAMPLE.replace("final.xml", written.name), names)
    names["left"] = names["right"] = 0
    network.lines = [line for line in network.lines if not line.startswith("output-node")] + ["output-node name=output input=tdnn6.affine objective=linear"]
    features = np.random.default_rng(2).standard_normal((30, 4)).astype(np.float32)
    wanted = utterance.Judged(network, ["output"]).so_far({"input": features})["output"]
    kaldi_judge.compare("xvector", names["utterance"](features)[-1:], wanted[-1:])
