"""Attentions of the domain com.microsoft against ONNX Runtime with its optimiser off: masks of every form, queries from which all keys are hidden,
windows, caches, known and unknown sizes."""
import subprocess

import numpy as np
import pytest

import judge
from test_attention import INF, LOWEST, attended, in_onnxruntime, judged, layers, save

BATCH, HEADS, LENGTH, SIZE = 2, 2, 4, 8


def i32(*numbers):
    return np.array(numbers, np.int32)


def raw(*shape, seed=0, hidden=True):
    """1 for keys, 0 for padding; with `hidden`, the last query has only padding."""
    mask = (np.random.default_rng(seed).random(shape) < 0.6).astype(np.int32)
    if hidden:
        mask.reshape(-1, shape[-1])[-1] = 0
    return mask


def biased(*shape, hidden=None):
    """Numbers for the scores; queries 1 are hidden by the number `hidden`, query 0 sees only key 1."""
    bias = np.random.default_rng(7).standard_normal(shape).astype(np.float32)
    if hidden is not None:
        bias[:, :, 1] = hidden
        bias[:, :, :, 0] = hidden
    return bias


# name: mask and more, for T keys, of which P are past
MASKS = {
    "none": lambda T, P: {},
    "ends": lambda T, P: dict(m=i32(T, T - 2)),
    "ends_none": lambda T, P: dict(m=i32(T, 0)),
    "packed": lambda T, P: dict(m=i32(T, 1, 0, LENGTH, 2 * LENGTH, 0, T, 2 * T)),
    "keys": lambda T, P: dict(m=raw(BATCH, T)),
    "keys_none": lambda T, P: dict(m=raw(BATCH, T, hidden=False) * i32([1], [0])),
    "each_query": lambda T, P: dict(m=raw(BATCH, LENGTH, T)),
    "added": lambda T, P: dict(a=biased(BATCH, HEADS, LENGTH, T)),
    "keys_added": lambda T, P: dict(m=raw(BATCH, T), a=biased(BATCH, HEADS, LENGTH, T)),
    "added_lowest": lambda T, P: dict(a=biased(BATCH, HEADS, LENGTH, T, hidden=LOWEST)),
    "added_inf": lambda T, P: dict(a=biased(BATCH, HEADS, LENGTH, T, hidden=-INF)),
}
FUSED_MASKS = {
    "starts": lambda T, P: dict(m=i32(T, T - 1, 2, 0)),
    "starts_none": lambda T, P: dict(m=i32(T, 1, 0, 3)),
    "one_number": lambda T, P: dict(m=i32([1], [0])),
}


def cases():
    """(operator, mask, filter, past, causal, known). A mask of one number is that of no key if its length is known."""
    for op, masks in {"Attention": {**MASKS, **FUSED_MASKS}, "MultiHeadAttention": MASKS}.items():
        for name in masks:
            for past in (0, 3):
                if op == "Attention" and past and "added" in name:
                    continue  # ONNX Runtime does not take both
                for causal in (0, 1):
                    for known, filter in (True, -10000.0), (False, -10000.0), (name == "one_number", LOWEST):
                        if filter == LOWEST and name in ("none", "added"):
                            continue  # no number is the filter
                        words = (op, name, "low" if filter == LOWEST else "usual", "past" if past else "first", "causal" if causal else "all",
                                 "known" if known else "unknown")
                        yield pytest.param(op, name, filter, past, causal, known, id="-".join(words))


@pytest.mark.parametrize("op,name,filter,past,causal,known", list(cases()))
def test_masks(tmp_path, op, name, filter, past, causal, known):
    random = np.random.default_rng(11)
    make = lambda *shape: random.standard_normal(shape).astype(np.float32)  # noqa: E731
    total, width = LENGTH + past, HEADS * SIZE
    given = {"m": None, "a": None, **{**MASKS, **FUSED_MASKS}[name](total, past)}
    path = str(tmp_path / "m.onnx")
    more = dict(num_heads=HEADS, unidirectional=causal, mask_filter_value=filter)
    if op == "Attention":
        inputs = {"q": make(BATCH, LENGTH, 16), "w": make(16, 3 * width) / 4, "b": make(3 * width), "m": given["m"],
                  "c": make(2, BATCH, HEADS, past, SIZE) if past else None, "a": given["a"]}
        outputs, constants = ["y", "present"] if past else ["y"], ["w", "b"]
    else:
        inputs = {"q": make(BATCH, LENGTH, width), "k": make(BATCH, LENGTH, width), "v": make(BATCH, LENGTH, width), "b": None, "m": given["m"],
                  "a": given["a"], **{n: make(BATCH, HEADS, past, SIZE) if past else None for n in "cd"}}
        outputs, constants = ["y", "present_k", "present_v"] if past else ["y"], []
    feeds = save(path, op, "com.microsoft", 17, inputs, outputs, known, constants, **more)
    want = in_onnxruntime(path, feeds)
    assert want is not None
    # -10000 is added to scores in f32, whose last bits are lost then
    judged(path, tmp_path, feeds, want, 1e-4 if filter == LOWEST or name in ("none", "added") else 1e-3, runtime=False)


@pytest.mark.parametrize("unknown", ["q", "m"])
@pytest.mark.parametrize("name", ["ends", "starts", "packed"])
def test_masks_of_numbers(tmp_path, name, unknown):
    """Either the batch or the length of the mask is known."""
    random = np.random.default_rng(11)
    width = HEADS * SIZE
    inputs = {"q": random.standard_normal((BATCH, LENGTH, 16), np.float32), "w": random.standard_normal((16, 3 * width), np.float32) / 4,
              "b": random.standard_normal(3 * width, np.float32), **{**MASKS, **FUSED_MASKS}[name](LENGTH, 0)}
    path = str(tmp_path / "m.onnx")
    feeds = save(path, "Attention", "com.microsoft", 17, inputs, ["y"], [n for n in inputs if n != unknown], ["w", "b"], num_heads=HEADS)
    want = in_onnxruntime(path, feeds)
    judged(path, tmp_path, feeds, want, 1e-3, runtime=False)


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("past", [0, 3])
def test_mask_of_longest(tmp_path, past, known):
    """ONNX Runtime has it for other devices only."""
    random = np.random.default_rng(11)
    make = lambda *shape: random.standard_normal(shape).astype(np.float32)  # noqa: E731
    width = HEADS * SIZE
    inputs = {"q": make(BATCH, LENGTH, 16), "w": make(16, 3 * width) / 4, "b": make(3 * width), "m": raw(BATCH, 1, 9, 9),
              "c": make(2, BATCH, HEADS, past, SIZE) if past else None}
    path = str(tmp_path / "m.onnx")
    feeds = save(path, "Attention", "com.microsoft", 17, inputs, ["y", "present"] if past else ["y"], known, ["w", "b"], num_heads=HEADS)
    q, k, v = (x.reshape(BATCH, LENGTH, HEADS, SIZE).transpose(0, 2, 1, 3) for x in np.split(inputs["q"] @ inputs["w"] + inputs["b"], 3, 2))
    if past:
        k, v = (np.concatenate([inputs["c"][i], x], 2) for i, x in enumerate((k, v)))
    rows = inputs["m"][:, :, past:past + LENGTH, :past + LENGTH]
    y = attended(q, k, v, np.where(rows > 0, 0, -10000))[0]
    judged(path, tmp_path, feeds, {"y": y.transpose(0, 2, 1, 3).reshape(BATCH, LENGTH, width)}, 1e-3)


def refused(folder, model):
    run = subprocess.run([judge.MO, model, "--output_dir", str(folder)], capture_output=True, text=True)
    assert run.returncode != 0
    return run.stderr


def test_mask_of_another_batch(tmp_path):
    inputs = {"q": np.zeros((3, 4, 16), np.float32), "w": np.zeros((16, 48), np.float32), "b": np.zeros(48, np.float32), "m": i32(1, 2, 3, 4)}
    save(str(tmp_path / "m.onnx"), "Attention", "com.microsoft", 17, inputs, ["y"], True, ["w", "b"], num_heads=2)
    message = refused(tmp_path, str(tmp_path / "m.onnx"))
    assert "MO2004" in message and "a mask [4] for a batch of 3" in message


# name: queries, past, numbers of keys less 1, attributes, and what is added
GROUPS = {
    "padded": (4, None, (3, 1), {}, None),
    "padded_window": (6, None, (3, 1), dict(local_window_size=2), None),
    "padded_window_1": (6, None, (3, 0), dict(local_window_size=1), None),
    "window_softcap": (6, None, (5, 5), dict(local_window_size=2, softcap=2.0), None),
    "next_window": (1, 5, (5, 5), dict(local_window_size=2), None),
    "added": (4, None, (3, 3), {}, biased(BATCH, 1, 4, 4)),
    "added_inf": (4, None, (3, 3), {}, biased(BATCH, 1, 4, 4, hidden=-INF)),
    "added_lowest": (4, None, (3, 3), {}, biased(BATCH, 1, 4, 4, hidden=LOWEST)),
    "added_inf_padded_window": (6, None, (3, 1), dict(local_window_size=2), biased(BATCH, 1, 6, 6, hidden=-INF)),
    "added_inf_softcap": (4, None, (3, 3), dict(softcap=2.0), biased(BATCH, 1, 4, 4, hidden=-INF)),
}


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("name", GROUPS)
def test_group_query_attention(tmp_path, name, known):
    queries, past, lengths, more, added = GROUPS[name]
    random = np.random.default_rng(11)
    make = lambda *shape: random.standard_normal(shape).astype(np.float32)  # noqa: E731
    total = queries + (past or 0)
    inputs = {"q": make(BATCH, queries, 4 * SIZE), "k": make(BATCH, queries, 2 * SIZE), "v": make(BATCH, queries, 2 * SIZE),
              **{n: make(BATCH, 2, past, SIZE) if past else None for n in "cd"}, "l": i32(*lengths), "total": np.array(total, np.int32),
              "cos": None, "sin": None, "positions": None, "a": added}
    path = str(tmp_path / "m.onnx")
    feeds = save(path, "GroupQueryAttention", "com.microsoft", 17, inputs, ["y", "present_k", "present_v"], known, ["total"], num_heads=4, kv_num_heads=2,
                 **more)
    want = in_onnxruntime(path, feeds)
    assert want is not None
    judged(path, tmp_path, feeds, want, runtime=False)
