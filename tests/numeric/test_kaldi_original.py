"""Networks of Kaldi against the original Model Optimizer: none that it converts rightly is lost.

tests/kaldi/original.txt has each network that it passes; with REFERENCE=mo it is judged, in the runtime of its time, on an utterance whose edges are
repeated, and with UPDATE=1 the list is written again. It reads binary files only.
"""
import os
import sys
import tempfile

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


def heard(judged):
    """What it is fed, and what is wanted."""
    feeds = kaldi_judge.feeds_of(judged, 1, kaldi_judge.FRAMES, not judged.accumulates)
    return feeds, judged.so_far(feeds) if judged.accumulates else judged.outputs(feeds)


@pytest.fixture(scope="module")
def answers(request):
    """What the original makes of the networks that are asked for: rows by number of the output, or why there are none."""
    found, jobs = {}, {}
    names = [item.callspec.params["name"] for item in request.session.items if "name" in getattr(getattr(item, "callspec", None), "params", {})]
    with tempfile.TemporaryDirectory() as root:
        for name in names if REFERENCE else []:
            network = networks.CASES[name].network()
            if network.generation == "nnet2":
                network.transition = network.transition or "triples"  # it does not read others
            folder = os.path.join(root, name.replace("/", "_"))
            os.mkdir(folder)
            try:
                xml = references.convert(["--input_model", written(network, folder)], None, folder)
                jobs[name] = (xml, heard(utterance.Judged(network))[0])
            except Stopped as stopped:
                found[name] = {"error": str(stopped)}
        return found | dict(zip(jobs, kaldi_judge.in_2023([*jobs.values()], root)))


def stops(judged, found):
    """Why it does not pass, or nothing. It makes outputs of nodes that nothing reads, too."""
    if "error" in found:
        return str(found["error"])
    wanted = heard(judged)[1]
    for name, want in wanted.items():
        differences = []
        for got in found.values():
            try:
                kaldi_judge.compare(name, got, want)
            except AssertionError as difference:
                differences.append(str(difference))
        if len(differences) == len(found):
            return differences[0]
    return None


@pytest.mark.parametrize("name", networks.CASES if REFERENCE else PASSED)
def test_against_the_original(name, answers, tmp_path):
    network = networks.CASES[name].network()
    if not REFERENCE:
        kaldi_judge.check(network, kaldi_judge.convert(written(network, tmp_path), tmp_path))
        return
    reason = stops(utterance.Judged(network), answers[name])
    FOUND[name] = reason is None
    if reason:
        assert UPDATE or name not in PASSED, reason
        pytest.xfail(reason[:300])


def test_the_list_names_networks():
    assert {*PASSED} <= networks.CASES.keys()
