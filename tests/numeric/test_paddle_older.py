"""Operators of PaddlePaddle 1.x that the version with which cases are recorded does not have, or does not run: lstmp, lstm_unit, prroi_pool, the
recurrent of StaticRNN. NumPy is the reference."""
import os
import subprocess
import sys

import numpy as np
import pytest

import judge

sys.path.append(os.path.join(judge.ROOT, "tests", "paddle"))
import program as wire  # noqa: E402
import small  # noqa: E402

RNG = np.random.default_rng(3)


def computed(folder, content, parameters, feeds):
    path = small.write(folder, content, parameters)
    subprocess.run([judge.MO, "--input_model", path, "--output_dir", str(folder), "--compress_to_fp16=False"], check=True, capture_output=True)
    compiled = judge.compiled_for_cpu(judge.core().read_model(os.path.join(folder, "model.xml")))
    found = compiled([next(feeds[name] for name in feeds if name in port.get_names()) for port in compiled.inputs])
    return [found[at] for at in range(len(compiled.outputs))]


def results(folder, kind, feeds, parameters, outputs, attrs, lod=()):
    """Of one operator; feeds and parameters by slot. Those in `lod` are sequences."""
    inputs = [small.var(slot, [-1, *array.shape[1:]] if slot in lod else array.shape, array.dtype.name, lod=int(slot in lod)) for slot, array in feeds.items()]
    made = [small.var("out_" + slot, [-1, -1]) for slot in outputs]
    node = small.op(kind, {slot: slot for slot in (*feeds, *parameters)}, {slot: "out_" + slot for slot in outputs}, **attrs)
    return computed(folder, small.fed(inputs, ["out_" + slot for slot in outputs], [node], made, parameters=parameters), parameters, feeds)


def close(got, want):
    for one, other in zip(got, want, strict=True):
        assert one.shape == other.shape
        assert np.abs(one - other).max() <= 1e-4 * max(1, np.abs(other).max())


def draw(*shape):
    return RNG.uniform(-1, 1, shape).astype(np.float32)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@pytest.mark.parametrize("peepholes,reverse,clip,activation", [(True, False, 0.0, "tanh"), (False, True, 0.1, "identity"), (True, False, 0.0, "identity")])
def test_lstmp(tmp_path, peepholes, reverse, clip, activation):
    """Gates c i f o; the projection is what the next step sees."""
    time, size, out = 5, 3, 2
    x, w, p, bias = draw(time, 4 * size), draw(out, 4 * size), draw(size, out), draw(1, (7 if peepholes else 4) * size)
    h, c, hidden, cells = np.zeros((1, out)), np.zeros((1, size)), np.zeros((time, out)), np.zeros((time, size))
    for step in range(time)[::-1] if reverse else range(time):
        g, i, f, o = np.split(x[step] + bias[:, :4 * size] + h @ w, 4, 1)
        checks = np.split(bias[:, 4 * size:], 3, 1) if peepholes else [0, 0, 0]
        i, f = sigmoid(i + c * checks[0]), sigmoid(f + c * checks[1])
        c = f * c + i * np.tanh(g)
        if clip:
            c = np.clip(c, -clip, clip)
        h = sigmoid(o + c * checks[2]) * np.tanh(c) @ p
        h = np.tanh(h) if activation == "tanh" else h
        if clip:
            h = np.clip(h, -clip, clip)
        hidden[step], cells[step] = h, c
    got = results(tmp_path, "lstmp", {"Input": x}, {"Weight": w, "ProjWeight": p, "Bias": bias}, ["Projection", "Cell"],
                  {"use_peepholes": peepholes, "is_reverse": reverse, "cell_clip": clip, "proj_clip": clip, "proj_activation": activation}, lod=["Input"])
    close(got, [hidden, cells])


@pytest.mark.parametrize("bias", [0.0, 0.5])
def test_lstm_unit(tmp_path, bias):
    """Gates i f o c."""
    x, c = draw(2, 12), draw(2, 3)
    i, f, o, g = np.split(x, 4, 1)
    cell = sigmoid(f + bias) * c + sigmoid(i) * np.tanh(g)
    close(results(tmp_path, "lstm_unit", {"X": x, "C_prev": c}, {}, ["C", "H"], {"forget_bias": bias}), [cell, sigmoid(o) * np.tanh(cell)])


def test_prroi_pool(tmp_path):
    """The interpolated map summed at many points of each bin."""
    x, numbers = draw(2, 3, 8, 9), np.array([1, 2], np.int64)
    boxes = np.array([[1, 2, 11, 13], [0, 0, 17, 15], [5.5, 3.25, 9, 6]], np.float32)
    rows, columns, points, scale = 3, 2, 64, 0.5
    want = np.zeros((3, 3, rows, columns))

    def weights(begin, end, bins, size):
        step = (end - begin) / bins
        places = begin + (np.arange(bins * points) + 0.5) * step / points
        return np.maximum(1 - np.abs(places[:, None] - np.arange(size)), 0).reshape(bins, points, size).mean(1)
    for at, (left, top, right, bottom) in enumerate(boxes * scale):
        want[at] = weights(top, bottom, rows, 8) @ x[0 if at == 0 else 1] @ weights(left, right, columns, 9).T
    got = results(tmp_path, "prroi_pool", {"X": x, "ROIs": boxes, "BatchRoINums": numbers}, {}, ["Out"], {"pooled_height": rows, "pooled_width": columns, "spatial_scale": scale})
    assert np.abs(got[0] - want).max() < 2e-3


@pytest.mark.parametrize("reverse", [False, True])
def test_static_rnn(tmp_path, reverse):
    """Its block reads a row of x under x's name, and the state of the last step as `before`; `after` is that of this step."""
    x, first, bias = draw(5, 2, 3), draw(2, 3), draw(3)
    inner = [small.op("elementwise_add", {"X": "x", "Y": "bias"}, {"Out": "sum"}), small.op("elementwise_sub", {"X": "sum", "Y": "before"}, {"Out": "rest"}), small.op("tanh", {"X": "rest"}, {"Out": "state"}),
             small.op("rnn_memory_helper", {"X": "state"}, {"Out": "after"}), small.op("elementwise_mul", {"X": "after", "Y": "sum"}, {"Out": "out"})]
    made = [small.var(name, [2, 3]) for name in ("x", "before", "sum", "rest", "state", "after", "out")]
    loop = small.op("recurrent", {"inputs": "x", "initial_states": "first", "parameters": "bias"}, {"outputs": "out", "step_scopes": "scopes"}, ex_states=["before"], states=["after"], reverse=reverse, has_states=True,
                    sub_block=small.Block(1))
    content = small.fed([small.var("x", [-1, 2, 3]), small.var("first", [2, 3])], ["y"], [loop, small.op("exp", {"X": "out"}, {"Out": "y"})],
                            [small.var("out", [-1, 2, 3]), small.var("y", [-1, 2, 3]), small.var("scopes", kind=11)], [(0, made, inner)], {"bias": bias})
    want, state = np.zeros_like(x), first
    for step in range(5)[::-1] if reverse else range(5):
        state = np.tanh(x[step] + bias - state)
        want[step] = np.exp(state * (x[step] + bias))
    close(computed(tmp_path, content, {"bias": bias}, {"x": x, "first": first}), [want])


@pytest.mark.parametrize("kind", ["shrink_rnn_memory", "reorder_lod_tensor_by_rank", "lod_rank_table"])
def test_one_sequence_stays(tmp_path, kind):
    x = draw(3, 2)
    close(results(tmp_path, kind, {"X": x}, {}, ["Out"], {}), [x])


def test_merged_rows(tmp_path):
    mask, yes, no = np.array([[True], [False], [True]]), draw(2, 2), draw(1, 2)
    got = results(tmp_path, "merge_lod_tensor_infer", {"Mask": mask, "InTrue": yes, "InFalse": no}, {}, ["Out"], {"level": 0})
    close(got, [np.stack([yes[0], no[0], yes[1]])])


def test_select_output_and_a_block(tmp_path):
    """Both outputs have the value; a conditional_block_infer writes over one; delete_var leaves no trace."""
    x, on = draw(2, 3), np.array([True])
    ops = [small.op("cast", {"X": "on"}, {"Out": "mask"}, in_dtype=0, out_dtype=2), small.op("select_output", {"X": "x", "Mask": "mask"}, {"Out": ["one", "other"]}), small.op("exp", {"X": "other"}, {"Out": "y"}),
           small.op("conditional_block_infer", {"Cond": "on", "Input": "x"}, {"Out": "y", "Scope": "scopes"}, sub_block=small.Block(1), is_scalar_condition=True), small.op("delete_var", {"X": "one"}, {})]
    made = [small.var(name, [2, 3]) for name in ("one", "other", "y")] + [small.var("mask", [1], "int32"), small.var("scopes", kind=11)]
    content = small.fed([small.var("x", [2, 3]), small.var("on", [1], "bool")], ["y"], ops, made, [(0, [], [small.op("tanh", {"X": "x"}, {"Out": "y"})])])
    for on in (True, False):
        close(computed(tmp_path, content, None, {"x": x, "on": np.array([on])}), [np.tanh(x) if on else np.exp(x)])


def conditional(block, out, on="on", reads="x"):
    return small.op("conditional_block", {"Cond": on, "Input": reads}, {"Out": out, "Scope": "scopes"}, sub_block=small.Block(block), is_scalar_condition=True)


@pytest.mark.parametrize("old", [True, False], ids=["kept", "new"])
def test_a_block_in_a_block_that_writes_a_new_variable(tmp_path, old):
    """The outer block writes `a`, which has a value before, or not, and `b`, which has none; the inner one writes `a` again."""
    x = draw(2, 3)
    made = [small.var(name, [2, 3]) for name in ("a", "b", "y")] + [small.var("scopes", kind=11)]
    outer = [small.op("exp", {"X": "x"}, {"Out": "a"}), conditional(2, "a", "inner"), small.op("tanh", {"X": "x"}, {"Out": "b"})]
    ops = [*([small.op("relu", {"X": "x"}, {"Out": "a"})] if old else []), conditional(1, ["a", "b"]), small.op("elementwise_sub", {"X": "a", "Y": "b"}, {"Out": "y"}, axis=-1)]
    ends = [small.var("x", [2, 3]), small.var("on", [1], "bool"), small.var("inner", [1], "bool")]
    content = small.fed(ends, ["y"], ops, made, [(0, [], outer), (1, [], [small.op("sigmoid", {"X": "x"}, {"Out": "a"})])])
    for inner in (True, False):
        [got] = computed(tmp_path, content, None, {"x": x, "on": np.array([True]), "inner": np.array([inner])})
        close([got], [(sigmoid(x) if inner else np.exp(x)) - np.tanh(x)])


def test_a_block_in_a_block_that_writes_the_same_new_variable(tmp_path):
    """`y` has no value before the inner of two blocks writes it."""
    x = draw(2, 3)
    ends = [small.var("x", [2, 3]), small.var("on", [1], "bool")]
    content = small.fed(ends, ["y"], [conditional(1, "y")], [small.var("y", [2, 3]), small.var("scopes", kind=11)], [(0, [], [conditional(2, "y")]), (1, [], [small.op("tanh", {"X": "x"}, {"Out": "y"})])])
    [got] = computed(tmp_path, content, None, {"x": x, "on": np.array([True])})
    close([got], [np.tanh(x)])


def test_what_is_seldom_written(tmp_path):
    x, counts = draw(2, 6), np.array([2, 0, 1, 3, 1, 1], np.int64)
    for at, (kind, feeds, out, attrs, want) in enumerate([
            ("share_data", {"X": x}, "Out", {}, x), ("view_shape", {"input": x}, "out", {"dims": [3, 4]}, x.reshape(3, 4)),
            ("repeat_interleave_with_tensor_index", {"X": x, "RepeatsTensor": counts}, "Out", {"dim": 1}, np.repeat(x, counts, 1))]):
        folder = tmp_path / str(at)
        folder.mkdir()
        close(results(folder, kind, feeds, {}, [out], attrs), [want])


def test_gaussian_random_batch_size_like(tmp_path):
    """The mean and the deviation of many numbers, and the first size of the other tensor."""
    [got] = results(tmp_path, "gaussian_random_batch_size_like", {"Input": draw(7, 2)}, {}, ["Out"], {"shape": [-1, 5000], "mean": 3.0, "std": 2.0, "dtype": 5})
    assert got.shape == (7, 5000) and abs(got.mean() - 3) < 0.1 and abs(got.std() - 2) < 0.1


@pytest.mark.parametrize("first,last,dropped", [(0, 2, []), (1, 3, []), (2, 3, [0])])
def test_slice_of_a_list(tmp_path, first, last, dropped):
    """A part of a list of tensors is a list, an element is a tensor."""
    items = [draw(2, 3) for _ in range(3)]
    feeds = {f"x{at}": item for at, item in enumerate(items)}
    lists = [small.var(name, [2, 3], kind=wire.ARRAY) for name in (["list"] if dropped else ["list", "part"])]
    made = [*lists, small.var("y", [-1, -1]), *(small.var(f"i{at}", [1], "int64") for at in range(3)), small.var("sizes", [-1], "int32")]
    ops = []
    for at in range(3):
        ops += [small.op("fill_constant", {}, {"Out": f"i{at}"}, shape=[1], dtype=wire.TYPES["int64"], value=float(at)),
                small.op("write_to_array", {"X": f"x{at}", "I": f"i{at}"}, {"Out": "list"})]
    ops.append(small.op("slice", {"Input": "list"}, {"Out": "y" if dropped else "part"}, axes=[0], starts=[first], ends=[last], decrease_axis=dropped))
    if not dropped:
        ops.append(small.op("tensor_array_to_tensor", {"X": "part"}, {"Out": "y", "OutIndex": "sizes"}, axis=0, use_stack=False))
    content = small.fed([small.var(name, [2, 3], "float32") for name in feeds], ["y"], ops, made)
    close(computed(tmp_path, content, None, feeds), [items[first] if dropped else np.concatenate(items[first:last])])


@pytest.mark.parametrize("largest_second", [True, False])
@pytest.mark.parametrize("step,offset", [(9.0, 0.25), (0.0, 0.5), (0.0, 0.25)])
def test_prior_box(tmp_path, step, offset, largest_second):
    """Written as IR's PriorBox, but where it has an offset and no step."""
    least, most, ratios = [8.0, 16.0], [12.0, 20.0], [1.0, 2.0, 0.5, 3.0, 1 / 3]
    widths = []
    for small_side, large_side in zip(least, most):
        largest = [((small_side * large_side) ** 0.5,) * 2]
        others = [(small_side * ratio ** 0.5, small_side / ratio ** 0.5) for ratio in ratios]
        widths += others[:1] + largest * largest_second + others[1:] + largest * (not largest_second)
    rows, columns, height, width = 3, 4, 33, 47
    steps = (step, step) if step else (width / columns, height / rows)
    boxes = np.zeros((rows, columns, len(widths), 4))
    for row, column, at in np.ndindex(boxes.shape[:3]):
        x, y, half = (column + offset) * steps[0], (row + offset) * steps[1], np.array(widths[at]) / 2
        boxes[row, column, at] = [(x - half[0]) / width, (y - half[1]) / height, (x + half[0]) / width, (y + half[1]) / height]
    attrs = {"min_sizes": least, "max_sizes": most, "aspect_ratios": [1.0, 2.0, 3.0], "variances": [0.1, 0.1, 0.2, 0.3], "flip": True, "clip": False,
             "step_w": step, "step_h": step, "offset": offset, "min_max_aspect_ratios_order": largest_second}
    got = results(tmp_path, "prior_box", {"Input": draw(1, 2, rows, columns), "Image": draw(1, 3, height, width)}, {}, ["Boxes", "Variances"], attrs)
    close(got, [boxes, np.broadcast_to(np.float64([0.1, 0.1, 0.2, 0.3]), boxes.shape)])
