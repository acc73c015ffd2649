"""Attention in all its forms: masks of every kind, queries from which all keys are hidden, lengths, caches, known and unknown sizes.

The right numbers are those of attended() below, which has the definition of ONNX in a few lines, with 0 for a query without keys. Where ONNX
Runtime takes the model, with its optimiser off, it must agree with them.
"""
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import onnx
import pytest
from onnx import helper

import judge

LOWEST = float(np.finfo(np.float32).min)
BATCH, HEADS, QUERIES, KEYS, SIZE = 2, 2, 3, 5, 8


def softmax(scores):
    with np.errstate(invalid="ignore"):
        e = np.exp(scores - scores.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)


def attended(q, k, v, bias, softcap=0.0, scale=None):
    """Result, scores, scores with the cap, scores with the mask, weights. `bias` is added; -inf hides a key."""
    repeats = q.shape[1] // k.shape[1]
    k, v = (np.repeat(x, repeats, 1).astype(np.float64) for x in (k, v))
    scores = q.astype(np.float64) @ np.swapaxes(k, 2, 3) * (scale or q.shape[3] ** -0.5)
    capped = softcap * np.tanh(scores / softcap) if softcap else scores
    masked = (capped + bias).astype(np.float32)
    weights = np.where(np.isneginf(masked).all(-1, keepdims=True), 0, softmax(masked))
    return weights @ v, scores, capped, masked, weights


def hides(keep):
    return np.where(keep, 0, -np.inf)


def save(path, op, domain, opset, inputs, outputs, known, constants=(), **attributes):
    """`known`: all sizes are, or those of the named inputs. Others are unknown but for those of heads: the last axis, and axis 1 of rank 4."""
    names = [n if a is not None else "" for n, a in inputs.items()]
    while not names[-1]:
        names.pop()
    node = helper.make_node(op, names, outputs, domain=domain, **attributes)

    def value(name, array):
        def fixed(axis):
            return known is True or (known and name in known) or (array.dtype == np.float32 and name[0] != "m" and (axis == array.ndim - 1 or (array.ndim == 4 and axis == 1)))
        return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype),
                                             [d if fixed(i) else f"{name}{i}" for i, d in enumerate(array.shape)])

    fed = {n: a for n, a in inputs.items() if a is not None and n not in constants}
    graph = helper.make_graph([node], "attention", [value(n, a) for n, a in fed.items()],
                              [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(inputs["q"].dtype), None) for n in outputs if n],
                              [onnx.numpy_helper.from_array(inputs[n], n) for n in constants])
    opsets = {"": opset, **({domain: 1} if domain else {})}
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid(d, v) for d, v in opsets.items()], ir_version=10), path)
    return fed


def in_onnxruntime(path, feeds):
    """None if it does not take the model."""
    try:
        return judge.in_onnxruntime(path, feeds, optimise=False)
    except Exception as error:  # its exceptions have no common class
        assert "onnxruntime" in type(error).__module__, error
        return None


def close(got, want, tolerance):
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def judged(path, folder, feeds, want, tolerance=1e-4, runtime=True):
    """Converts and compares; gives the .xml. `runtime`: whether ONNX Runtime has to agree where it takes the model."""
    theirs = in_onnxruntime(path, feeds) if runtime else None
    for name, array in (theirs or {}).items():
        close(np.where(array <= LOWEST, -np.inf, array), want[name], tolerance)
    xml = judge.convert(path, folder)
    got = judge.in_openvino(xml, feeds)
    for name, array in want.items():
        assert got[name].shape == array.shape
        close(got[name], array, tolerance)
    return xml


def layers(xml):
    return [layer.get("type") for layer in ET.parse(xml).iter("layer")]


def mask_of(shape, kind, hidden, seed=0):
    """A mask in which each row sees a key, except the last one if `hidden`. `kind`: bool, a type, or the number for what is hidden."""
    random = np.random.default_rng(seed)
    keep = random.random(shape) < 0.6
    keep[..., 0] = True
    if hidden:
        keep.reshape(-1, shape[-1])[-1] = False
    if kind == "bool":
        return keep
    if kind == "any":
        return random.standard_normal(shape).astype(np.float32)
    number, dtype = kind if isinstance(kind, tuple) else (kind, np.float32)
    return np.where(keep, np.round(random.standard_normal(shape), 2) if number != 1 else 0, number).astype(dtype)


INF = -np.inf
WHOLE = (BATCH, HEADS, QUERIES, KEYS)
# name: what differs from an attention of 4 dimensions without a mask
FORMS = {
    "plain": {},
    "heads_shared": dict(q_heads=4),
    "one_head_of_keys": dict(q_heads=4, heads=1),
    "values_longer": dict(v_size=12),
    "values_shorter": dict(v_size=3),
    "one_query": dict(queries=1, mask=mask_of((1, KEYS), "bool", False)),
    "rank_3": dict(rank=3),
    "rank_3_shared": dict(rank=3, q_heads=4, v_size=6),
    "scale": dict(scale=0.3),
    "softcap": dict(softcap=2.0),
    "causal": dict(is_causal=1),
    "causal_more_queries": dict(is_causal=1, queries=7),
    "causal_past": dict(is_causal=1, past=2),
    "past": dict(past=2),
    "past_rank_3": dict(past=2, rank=3, q_heads=4),
    **{f"bool_{len(shape)}_{i}": dict(mask=mask_of(shape, "bool", True))
       for i, shape in enumerate([(QUERIES, KEYS), (HEADS, QUERIES, KEYS), (1, QUERIES, KEYS), WHOLE, (BATCH, 1, QUERIES, KEYS), (1, 1, QUERIES, KEYS),
                                  (BATCH, 1, 1, KEYS), (1, KEYS), (KEYS,)])},
    **{f"inf_{len(shape)}_{i}": dict(mask=mask_of(shape, INF, True))
       for i, shape in enumerate([(QUERIES, KEYS), (1, QUERIES, KEYS), WHOLE, (BATCH, 1, QUERIES, KEYS), (BATCH, 1, 1, KEYS), (KEYS,)])},
    "lowest": dict(mask=mask_of((BATCH, 1, QUERIES, KEYS), LOWEST, True), runtime=False),
    "-1e9": dict(mask=mask_of((BATCH, 1, QUERIES, KEYS), -1e9, True)),
    "numbers": dict(mask=mask_of(WHOLE, "any", False)),
    "f16_mask": dict(mask=mask_of((BATCH, 1, QUERIES, KEYS), (INF, np.float16), True), runtime=False),
    "f64_mask": dict(mask=mask_of((BATCH, 1, QUERIES, KEYS), (-9, np.float64), False), runtime=False),
    "i32_mask": dict(mask=mask_of((QUERIES, KEYS), (-9, np.int32), False)),
    "u8_mask": dict(mask=mask_of((QUERIES, KEYS), (1, np.uint8), False)),
    "bool_hides_all": dict(mask=np.zeros((QUERIES, KEYS), bool)),
    "bool_causal": dict(mask=~mask_of((QUERIES, KEYS), "bool", False), is_causal=1),
    "inf_causal": dict(mask=hides(~mask_of((QUERIES, KEYS), "bool", False)).astype(np.float32), is_causal=1),
    "lowest_causal": dict(mask=mask_of((QUERIES, KEYS), LOWEST, True), is_causal=1, runtime=False),
    "bool_past": dict(mask=mask_of((QUERIES, KEYS + 2), "bool", True), past=2),
    "bool_causal_past": dict(mask=mask_of((QUERIES, KEYS + 2), "bool", True), past=2, is_causal=1),
    "inf_causal_past": dict(mask=mask_of((BATCH, 1, QUERIES, KEYS + 2), INF, True), past=2, is_causal=1),
    "bool_short": dict(mask=mask_of((QUERIES, KEYS - 1), "bool", True)),
    "bool_of_one_key": dict(mask=mask_of((QUERIES, 1), "bool", True)),
    "float_short": dict(mask=mask_of((BATCH, 1, QUERIES, KEYS - 2), INF, True)),
    "short_causal": dict(mask=mask_of((QUERIES, KEYS - 1), "bool", True), is_causal=1),
    "short_past": dict(mask=mask_of((QUERIES, KEYS), INF, True), past=2),
    "bool_rank_3_shared": dict(mask=mask_of((BATCH, 1, QUERIES, KEYS), "bool", True), rank=3, q_heads=4),
    "bool_softcap": dict(mask=mask_of((QUERIES, KEYS), "bool", True), softcap=2.0),
    "inf_softcap_scale": dict(mask=mask_of((QUERIES, KEYS), INF, True), softcap=2.0, scale=0.5),
    "bool_precise": dict(mask=mask_of((QUERIES, KEYS), "bool", True), softmax_precision=11),
    **{f"scores_{mode}": dict(mask=mask_of((QUERIES, KEYS), kind, True), softcap=softcap, qk_matmul_output_mode=mode, scores=True)
       for mode, kind, softcap in [(0, "bool", 0.0), (1, INF, 2.0), (2, INF, 2.0), (3, "bool", 0.0)]},
    "scores_3_shared": dict(mask=mask_of((BATCH, 1, QUERIES, KEYS), INF, True), q_heads=4, rank=3, qk_matmul_output_mode=3, scores=True),
    **{f"lengths_{n}": dict(lengths=lengths) for n, lengths in {"some": (3, KEYS), "none": (0, 4)}.items()},
    **{f"lengths_causal_{n}": dict(lengths=lengths, is_causal=1) for n, lengths in {"some": (4, KEYS), "all": (KEYS, KEYS), "few": (1, 2), "none": (0, 3)}.items()},
    "lengths_causal_shared": dict(lengths=(2, 4), is_causal=1, q_heads=4, rank=3),
    "lengths_causal_one_query": dict(lengths=(1, 4), is_causal=1, queries=1),
    "lengths_causal_more_queries": dict(lengths=(3, KEYS), is_causal=1, queries=7),
    "lengths_bool": dict(lengths=(2, 4), mask=mask_of((BATCH, 1, QUERIES, KEYS), "bool", True)),
    "lengths_bool_causal": dict(lengths=(2, 4), mask=mask_of((BATCH, 1, QUERIES, KEYS), "bool", True), is_causal=1),
    "lengths_inf_causal": dict(lengths=(3, KEYS), mask=mask_of((BATCH, 1, QUERIES, KEYS), INF, True), is_causal=1),
    "lengths_short": dict(lengths=(2, 4), mask=mask_of((BATCH, 1, QUERIES, KEYS - 1), "bool", True)),
    "lengths_softcap_causal": dict(lengths=(1, 4), is_causal=1, softcap=3.0),
    "lengths_scores_3": dict(lengths=(1, 4), is_causal=1, qk_matmul_output_mode=3, scores=True),
}


def case_of(form):
    """Inputs, the right outputs, attributes."""
    form = dict(form)
    heads = form.pop("heads", HEADS)
    q_heads, queries, rank, past = form.pop("q_heads", heads), form.pop("queries", QUERIES), form.pop("rank", 4), form.pop("past", 0)
    mask, lengths, v_size, scores = form.pop("mask", None), form.pop("lengths", None), form.pop("v_size", SIZE), form.pop("scores", False)
    random = np.random.default_rng(3)
    make = lambda *shape: random.standard_normal(shape).astype(np.float32)  # noqa: E731
    q, k, v = make(BATCH, q_heads, queries, SIZE), make(BATCH, heads, KEYS, SIZE), make(BATCH, heads, KEYS, v_size)
    before = {"c": make(BATCH, heads, past, SIZE), "d": make(BATCH, heads, past, v_size)} if past else {"c": None, "d": None}
    all_k, all_v = (np.concatenate([before[n], x], 2) if past else x for n, x in (("c", k), ("d", v)))
    total = KEYS + past

    bias = np.zeros((1, 1, queries, total))
    if mask is not None:
        whole = np.full(mask.shape[:-1] + (total,), -np.inf)
        whole[..., : mask.shape[-1]] = hides(mask) if mask.dtype == bool else mask
        bias = bias + whole
    place = np.arange(queries)[:, None] + past
    if lengths is not None:
        valid = np.array(lengths)[:, None, None, None]
        bias = bias + hides(np.arange(total) < valid)
        place = place + valid - queries
    if form.get("is_causal"):
        bias = bias + hides(np.arange(total) <= place)
    y, *steps = attended(q, all_k, all_v, bias, form.get("softcap", 0.0), form.get("scale"))
    joined = lambda x: x.transpose(0, 2, 1, 3).reshape(BATCH, x.shape[2], -1) if rank == 3 else x  # noqa: E731
    want = {"y": joined(y)}
    if past:
        want.update(present_k=all_k, present_v=all_v)
    if scores:
        want["scores"] = steps[form["qk_matmul_output_mode"]]
    if rank == 3:
        form.update(q_num_heads=q_heads, kv_num_heads=heads)
    inputs = {"q": joined(q), "k": joined(k), "v": joined(v), "m": mask, **before, "l": np.array(lengths) if lengths is not None else None}
    return inputs, want, form


def outputs_of(want):
    names = ["y", "present_k", "present_v", "scores"]
    names = [n if n in want else "" for n in names]
    while not names[-1]:
        names.pop()
    return names


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("name", FORMS)
def test_attention(tmp_path, name, known):
    inputs, want, attributes = case_of(FORMS[name])
    agrees = attributes.pop("runtime", True)
    path = str(tmp_path / "m.onnx")
    feeds = save(path, "Attention", "", 24 if inputs["l"] is not None else 23, inputs, outputs_of(want), known, **attributes)
    judged(path, tmp_path, feeds, want, runtime=agrees)


LOWER = np.tri(QUERIES, KEYS, dtype=bool)
# Masks of which the graph shows that each query sees a key need nothing behind the attention. name: (inputs, constants, statements giving m,
# whether a Select follows)
MASKS = {
    "bool_constant": ("", {"m": LOWER}, "", False),
    "bool_constant_hides": ("", {"m": LOWER & (np.arange(QUERIES) != 1)[:, None]}, "", True),
    "inf_constant": ("", {"m": hides(LOWER)}, "", False),
    "inf_constant_hides": ("", {"m": hides(LOWER & (np.arange(QUERIES) != 1)[:, None])}, "", True),
    "finite_constant": ("", {"m": [[0, -1e4, LOWEST, 1, 2]] * QUERIES}, "", False),
    "bool_given": ("bool[3,5] m", {}, "", True),
    "float_given": ("float[3,5] m", {}, "", True),
    "lowest_where": ("bool[3,5] c", {"z": 0, "l": LOWEST}, "m = Where(c, z, l)", False),
    "inf_where": ("bool[3,5] c", {"z": 0, "l": -np.inf}, "m = Where(c, z, l)", True),
    "lowest_product": ("bool[3,5] c", {"one": 1, "l": LOWEST}, "f = Cast<to=1>(c) d = Sub(one, f) m = Mul(d, l)", False),
    "too_low_product": ("float[3,5] c", {"one": 1, "l": -1e3}, "d = Sub(one, c) m = Mul(d, l)", True),
    "moved": ("bool[5] c", {"z": 0, "l": -1e9, "s": np.array([3, 5]), "a": np.array([0])}, "w = Where(c, z, l) u = Unsqueeze(w, a) m = Expand(u, s)", False),
    "added": ("float[3,5] c", {"l": -1e9}, "m = Add(c, l)", True),
}


def parsed(path, inputs, constants, statements, opset, output="float[] y"):
    """A model in text; constants that are no arrays are f32. Gives the inputs that are fed: masks hide all keys from the last query."""
    text = f'<ir_version: 10, opset_import: ["": {opset}]> g ({inputs}) => ({output}) {{ {statements} }}'
    model = onnx.parser.parse_model(text)
    model.graph.output[0].type.tensor_type.ClearField("shape")
    for name, value in constants.items():
        array = value if isinstance(value, np.ndarray) and value.dtype != np.float64 else np.array(value, np.float32)
        model.graph.initializer.append(onnx.numpy_helper.from_array(array, name))
    onnx.save(model, path)
    random = np.random.default_rng(2)
    feeds = {}
    for value in model.graph.input:
        shape = [d.dim_value or {"N": BATCH, "L": QUERIES, "S": KEYS}[d.dim_param] for d in value.type.tensor_type.shape.dim]
        boolean = value.type.tensor_type.elem_type == onnx.TensorProto.BOOL
        feeds[value.name] = mask_of(shape, "bool", True) if boolean else random.standard_normal(shape).astype(np.float32)
    return feeds


def followed_by_select(xml):
    root = ET.parse(xml).getroot()
    types = {layer.get("id"): layer.get("type") for layer in root.iter("layer")}
    return any(types[edge.get("from-layer")] == "ScaledDotProductAttention" and types[edge.get("to-layer")] == "Select" for edge in root.iter("edge"))


@pytest.mark.parametrize("name", MASKS)
def test_open_masks(tmp_path, name):
    given, constants, statements, selects = MASKS[name]
    inputs = ", ".join(filter(None, ["float[2,2,3,8] q, float[2,2,5,8] k, float[2,2,5,8] v", given]))
    path = str(tmp_path / "m.onnx")
    feeds = parsed(path, inputs, constants, statements + " y = Attention(q, k, v, m)", 23)
    want = in_onnxruntime(path, feeds)
    # ONNX Runtime has 0 for a sum of only the lowest number, which the definition does not
    xml = judged(path, tmp_path, feeds, want, runtime=False) if "lowest" not in name else judge.convert(path, tmp_path)
    assert followed_by_select(xml) == selects


# Attention in single operations: the runtime's operation for all of them gives the same, also where all keys are hidden from a query: NaN for
# -inf, the mean for a finite number. name: (inputs, statements giving the scores s, their mask a)
SPELLED = {
    "plain": ("float[2,2,3,8] q, float[2,2,8,5] t, float[2,2,5,8] v", "[2,1,3,5]"),
    "one_row": ("float[2,2,3,8] q, float[2,2,8,5] t, float[2,2,5,8] v", "[2,1,1,5]"),
    "shared": ("float[2,2,3,8] q, float[2,2,8,5] t, float[2,2,5,8] v", "[3,5]"),
    "rank_3": ("float[2,3,8] q, float[2,8,5] t, float[2,5,8] v", "[2,3,5]"),
    "unknown_columns": ("float[2,2,3,8] q, float[2,2,8,5] t, float[2,2,5,8] v", "[2,1,1,S]"),
    "unknown_columns_shared": ("float[N,2,3,8] q, float[N,2,8,5] t, float[N,2,5,8] v", "[1,S]"),
    "unknown": ("float[N,2,L,8] q, float[N,2,8,S] t, float[N,2,S,8] v", "[N,1,L,S]"),
    "unknown_one_row": ("float[N,2,L,8] q, float[N,2,8,S] t, float[N,2,S,8] v", "[N,1,1,S]"),
    "unknown_rank_3": ("float[N,L,8] q, float[N,8,S] t, float[N,S,8] v", "[N,L,S]"),
}


@pytest.mark.parametrize("hidden", [-np.inf, LOWEST, -1e9, -1e4])
@pytest.mark.parametrize("name", SPELLED)
def test_fused_attention(tmp_path, name, hidden):
    inputs, shape = SPELLED[name]
    path = str(tmp_path / "m.onnx")
    feeds = parsed(path, f"{inputs}, bool{shape} c", {"d": 8 ** 0.5, "z": 0, "l": hidden},
                   "p = MatMul(q, t) s = Div(p, d) m = Where(c, z, l) a = Add(s, m) w = Softmax<axis=-1>(a) y = MatMul(w, v)", 17)
    want = in_onnxruntime(path, feeds)
    assert np.isnan(want["y"]).any() == np.isinf(hidden)
    xml = judged(path, tmp_path, feeds, want, 1e-3 if hidden == -1e4 else 1e-4, runtime=False)
    assert "ScaledDotProductAttention" in layers(xml) and not followed_by_select(xml)


@pytest.mark.parametrize("name", ["bool_2_0", "inf_4_2", "bool_causal_past", "lengths_causal_few", "lengths_bool_causal", "bool_rank_3_shared"])
def test_oldest_runtime(tmp_path, name):
    inputs, want, attributes = case_of(FORMS[name])
    path = str(tmp_path / "m.onnx")
    feeds = save(path, "Attention", "", 24 if inputs["l"] is not None else 23, inputs, outputs_of(want), False, **attributes)
    got = judge.in_openvino_2023(judge.convert(path, tmp_path), feeds, tmp_path)
    for output, array in want.items():
        close(got[output], array, 1e-4)


def test_past_with_lengths(tmp_path):
    """Which keys are the queries' own is not defined."""
    inputs, want, attributes = case_of(dict(past=2, is_causal=1))
    save(str(tmp_path / "m.onnx"), "Attention", "", 24, {**inputs, "l": np.array([3, 4])}, ["y"], True, **attributes)
    run = subprocess.run([judge.MO, str(tmp_path / "m.onnx"), "--output_dir", str(tmp_path)], capture_output=True, text=True)
    assert run.returncode != 0 and "MO2004" in run.stderr and "nonpad_kv_seqlen" in run.stderr
