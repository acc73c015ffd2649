"""Networks of Kaldi: the IR in the runtime, frame by frame with its states, against what Kaldi computes of the whole utterance (tests/kaldi).

tests/kaldi/refused.txt has the code of each network that is refused; UPDATE=1 rewrites it.
"""
import os
import sys

import numpy as np
import pytest

import judge
import kaldi_judge
import verdicts

sys.path[:0] = [os.path.join(judge.ROOT, "tests"), os.path.join(judge.ROOT, "tests", "recorded")]
import codes  # noqa: E402
from kaldi import files, networks, read  # noqa: E402
from kaldi.reference import utterance  # noqa: E402

FOLDER = os.path.join(judge.ROOT, "tests", "kaldi")
CODES = codes.Codes(os.path.join(FOLDER, "refused.txt"))
REFUSED = [name for name in networks.CASES if name.startswith("refused/")]
RECORDED = sorted(name for name in os.listdir(os.path.join(FOLDER, "recorded")) if not name.endswith(".npz"))


@pytest.fixture(scope="module", autouse=True)
def update():
    yield
    CODES.write(REFUSED)


def written(name, folder, binary=None):
    case = networks.CASES[name]
    if binary is not None:
        case.binary = binary
    return case.write(os.path.join(folder, "model"))


@pytest.mark.parametrize("name", [name for name in networks.CASES if name not in REFUSED])
def test_network(name, tmp_path):
    kaldi_judge.check(networks.CASES[name].network(), kaldi_judge.convert(written(name, tmp_path), tmp_path))


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name, tmp_path):
    """With its code, and nothing is written."""
    CODES.check(name, verdicts.codes_of_refusal([written(name, tmp_path)], tmp_path))


def test_refused_are_networks():
    assert CODES.known.keys() == {*REFUSED}
    assert len(networks.CASES) - len(REFUSED) >= 90


@pytest.mark.parametrize("name", RECORDED)
def test_recorded(name, tmp_path):
    """Files that Kaldi wrote, with the frames that its programs agree with."""
    path = os.path.join(FOLDER, "recorded", name)
    arrays = np.load(os.path.splitext(path)[0] + ".npz")
    with open(path, "rb") as file:
        judged = utterance.Judged(read.network_of(file.read())[0])
    running = kaldi_judge.Running(kaldi_judge.convert(path, tmp_path))
    feeds = {key[2:]: arrays[key][:, 0] for key in arrays if key.startswith("i:")}
    for output, rows in zip(judged.output_names, running.utterance(feeds, kaldi_judge.names_of_outputs(judged, running))):
        kaldi_judge.compare(output, rows, arrays[f"o:{output}"][:, 0], 12)


@pytest.mark.parametrize("name", ["nnet1/network_lstm", "nnet2/network_pnorm", "architecture/chain_tdnnf", "architecture/tdnn_lstm"])
def test_text_and_binary_give_the_same(name, tmp_path):
    """But for the seven digits of texts."""
    judged = utterance.Judged(networks.CASES[name].network())
    feeds, found = kaldi_judge.feeds_of(judged, 3, 8, True), []
    for binary in (False, True):
        folder = tmp_path / str(binary)
        folder.mkdir()
        path = os.path.join(folder, "model.mdl")
        with open(path, "wb") as file:
            file.write(files.to_bytes(judged.network, binary))
        running = kaldi_judge.Running(kaldi_judge.convert(path, folder))
        found.append(running.utterance(feeds, kaldi_judge.names_of_outputs(judged, running)))
    for text, binary in zip(*found):
        np.testing.assert_allclose(text[judged.left + judged.delay:], binary[judged.left + judged.delay:], 1e-4, 1e-5)


@pytest.mark.parametrize("name", ["descriptor/append_input_unordered_output", "descriptor/round_appended"])
def test_utterances_may_be_long(name, tmp_path):
    """Windows and counters stay right over hundreds of frames, and are new after a reset."""
    judged = utterance.Judged(networks.CASES[name].network())
    running = kaldi_judge.Running(kaldi_judge.convert(written(name, tmp_path), tmp_path))
    for seed in (5, 6):
        running.reset()
        feeds = kaldi_judge.feeds_of(judged, seed, 300, True)
        rows, = running.utterance(feeds, kaldi_judge.names_of_outputs(judged, running))
        kaldi_judge.compare("output", rows, judged.outputs(feeds)["output"], 300)
