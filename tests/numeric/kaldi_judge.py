"""Runs the IR of a network of Kaldi frame by frame, its states kept by the runtime, and compares it with what Kaldi computes (tests/kaldi/reference)."""
import os
import re
import sys

import numpy as np

import environments
import judge

sys.path.insert(0, os.path.join(judge.ROOT, "tests"))
from kaldi.reference import utterance  # noqa: E402

FRAMES = 24
TOLERANCE = 1e-3


def convert(path, folder, *options):
    """The path of the .xml."""
    return judge.convert(str(path), folder, *options)


def port_of(ports, *names):
    found = [port for port in ports if port.get_names() & {*names}]
    assert len(found) == 1, (names, [port.get_names() for port in ports])
    return found[0]


class Running:
    """A model whose states are kept from call to call, until reset()."""

    def __init__(self, xml):
        self.model = judge.core().read_model(xml)
        self.request = judge.compiled_for_cpu(self.model).create_infer_request()

    def reset(self):
        self.request.reset_state()

    def call(self, feeds):
        """`feeds`: a row for each input, by name."""
        import openvino
        for name, row in feeds.items():
            self.request.set_tensor(port_of(self.request.model_inputs, name), openvino.Tensor(np.ascontiguousarray(row, np.float32)[None]))
        self.request.infer()

    def utterance(self, feeds, outputs):
        """`feeds`: the rows of each input. `outputs`: by what names each may be known; gives the rows of each."""
        found = [[] for _ in outputs]
        for at in range(len(next(iter(feeds.values())))):
            self.call({name: rows[at] for name, rows in feeds.items()})
            for rows, names in zip(found, outputs):
                value = self.request.get_tensor(port_of(self.request.model_outputs, *names)).data
                assert value.ndim == 2 and value.shape[0] == 1, value.shape
                rows.append(value[0].copy())
        return [np.array(rows) for rows in found]


def names_of_outputs(judged, running):
    """An output has the name of the node that feeds it, and its own where it is another."""
    if not judged.nodes or len(judged.output_names) == 1:
        ports = running.model.outputs
        assert len(ports) == 1, [port.get_names() for port in ports]
        return [sorted(ports[0].get_names())]
    return [(name, judged.nodes.nodes[name]["input"]) for name in judged.output_names]


def errors(got, want):
    """Of each frame: the norm of the difference over that of what is wanted. Frames that Kaldi does not have are left out."""
    there = ~np.isnan(want).any(1)
    return np.array([np.linalg.norm(a - b) / max(np.linalg.norm(b), 1e-6) for a, b in zip(got[there].astype(np.float64), want[there])]), there


def compare(name, got, want, least=1):
    assert got.shape == want.shape, (name, got.shape, want.shape)
    found, there = errors(got, want)
    assert there.sum() >= least, f"{name}: only {there.sum()} frames can be judged"
    bad = np.flatnonzero(there)[~(found <= TOLERANCE)]
    assert not bad.size, f"{name}: {bad.size} of {there.sum()} frames differ, of calls {bad[:8]}; the first {got[bad[0]][:4]}, wanted {want[bad[0]][:4]}"


def feeds_of(judged, seed, calls, repeated):
    """An utterance as users feed it, or one whose first frames are others."""
    random = np.random.default_rng(seed)
    if repeated:
        feeds = {name: judged.fed(random.standard_normal((calls, size))) for name, size in judged.inputs.items()}
    else:
        feeds = {name: random.standard_normal((calls + judged.left + judged.delay, size)) for name, size in judged.inputs.items()}
    if "ivector" in feeds:
        feeds["ivector"] = np.repeat(feeds["ivector"][:1], len(feeds["ivector"]), 0)
    return {name: rows.astype(np.float32) for name, rows in feeds.items()}


def contexts_of(xml):
    """What the IR says: how often the first frame is to be fed before an utterance, and how many frames its outputs are late."""
    with open(xml, encoding="utf-8") as file:
        text = file.read()
    return tuple(int(re.search(rf'<{side}_context value="(\d+)" />', text)[1]) for side in ("left", "right"))


def check(network, xml, outputs=None):
    """An utterance with its edges repeated, and another one without that, after a reset: where states begin shows there."""
    judged = utterance.Judged(network, outputs)
    assert contexts_of(xml) == (judged.left, judged.delay)
    running = Running(xml)
    names = names_of_outputs(judged, running)
    for seed, repeated in ((1, True), (2, False)):
        running.reset()
        feeds = feeds_of(judged, seed, FRAMES, repeated)
        wanted = judged.so_far(feeds) if judged.accumulates else judged.outputs(feeds)
        found = running.utterance(feeds, names)
        for name, rows in zip(judged.output_names, found):
            compare(f"{name}, {'edges repeated' if repeated else 'edges as they are'}", rows, wanted[name], FRAMES - 4 * judged.delay if judged.accumulates else FRAMES)
    return judged


IN_2023 = """
import sys
import numpy
import openvino.runtime as ov
xml, feeds_file, got_file = sys.argv[1:]


def rows_of(feeds):
    request = ov.Core().compile_model(xml, 'CPU', {'INFERENCE_PRECISION_HINT': 'f32'}).create_infer_request()
    rows = {}
    for at in range(len(next(iter(feeds.values())))):
        for port in request.model_inputs:
            name, = [name for name in feeds if name in {*port.get_names(), port.get_node().get_friendly_name()}]
            request.set_tensor(port, ov.Tensor(feeds[name][at:at + 1].copy()))
        request.infer()
        for number, port in enumerate(request.model_outputs):
            rows.setdefault(str(number), []).append(request.get_tensor(port).data[0].copy())
    return {name: numpy.array(value) for name, value in rows.items()}


try:
    numpy.savez(got_file, **rows_of(dict(numpy.load(feeds_file))))
except Exception as error:
    numpy.savez(got_file, error=str(error)[-300:])
"""


def in_2023(jobs, folder):
    """`jobs`: (xml, feeds). The rows of the outputs of each, by number, from the oldest runtime that must read our IR; or what it says, as `error`."""
    found = []
    for number, (xml, feeds) in enumerate(jobs):
        feeds_file, got_file = (os.path.join(folder, f"{what}{number}.npz") for what in ("feeds", "got"))
        np.savez(feeds_file, **feeds)
        environments.run(environments.OLDEST, IN_2023, xml, feeds_file, got_file)
        found.append(dict(np.load(got_file)))
    return found
