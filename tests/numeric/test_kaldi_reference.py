"""The writers of Kaldi's files and the reference of its numbers, proved by files that Kaldi wrote and by frames that agree with its programs.

tests/kaldi/recorded: frame s of an output belongs to time s - R, R being the frames to come that the network reads; NaN where Kaldi cannot compute it.
"""
import glob
import os
import sys

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from kaldi import compressed, files, networks, read, stream  # noqa: E402
from kaldi.reference import chain, utterance  # noqa: E402

RECORDED = sorted(path for path in glob.glob(os.path.join(ROOT, "tests", "kaldi", "recorded", "*")) if not path.endswith(".npz"))
IN_PARTS = {"nnet3/composite", "nnet1/network_parallel", "nnet1/network_parallel_deep"}


def recorded(path):
    with open(path, "rb") as file:
        return file.read()


@pytest.mark.parametrize("path", RECORDED, ids=os.path.basename)
def test_files_are_written_as_kaldi_writes_them(path):
    data = recorded(path)
    network, before = read.network_of(data)
    written = files.to_bytes(network)
    if network.transition:  # that of the recorded file has more phones
        end = written.index(b"</TransitionModel> ") + len(b"</TransitionModel> ")
        written = written[:2] + before + written[end:]
    assert written == data


@pytest.mark.parametrize("path", RECORDED, ids=os.path.basename)
def test_reference_gives_recorded_frames(path):
    network, _ = read.network_of(recorded(path))
    arrays = np.load(os.path.splitext(path)[0] + ".npz")
    feeds = {name[2:]: arrays[name][:, 0] for name in arrays if name.startswith("i:")}
    judged = utterance.Judged(network)
    found = judged.outputs(feeds)
    for name in judged.output_names:
        wanted = arrays[f"o:{name}"][:, 0]
        there = ~np.isnan(wanted).any(1)
        assert there.sum() >= 12 and not there[:judged.left + judged.delay].any()
        np.testing.assert_allclose(found[name][there], wanted[there], 1e-5, 1e-6)
        assert np.isnan(found[name][~there]).all()


@pytest.mark.parametrize("name", [name for name in networks.CASES if "compressed" not in name and not name.startswith("old/") and name not in IN_PARTS])
def test_files_are_read_as_they_were_written(name):
    network = networks.CASES[name].network()
    data = files.to_bytes(network)
    assert files.to_bytes(read.network_of(data)[0]) == data
    assert data == files.to_bytes(networks.CASES[name].network()), "not the same from the same seed"


@pytest.mark.parametrize("store, error", [(compressed.columns, 0.03), (compressed.two_bytes, 1e-4), (compressed.one_byte, 0.01)])
def test_compressed_matrices_are_near_what_they_hold(store, error):
    values = np.random.default_rng(3).standard_normal((40, 6)).astype(np.float32)
    made = store(values)
    assert np.abs(made.values - values).max() <= error * (values.max() - values.min())
    assert len(made.stored) == made.stored.index(b" ") + 1 + 16 + {"columns": 6 * 8 + 240, "two_bytes": 480, "one_byte": 240}[store.__name__]


def test_texts_have_seven_digits():
    out = stream.Writer(False)
    out.matrix(np.array([[1 / 3, -2e-9], [np.inf, 1e20]]))
    assert out.bytes() == b" [\n  0.3333333 -2e-09 \n  inf 1e+20 ]\n"


@pytest.mark.parametrize("name", [name for name in networks.CASES if name.startswith("nnet1/")])
def test_an_utterance_with_repeated_edges_is_what_kaldi_computes(name):
    """Splice repeats the frames at the edges itself: to feed them again gives the same."""
    judged = utterance.Judged(networks.CASES[name].network())
    (port, size), = judged.inputs.items()
    rows = np.random.default_rng(5).standard_normal((24, size))
    found = judged.outputs({port: judged.fed(rows)})["output"][judged.left + judged.delay:]
    np.testing.assert_allclose(found, chain.nnet1(judged.network, rows), 1e-12)


def test_there_are_enough_networks():
    assert len(networks.CASES) >= 90
    assert abs(sum(case.binary for case in networks.CASES.values()) / len(networks.CASES) - 0.5) < 0.1
