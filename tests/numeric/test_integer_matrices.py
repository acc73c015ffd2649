"""Integer weights of a product, dequantised in every form that shapes allow: `mo --verify` warns of those that the runtime spoils and of no other,
and none is left in what is converted."""
import itertools
import json
import subprocess

import numpy as np
import openvino as ov
import openvino.opset13 as ops
import pytest

import judge
import kept_results
from test_runtime_forms import OPEN, Pairs

ROWS, COLUMNS, GROUPS = 64, 48, 4
PART = ROWS // GROUPS
RANDOM = np.random.default_rng(1)
with open(__file__, encoding="utf-8") as file:
    HERE = file.read()

# The shape of the integers, of the Reshape behind them, and whether the product sums over the last axis.
LAYOUTS = {
    "rows, columns": ((ROWS, COLUMNS), None, False),
    "columns, rows": ((COLUMNS, ROWS), None, True),
    "one column": ((ROWS, 1), None, False),
    "groups, rows, columns": ((GROUPS, PART, COLUMNS), (ROWS, COLUMNS), False),
    "columns, groups, rows": ((COLUMNS, GROUPS, PART), (COLUMNS, ROWS), True),
    "one column of groups": ((GROUPS, PART, 1), (ROWS, 1), False),
    "a batch of one": ((1, ROWS, COLUMNS), (ROWS, COLUMNS), False),
    "a batch of one, columns first": ((1, COLUMNS, ROWS), (COLUMNS, ROWS), True),
    "groups of columns": ((ROWS, 2, COLUMNS // 2), (ROWS, COLUMNS), False),
    "groups of columns first": ((2, COLUMNS // 2, ROWS), (COLUMNS, ROWS), True),
    "flat": ((ROWS * COLUMNS // 16, 16), (ROWS, COLUMNS), False),
    "three axes": ((2, ROWS, COLUMNS), None, False),
    "two axes to three": ((ROWS, COLUMNS), (1, ROWS, COLUMNS), False),
    "three axes to three": ((GROUPS, PART, COLUMNS), (1, ROWS, COLUMNS), False),
    "four axes": ((1, 1, ROWS, COLUMNS), None, False),
}


def shapes_of_numbers(shape):
    """Every shape of as many axes that broadcasts to `shape`, and that of one number."""
    return [()] + list(dict.fromkeys(itertools.product(*((1, n) for n in shape))))


def forms():
    for name, (shape, result, transposed) in LAYOUTS.items():
        every = shapes_of_numbers(shape)
        for scale in every:
            # All pairs for matrices, for other ranks those that meet each shape.
            zeros = every if len(shape) < 4 and len(every) <= 9 else [scale]
            for zero in [None, *zeros]:
                yield name, shape, scale, zero, result, transposed


FORMS = list(forms())


def numbers(shape, scale, zero):
    integers = RANDOM.integers(-100, 100, shape).astype(np.int8)
    factors = (np.abs(RANDOM.standard_normal(scale)) * 0.01 + 0.005).astype(np.float32)
    return integers, factors, None if zero is None else RANDOM.integers(-9, 9, zero).astype(np.float32)


def input_for(shape, result):
    # One row: the fast form for few rows is the one that is wrong.
    rank = max(2, len(result or shape))
    lead = {2: (1,), 3: (1, 1), 4: (1, 1, 1)}[rank]
    return RANDOM.standard_normal(lead + (ROWS,)).astype(np.float32)


def runtime_says(compile_and_run, want):
    try:
        got = compile_and_run()
    except RuntimeError:
        return "does not compile"
    return "right" if got.shape == want.shape and np.allclose(got, want, rtol=1e-3, atol=1e-2) else "wrong"


def test_the_verifier_warns_of_what_the_runtime_spoils(tmp_path):
    said = {}
    for i, (_, shape, scale, zero, result, transposed) in enumerate(FORMS):
        integers, factors, shift = numbers(shape, scale, zero)
        x = input_for(shape, result)
        given = ops.parameter(list(x.shape), ov.Type.f32, "x")
        whole, real = ops.convert(ops.constant(integers), "f32"), integers.astype(np.float32)
        if shift is not None:
            whole, real = ops.subtract(whole, ops.constant(shift)), real - shift
        # Who writes the scale first means the same.
        whole, real = ops.multiply(*([whole, ops.constant(factors)] if i % 3 else [ops.constant(factors), whole])), real * factors
        if result:
            whole, real = ops.reshape(whole, ops.constant(np.array(result)), False), real.reshape(result)
        matrix = np.swapaxes(real, -1, -2) if transposed else real
        if transposed and i % 2:
            whole, transposed = ops.transpose(whole, ops.constant(np.array([1, 0]))), False
        model = ov.Model([ops.matmul(given, whole, False, transposed)], [given])
        path = str(tmp_path / f"{i:04}.xml")
        ov.save_model(model, path, compress_to_fp16=False)
        want = x @ matrix
        # Kept by what makes it, this file included: names in an IR that the runtime writes differ from run to run.
        made = [{"x": x, "want": want, "integers": integers, "factors": factors, "shift": np.array(() if shift is None else shift)}]
        said[path] = kept_results.results(f"form {i}: {FORMS[i]}", f"{judge.IN_FLOATS} {HERE}", made, lambda: runtime_says(lambda: judge.compiled_for_cpu(model)([x])[0], want))
    run = subprocess.run([judge.MO, "--verify", str(tmp_path), "--json"], capture_output=True, text=True)
    assert run.returncode == 0
    verdicts = {v["model"]: v for v in map(json.loads, run.stdout.splitlines())}
    assert len(verdicts) == len(FORMS)
    has_fast_form = said[list(said)[FORMS.index(("rows, columns", (ROWS, COLUMNS), (ROWS, 1), None, None, False))]] == "wrong"
    wrong = []
    for path, (name, shape, scale, zero, *_) in zip(said, FORMS):
        messages = verdicts[path]["messages"]
        assert all(m["code"] == "MO5013" and m["severity"] == "warning" for m in messages)
        warned = "right" if not messages else "does not compile" if "does not compile" in messages[0]["text"] else "wrong"
        # Processors without the fast form compute the others rightly, too.
        if warned != said[path] and (said[path] != "right" or has_fast_form):
            wrong.append(f"{name}, scale {scale}, zero {zero}: {said[path]}, and the verifier says {warned}")
    assert not wrong, "\n".join(wrong)
    assert {"right", "does not compile"} <= set(said.values())


@OPEN
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_converted_is_right(tmp_path, layout, open_sizes):
    pairs = Pairs(open_sizes)
    shape, result, transposed = LAYOUTS[layout]
    for axis, has_zero, kind in itertools.product([None, *range(len(shape))], (False, True), (np.int8, np.uint8)):
        integers = pairs.constant(RANDOM.integers(*((-100, 100) if kind == np.int8 else (0, 200)), shape).astype(kind))
        count = () if axis is None else (shape[axis],)
        inputs = [integers, pairs.constant((np.abs(RANDOM.standard_normal(count)) * 0.01 + 0.005).astype(np.float32))]
        if has_zero:
            inputs.append(pairs.constant(RANDOM.integers(0, 9, count).astype(kind)))
        whole = pairs.node("DequantizeLinear", inputs, axis=axis or 0)
        if result:
            whole = pairs.node("Reshape", [whole, pairs.constant(np.array(result))])
        if transposed:
            whole = pairs.node("Transpose", [whole], perm=[1, 0])
        product = pairs.node("MatMul", [pairs.input(input_for(shape, result)), whole])
        pairs.output(product, f"axis {axis}, zero points {has_zero}, {np.dtype(kind)}")
    # Where weights stay narrow, the runtime quantises the other operand on the way.
    pairs.check(tmp_path, 0.02)
