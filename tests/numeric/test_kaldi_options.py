"""Options for networks of Kaldi: priors, the last softmax, states as inputs and outputs, cuts, and what OpenVINO 2023.3 makes of the IR."""
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import judge
import kaldi_judge

sys.path.insert(0, os.path.join(judge.ROOT, "tests"))
from kaldi import files, networks  # noqa: E402
from kaldi.files import Component  # noqa: E402
from kaldi.networks import chains  # noqa: E402
from kaldi.networks.build import Network3  # noqa: E402
from kaldi.reference import simple, utterance  # noqa: E402

LARGEST = np.sqrt(np.finfo(np.float32).max)


def written(network, folder, binary=True):
    path = os.path.join(folder, "model.mdl" if network.transition else "model" + networks.ENDINGS[network.generation])
    with open(path, "wb") as file:
        file.write(files.to_bytes(network, binary))
    return path


def of_case(name):
    return networks.CASES[name].network()


def nnet3(seed, last):
    """A layer and, if there is a `last`, that behind it."""
    net = Network3(seed, 4)
    below = net.node("affine", "Append(Offset(input, -1), input, Offset(input, 1))", net.affine(6, 12))
    if last:
        below = net.node("last", below, Component(last, Dim=6))
    return net.output(below).made()


def nnet2(seed, last):
    network = chains.tanh_network2(seed)
    network.components[-1:] = [Component(last, Dim=6)] if last else []
    return network


ENDS = {"nnet1": (chains.dnn1, "Softmax"), "nnet2": (nnet2, "SoftmaxComponent"), "nnet2_log": (nnet2, "LogSoftmaxComponent"), "nnet3": (nnet3, "SoftmaxComponent"),
        "nnet3_log": (nnet3, "LogSoftmaxComponent")}


def log_priors(counts):
    """PdfPrior: a pdf that hardly occurs never wins."""
    frequencies = counts / counts.sum()
    return np.where(frequencies < 1e-10, LARGEST, np.log(frequencies + 1e-20))


def rows_of(network, folder, *options, binary=True):
    """Of the IR, and of the network as the reference has it."""
    judged = utterance.Judged(network)
    running = kaldi_judge.Running(kaldi_judge.convert(written(network, folder, binary), folder, *options))
    feeds = kaldi_judge.feeds_of(judged, 4, kaldi_judge.FRAMES, True)
    return running.utterance(feeds, kaldi_judge.names_of_outputs(judged, running))[0], feeds


@pytest.mark.parametrize("name", ENDS)
def test_last_softmax_is_removed(name, tmp_path):
    make, last = ENDS[name]
    found, feeds = rows_of(make("ends", last), tmp_path, "--remove_output_softmax")
    kaldi_judge.compare(name, found, utterance.Judged(make("ends", None)).outputs(feeds)["output"], kaldi_judge.FRAMES)


@pytest.mark.parametrize("name", [name for name in ENDS])
def test_a_softmax_that_is_not_last_stays(name, tmp_path):
    """Nor is a network without one changed."""
    network = ENDS[name][0]("ends", None)
    found, feeds = rows_of(network, tmp_path, "--remove_output_softmax")
    kaldi_judge.compare(name, found, utterance.Judged(network).outputs(feeds)["output"], kaldi_judge.FRAMES)


@pytest.mark.parametrize("binary", [False, True], ids=["text", "binary"])
@pytest.mark.parametrize("removed", [False, True], ids=["softmax", "removed"])
@pytest.mark.parametrize("last", [True, False], ids=["", "affine"])
@pytest.mark.parametrize("name", ENDS)
def test_priors(name, last, removed, binary, tmp_path):
    """Subtracted from the last layer: before a softmax, after a logarithmic one, which then is not last any more, and stays, as with the original."""
    make, kind = ENDS[name]
    if not last:
        kind = None
    counts = np.array([40, 3, 700, 0, 25, 1], np.float32)
    with open(tmp_path / "counts", "wb") as file:
        file.write(files.counts_to_bytes(counts, binary))
    found, feeds = rows_of(make("ends", kind), tmp_path, "--counts", str(tmp_path / "counts"), *(["--remove_output_softmax"] if removed else []))
    wanted = utterance.Judged(make("ends", None)).outputs(feeds)["output"]
    if kind and "Log" in kind:
        wanted = np.array([simple.log_softmax(row) for row in wanted])
    wanted = wanted - log_priors(counts)
    if kind and "Log" not in kind and not removed:
        wanted = np.array([simple.softmax(row) for row in wanted])
        assert np.nanmax(found[~np.isnan(wanted).any(1)][:, 3]) < 1e-15
    else:
        assert (found[~np.isnan(wanted).any(1)][:, 3] < -LARGEST / 2).all()
    others = [0, 1, 2, 4, 5]
    kaldi_judge.compare(name, found[:, others], wanted[:, others], kaldi_judge.FRAMES)


class Remembering:
    """An IR without states: what an output for a variable gives is fed to the inputs for it in the next call."""

    def __init__(self, xml):
        self.running = kaldi_judge.Running(xml)
        model = self.running.model
        assert not model.get_sinks() and "ReadValue" not in {op.get_type_name() for op in model.get_ops()}
        self.inputs = {port.get_any_name(): re.fullmatch(r"Parameter_\d+_for_(.*)", port.get_any_name()) for port in model.inputs}
        self.inputs = {name: found[1] for name, found in self.inputs.items() if found}
        self.outputs = {name[len("Result_for_"):]: name for port in model.outputs for name in port.get_names() if name.startswith("Result_for_")}

    def utterance(self, feeds, names):
        import openvino
        request, found = self.running.request, []
        assert {*self.inputs.values()} == {*self.outputs}
        ports = {name: kaldi_judge.port_of(request.model_inputs, name) for name in self.inputs}
        state = {name: np.zeros(port.get_shape(), port.get_element_type().to_dtype()) for name, port in ports.items()}
        for at in range(len(next(iter(feeds.values())))):
            for name, value in state.items():
                request.set_tensor(ports[name], openvino.Tensor(value))
            self.running.call({name: rows[at] for name, rows in feeds.items()})
            found.append(request.get_tensor(kaldi_judge.port_of(request.model_outputs, *names)).data[0].copy())
            state = {name: request.get_tensor(kaldi_judge.port_of(request.model_outputs, self.outputs[variable])).data.copy() for name, variable in self.inputs.items()}
        return np.array(found)


@pytest.mark.parametrize("name", ["nnet1/splice", "nnet1/network_lstm", "nnet1/network_spliced_lstm", "nnet2/network_pnorm", "architecture/tdnn", "architecture/fast_lstmp",
                                  "architecture/tdnn_lstm", "architecture/cnn_tdnn", "architecture/pgru", "architecture/xvector", "descriptor/round", "descriptor/switch",
                                  "descriptor/failover_past", "nnet3/statistics", "nnet3/attention"])
def test_memory_is_removed(name, tmp_path):
    network = of_case(name)
    judged = utterance.Judged(network, of_case(name).generation == "nnet3" and ["output"] or None)
    if "output-xent" in "".join(network.lines):
        network.lines = [line for line in network.lines if "output-node name=output-xent" not in line]
        judged = utterance.Judged(network)
    remembering = Remembering(kaldi_judge.convert(written(network, tmp_path), tmp_path, "--remove_memory"))
    feeds = kaldi_judge.feeds_of(judged, 7, kaldi_judge.FRAMES, not judged.accumulates)
    own = [port for port in remembering.running.model.outputs if not any(one.startswith("Result_for_") for one in port.get_names())]
    assert len(own) == 1
    wanted = judged.so_far(feeds) if judged.accumulates else judged.outputs(feeds)
    kaldi_judge.compare(name, remembering.utterance(feeds, own[0].get_names()), wanted["output"], 12)


# What is cut, at which nodes, and how many variables are left: those of other branches go.
CUTS = [
    ("architecture/xvector", ["tdnn6.affine"]),
    ("architecture/xvector", ["tdnn2.batchnorm"]),
    ("architecture/chain_tdnnf", ["prefinal-l"]),
    ("architecture/chain_tdnnf", ["output.affine"]),
    ("architecture/chain_tdnnf", ["tdnnf3.noop", "output.affine"]),
    ("architecture/tdnn_lstm", ["tdnn2.renorm"]),
    ("architecture/tdnn_lstm", ["lstm1.r"]),
    ("architecture/tdnn", ["tdnn3.affine"]),
    ("architecture/cnn_tdnn", ["cnn2.conv"]),
]


@pytest.mark.parametrize("name, outputs", CUTS, ids=[f"{name}-{'-'.join(outputs)}" for name, outputs in CUTS])
def test_cut(name, outputs, tmp_path):
    network = of_case(name)
    xml = kaldi_judge.convert(written(network, tmp_path), tmp_path, "--output", ",".join(outputs))
    judged = utterance.Judged(network, outputs)
    assert kaldi_judge.contexts_of(xml) == (judged.left, judged.delay)
    running = kaldi_judge.Running(xml)
    present = {name for port in running.model.inputs for name in port.get_names()}
    judged.inputs = {name: size for name, size in judged.inputs.items() if name in present}
    feeds = kaldi_judge.feeds_of(judged, 8, kaldi_judge.FRAMES, not judged.accumulates)
    wanted = judged.so_far(feeds) if judged.accumulates else judged.outputs(feeds)
    found = running.utterance(feeds, [(output,) for output in outputs] if len(outputs) > 1 else [sorted(running.model.outputs[0].get_names())])
    for output, rows in zip(outputs, found):
        kaldi_judge.compare(output, rows, wanted[output], 12)


def variables(xml):
    return len(kaldi_judge.Running(xml).model.get_variables())


def test_cut_branches_leave_no_variables(tmp_path):
    """The recurrent layers and the delays behind a cut are gone."""
    network = of_case("architecture/tdnn_lstm")
    path = written(network, tmp_path)
    whole, cut = (variables(kaldi_judge.convert(path, tmp_path, *options)) for options in ((), ("--output", "tdnn1.renorm")))
    assert 1 == cut < whole


def test_folder_of_vosk(tmp_path):
    """Its network is am/final.mdl, or final.mdl."""
    network = of_case("architecture/tdnn")
    for place in ("am", "."):
        folder = tmp_path / f"vosk-{len(place)}{place == '.'}"
        (folder / place).mkdir(parents=True)
        for other in ("graph", "conf", "ivector"):
            (folder / other).mkdir()
        (folder / "conf" / "model.conf").write_text("--min-active=200\n")
        with open(folder / place / "final.mdl", "wb") as file:
            file.write(files.to_bytes(network))
        out = tmp_path / f"out{place == '.'}"
        judge_run = subprocess.run([judge.MO, "--input_model", str(folder), "--model_name", "model", "--output_dir", str(out)], capture_output=True, text=True, timeout=600)
        assert judge_run.returncode == 0, judge_run.stderr
        kaldi_judge.check(network, str(out / "model.xml"))


IN_2023 = ["nnet1/splice_gaps", "nnet1/network_lstm", "nnet2/network_pnorm", "nnet3/tdnn", "nnet3/attention", "nnet3/statistics", "descriptor/append_input", "descriptor/round_appended",
           "descriptor/switch_of_three", "descriptor/failover_past", "architecture/chain_tdnnf", "architecture/tdnn_lstm", "architecture/cnn_tdnn", "architecture/opgru_norm", "architecture/xvector"]


def test_in_the_oldest_runtime(tmp_path):
    jobs, judges = [], []
    for name in IN_2023:
        folder = tmp_path / name.replace("/", "_")
        folder.mkdir()
        judged = utterance.Judged(of_case(name))
        feeds = kaldi_judge.feeds_of(judged, 9, 12, not judged.accumulates)
        jobs.append((kaldi_judge.convert(written(judged.network, folder), folder), feeds))
        judges.append(judged)
    failed = []
    for name, judged, (_, feeds), found in zip(IN_2023, judges, jobs, kaldi_judge.in_2023(jobs, str(tmp_path))):
        wanted = judged.so_far(feeds) if judged.accumulates else judged.outputs(feeds)
        for number, output in enumerate(judged.output_names):
            try:
                assert "error" not in found, f"{name}: {found['error']}"
                kaldi_judge.compare(f"{name} {output}", found[str(number)], wanted[output], 5)
            except AssertionError as error:
                failed.append(str(error))
    assert not failed, "\n".join(failed)


