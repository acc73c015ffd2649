"""Networks of Kaldi in time, against windows and sums that one can compute by hand: states, delays, counters and contexts."""
import os

import numpy as np
import pytest

import judge
import kaldi_judge


def convert(folder, lines, components=(), *options):
    """A text of nnet3 with an input of 2 numbers. `components`: names and what is in them; all other ones pass frames on, and are named p and their size."""
    written = dict(components)
    for line in lines:
        for word in line.split():
            name = word.partition("component=")[2]
            if name and name not in written:
                written[name] = f"<NoOpComponent> <Dim> {name[1:]} <BackpropScale> 1 </NoOpComponent>"
    body = "".join(f"<ComponentName> {name} {text} \n" for name, text in written.items())
    path = os.path.join(folder, "model.raw")
    with open(path, "w") as file:
        file.write("<Nnet3> \n" + "".join(line + "\n" for line in ["input-node name=input dim=2", *lines]) + f"\n<NumComponents> {len(written)} \n{body}</Nnet3> \n")
    return judge.convert(path, folder, *options)


def contexts(model):
    return [int(model.get_rt_info(["kaldi", name]).astype(str)) for name in ("left_context", "right_context")]


def frames(count, seed=0):
    return np.random.default_rng(seed).standard_normal((count, 2)).astype(np.float32)


def run(xml, rows, twice=True):
    """What comes out in each call; the same again after a reset."""
    running = kaldi_judge.Running(xml)
    name = next(iter(running.model.outputs[0].get_names()))
    found = running.utterance({"input": rows}, [[name]])[0]
    if twice:
        running.reset()
        np.testing.assert_array_equal(running.utterance({"input": rows}, [[name]])[0], found)
    return running.model, found


def test_a_window_with_gaps(tmp_path):
    xml = convert(tmp_path, ["component-node name=a component=p6 input=Append(Offset(input, -2), input, Offset(input, 1))", "output-node name=output input=a"])
    rows = frames(20)
    model, found = run(xml, rows)
    assert contexts(model) == [2, 1]
    for call in range(3, 20):
        t = call - 1
        np.testing.assert_array_equal(found[call], np.concatenate([rows[t - 2], rows[t], rows[t + 1]]))


def test_the_order_of_append_stays(tmp_path):
    xml = convert(tmp_path, ["component-node name=a component=p6 input=Append(input, Offset(input, -1), Offset(input, 1))", "output-node name=output input=a"])
    rows = frames(12)
    _, found = run(xml, rows)
    for call in range(2, 12):
        np.testing.assert_array_equal(found[call], np.concatenate([rows[call - 1], rows[call - 2], rows[call]]))


@pytest.mark.parametrize("frames_ago", [1, 2, 300])
def test_a_delay(tmp_path, frames_ago):
    xml = convert(tmp_path, [f"component-node name=a component=p4 input=Append(input, Offset(input, -{frames_ago}))", "output-node name=output input=a"])
    rows = frames(frames_ago + 8)
    model, found = run(xml, rows)
    assert contexts(model) == [frames_ago, 0]
    np.testing.assert_array_equal(found[frames_ago:], np.concatenate([rows[frames_ago:], rows[:8]], 1))


@pytest.mark.parametrize("step", [1, 3])
def test_a_sum_begins_with_the_first_frame(tmp_path, step):
    """Rubbish from before the window is full does not get into the sum."""
    xml = convert(tmp_path, [
        "component-node name=w component=p2 input=Sum(Offset(input, -3), Offset(input, 2))",
        f"component-node name=s component=p2 input=Sum(w, IfDefined(Offset(s, -{step})))",
        "output-node name=output input=s"])
    rows = frames(40)
    model, found = run(xml, rows)
    assert contexts(model) == [3, 2]
    window = rows[:-5].astype(np.float64) + rows[5:]
    for i in range(len(window)):
        np.testing.assert_allclose(found[i + 5], window[i % step:i + 1:step].sum(0), 1e-4, 1e-5)


def test_what_is_computed_from_a_default_is_so_from_the_beginning(tmp_path):
    """A bias behind IfDefined is no zero before the first frame."""
    xml = convert(tmp_path, [
        "component-node name=c component=bias input=IfDefined(Offset(input, -3))",
        "component-node name=d component=p4 input=Append(c, Offset(input, 2))",
        "output-node name=output input=d"], {"bias": "<FixedBiasComponent> <Bias> [ 1 2 ] </FixedBiasComponent>"})
    rows = frames(16)
    model, found = run(xml, rows)
    assert contexts(model) == [0, 2]
    for call in range(2, 16):
        t = call - 2
        np.testing.assert_allclose(found[call], np.concatenate([(rows[t - 3] if t >= 3 else 0) + np.array([1, 2], np.float32), rows[call]]), 1e-6)


def test_failover(tmp_path):
    xml = convert(tmp_path, ["component-node name=a component=p2 input=Failover(Offset(input, -4), Scale(-1, input))", "output-node name=output input=a"])
    rows = frames(12)
    model, found = run(xml, rows)
    assert contexts(model) == [0, 0]
    np.testing.assert_array_equal(found, np.concatenate([-rows[:4], rows[:-4]]))


def test_counters_of_long_utterances(tmp_path):
    xml = convert(tmp_path, [
        "component-node name=a component=p6 input=Append(Round(input, 7), Switch(input, Offset(input, -1), Offset(input, 1)), ReplaceIndex(Offset(input, 1), t, 1))",
        "output-node name=output input=a"])
    rows = frames(1500)
    model, found = run(xml, rows, False)
    left, right = contexts(model)
    for call in range(left + right, 1500):
        t = call - left - right
        at = lambda time: rows[time + left]  # noqa: E731
        np.testing.assert_array_equal(found[call], np.concatenate([at(t - t % 7), at(t + [0, -1, 1][t % 3]), at(2)]))


def test_states_of_all_outputs_that_are_cut_are_gone(tmp_path):
    lines = ["component-node name=a component=p2 input=input", "component-node name=s component=p2 input=Sum(Offset(a, 5), IfDefined(Offset(s, -1)))",
             "output-node name=output input=s"]
    xml = convert(tmp_path, lines, (), "--output", "a")
    model, found = run(xml, frames(4))
    assert contexts(model) == [0, 0] and not model.get_variables()
    np.testing.assert_array_equal(found, frames(4))


def test_memory_that_is_removed_is_fed_back(tmp_path):
    lines = ["component-node name=s component=p2 input=Sum(input, IfDefined(Offset(s, -2)))", "output-node name=output input=s"]
    xml = convert(tmp_path, lines, (), "--remove_memory")
    running = kaldi_judge.Running(xml)
    assert not running.model.get_variables()
    inputs = [name for port in running.model.inputs for name in port.get_names() if "_for_" in name]
    assert sorted(inputs) == ["Parameter_0_for_s", "Parameter_1_for_s"]
    rows, state = frames(10), np.zeros(4, np.float32)
    for call, row in enumerate(rows):
        running.call({"input": row, **{name: state for name in inputs}})
        found = {name: running.request.get_tensor(port).data[0].copy() for port in running.request.model_outputs for name in port.get_names()}
        state = found["Result_for_s"]
        np.testing.assert_allclose(found["output"], rows[call % 2:call + 1:2].sum(0), 1e-5, 1e-6)
