"""Networks of Kaldi against the original Model Optimizer: none that it converts rightly is lost.

tests/kaldi/original.txt has each network that it passes; with REFERENCE=mo it is judged, in the runtime of its time, on an utterance whose edges are
repeated, and with UPDATE=1 the list is written again. It reads binary files only.
"""
import os
import sys

import pytest

import judge
import kaldi_judge
import references
from references import REFERENCE, Stopped

sys.path.insert(0, os.path.join(judge.ROOT, "tests"))
from kaldi import files, networks  # noqa: E402
from kaldi.reference import utterance  # noqa: E402

UPDATE = "UPDATE" in os.environ
LIST = os.path.join(judge.ROOT, "tests", "kaldi", "original.txt")
FOUND = {}


def recorded():
    if UPDATE and not os.path.exists(LIST):
        return []
    with open(LIST, encoding="utf-8") as file:
        return [line for line in file.read().splitlines() if line and not line.startswith("#")]


PASSED = recorded()


@pytest.fixture(scope="module", autouse=True)
def update():
    yield
    if UPDATE and REFERENCE:
        rows = {name for name in PASSED if name in networks.CASES and name not in FOUND} | {name for name, passes in FOUND.items() if passes}
        with open(LIST, "w", encoding="utf-8") as file:
            file.write(f"# Passed by {references.who()}\n")
            file.writelines(f"{name}\n" for name in sorted(rows))


def written(network, folder):
    path = os.path.join(folder, "model.mdl")
    with open(path, "wb") as file:
        file.write(files.to_bytes(network))
    return path


def by_original(network, folder):
    xml = references.convert(["--input_model", written(network, folder)], None, folder)
    judged = utterance.Judged(network)
    feeds = kaldi_judge.feeds_of(judged, 1, kaldi_judge.FRAMES, not judged.accumulates)
    wanted = judged.so_far(feeds) if judged.accumulates else judged.outputs(feeds)
    try:
        found, = kaldi_judge.in_2023([(xml, feeds)], folder)
    except AssertionError as error:
        raise Stopped("runtime", str(error)) from None
    if len(found) != len(wanted):
        raise Stopped("more or fewer outputs", len(found))
    for name, want in wanted.items():
        for got in found.values():
            try:
                kaldi_judge.compare(name, got, want)
                break
            except AssertionError as difference:
                last = difference
        else:
            raise Stopped("numbers", str(last))


@pytest.mark.parametrize("name", networks.CASES if REFERENCE else PASSED)
def test_against_the_original(name, tmp_path):
    network = networks.CASES[name].network()
    if not REFERENCE:
        return kaldi_judge.check(network, kaldi_judge.convert(written(network, tmp_path), tmp_path))
    try:
        by_original(network, str(tmp_path))
        FOUND[name] = True
    except Stopped as stopped:
        FOUND[name] = False
        assert UPDATE or name not in PASSED, stopped
        pytest.xfail(f"{stopped.reason}: {str(stopped.detail)[-300:]}")


def test_the_list_names_networks():
    assert {*PASSED} <= networks.CASES.keys()
