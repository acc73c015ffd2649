"""PIR programs written by hand: values, lists, regions and what is written in place, in the OpenVINO runtime against NumPy."""
import json
import os
import subprocess
import sys

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build/native/mo"))
sys.path.append(os.path.join(ROOT, "tests", "paddle"))
import pir_byhand as pir  # noqa: E402
import small  # noqa: E402
from pir_byhand import Block, listed, tensor  # noqa: E402

X = np.linspace(-2, 3, 6, dtype=np.float32).reshape(2, 3)


def converted(path, *options):
    out = os.path.join(os.path.dirname(path), "out")
    done = subprocess.run([MO, "--input_model", path, "--output_dir", out, "--compress_to_fp16=False", *options], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return os.path.join(out, os.path.splitext(os.path.basename(path))[0] + ".xml")


def computed(path, feeds, *options):
    import openvino
    model = openvino.Core().compile_model(converted(path, *options), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return [np.array(one) for one in model(feeds).values()]


def check(folder, block, feeds, wanted, parameters=None):
    results = computed(pir.write(folder, pir.program(block), parameters), feeds)
    for got, want in zip(results, wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)
        assert got.shape == np.shape(want)


def test_a_network_and_the_same_in_a_program_desc(tmp_path):
    """The same IR but for names."""
    import openvino
    block, parameters = pir.network()
    new = converted(pir.write(tmp_path / "new", pir.program(block), parameters))
    v = small.var
    ops = [small.op("conv2d", {"Input": "x", "Filter": "conv2d_0.w_0"}, {"Output": "a"}, strides=[1, 1], paddings=[1, 1], padding_algorithm="EXPLICIT", dilations=[1, 1], groups=1),
           small.op("reshape2", {"X": "conv2d_0.b_0"}, {"Out": "r"}, shape=[1, -1, 1, 1]), small.op("elementwise_add", {"X": "a", "Y": "r"}, {"Out": "b"}, axis=-1),
           small.op("relu", {"X": "b"}, {"Out": "c"}), small.op("reshape2", {"X": "c"}, {"Out": "d"}, shape=[0, 64]),
           small.op("matmul_v2", {"X": "d", "Y": "linear_0.w_0"}, {"Out": "e"}, trans_x=False, trans_y=False), small.op("softmax", {"X": "e"}, {"Out": "y"}, axis=-1)]
    declared = [v(name, shape=shape) for name, shape in zip("arbcdey", [[2, 4, 4, 4], [1, 4, 1, 1], [2, 4, 4, 4], [2, 4, 4, 4], [2, 64], [2, 5], [2, 5]])]
    (tmp_path / "old").mkdir()
    old = converted(small.write(tmp_path / "old", small.fed([v("x", shape=[2, 3, 4, 4])], ["y"], ops, declared, parameters=parameters), parameters))

    def shape_of(path):
        ops = openvino.Core().read_model(path).get_ordered_ops()
        return [(op.get_type_name(), {key: str(value) for key, value in op.get_attributes().items()}, [str(one.get_partial_shape()) for one in op.outputs()]) for op in ops]
    assert shape_of(new) == shape_of(old)
    weights = [open(path.removesuffix("xml") + "bin", "rb").read() for path in (new, old)]
    assert weights[0] == weights[1]
    feed = np.random.default_rng(2).standard_normal((2, 3, 4, 4), np.float32)
    results = [[np.array(one) for one in openvino.Core().compile_model(path, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})([feed]).values()] for path in (new, old)]
    np.testing.assert_array_equal(results[0], results[1])


def test_names_of_inputs_and_outputs(tmp_path):
    import openvino
    block, parameters = pir.network()
    model = openvino.Core().read_model(converted(pir.write(tmp_path, pir.program(block), parameters)))
    assert [one.get_any_name() for one in model.inputs] == ["x"]
    assert model.outputs[0].get_names() == {"fetch_name_0"}


def test_keys_in_any_order_and_numbers_of_any_kind(tmp_path):
    block, parameters = pir.network()

    def turned(value):
        if isinstance(value, dict):
            return {key: turned(one) for key, one in reversed(list(value.items()))}
        return [turned(one) for one in value] if isinstance(value, list) else value
    content = pir.program(block)
    feed = [np.random.default_rng(2).standard_normal((2, 3, 4, 4), np.float32)]
    want = computed(pir.write(tmp_path / "a", content, parameters), feed)
    np.testing.assert_array_equal(computed(pir.write(tmp_path / "b", turned(content), parameters), feed), want)
    text = json.dumps(content).replace('"0.a_i32", "D": 1}', '"0.a_i64", "D": 1.0}').replace('"0.a_i64", "D": -1}', '"0.a_i64", "D": -1.0}')
    assert "1.0}" in text and "-1.0}" in text
    np.testing.assert_array_equal(computed(pir.write(tmp_path / "c", text, parameters), feed), want)


def test_only_what_is_persistable_is_in_the_file(tmp_path):
    """Names in the order of their bytes; a parameter that is not persistable has no record."""
    values = {"b": np.float32([1, 2, 3]), "a/1": np.float32([10, 20, 30]), "ä": np.float32([5, 5, 6])}
    b = Block()
    ids = [b.parameter(name, value) for name, value in values.items()]
    b.parameter("Z", np.zeros(9, np.float32), persistable=0)
    y = b.data("x", [2, 3])
    for one in ids:
        y = b.op("1.add", [y, one], [tensor([2, 3])])
    b.fetch(y, tensor([2, 3]))
    check(tmp_path, b, [X], [X + sum(values.values())], values)


def test_lists(tmp_path):
    """builtin.combine, split and slice give lists other names."""
    b = Block()
    x = b.data("x", [2, 3])
    parts = b.op("1.split_with_num", [x, b.full(1, "int32")], [listed(*[tensor([2, 1])] * 3)], num=3)
    first, second, third = b.op("0.split", [parts], [tensor([2, 1])] * 3)
    again = b.op("0.slice", [parts], [tensor([2, 1])], index=2)
    some = b.op("0.combine", [third, first, second, again], [listed(*[tensor([2, 1])] * 4)])
    b.fetch(b.op("1.concat", [some, b.full(1, "int32")], [tensor([2, 4])]), tensor([2, 4]))
    check(tmp_path, b, [X], [X[:, [2, 0, 1, 2]]])


def test_an_axis_that_is_fed(tmp_path):
    """An operand that nothing makes a constant of stays one: here the factor of scale."""
    b = Block()
    x, factor = b.data("x", [2, 3]), b.data("factor", [1])
    b.fetch(b.op("1.scale", [x, factor], [tensor([2, 3])], bias=0.5, bias_after_scale=True), tensor([2, 3]))
    check(tmp_path, b, [X, np.float32([3])], [X * 3 + 0.5])


@pytest.mark.parametrize("value, want", [("NaN", np.nan), ("INF", np.inf), ("-INF", -np.inf)])
def test_numbers_that_json_lacks(tmp_path, value, want):
    b = Block()
    x = b.data("x", [2, 3])
    made = b.op("1.full", [], [tensor([1])], shape=pir.ints([1]), value=pir.Raw({"#": "0.a_f64", "VD": value}), dtype=pir.dtype_of("float32"))
    b.fetch(b.op("1.add", [x, made], [tensor([2, 3])]), tensor([2, 3]))
    check(tmp_path, b, [X], [X + np.float32(want)])


def conditional():
    """y = x + 1 if n > 0, or else x * 2 - 1; the second result is the other way round."""
    b = Block()
    x, n = b.data("x", [2, 3]), b.data("n", [1], "int64")
    on = b.op("1.greater_than", [n, b.full(0, "int64")], [tensor([1], "bool")])
    then, other = b.inner(), b.inner()
    one = then.op("1.scale", [x, then.full(1.0)], [tensor([2, 3])], bias=1.0, bias_after_scale=True)
    then.op("2.yield", [one, x])
    two = other.op("1.scale", [x, other.full(2.0)], [tensor([2, 3])], bias=-1.0, bias_after_scale=True)
    other.op("2.yield", [x, two])
    results = b.op("1.if", [on], [tensor([2, 3])] * 2, [then, other])
    for at, one in enumerate(results):
        b.fetch(one, tensor([2, 3]), at)
    return b


@pytest.mark.parametrize("n", [3, 0])
def test_if(tmp_path, n):
    check(tmp_path, conditional(), [X, np.int64([n])], [X + 1, X] if n else [X, X * 2 - 1])


@pytest.mark.parametrize("n", [0, 1, 4])
def test_while(tmp_path, n):
    """Carried values are arguments of the block, and results; outer values are read there."""
    b = Block()
    x, count = b.data("x", [2, 3]), b.data("n", [1], "int64")
    i = b.full(0, "int64")
    on = b.op("1.less_than", [i, count], [tensor([1], "bool")])
    body = b.inner(tensor([1], "int64"), tensor([2, 3]))
    at, y = body.given
    more = body.op("1.add", [y, x], [tensor([2, 3])])
    following = body.op("1.scale", [at, body.full(1.0)], [tensor([1], "int64")], bias=1.0, bias_after_scale=True)
    body.op("2.yield", [body.op("1.less_than", [following, count], [tensor([1], "bool")]), following, more])
    made, y = b.op("1.while", [on, i, x], [tensor([1], "int64"), tensor([2, 3])], [body])
    b.fetch(y, tensor([2, 3]))
    b.fetch(made, tensor([1], "int64"), 1)
    check(tmp_path, b, [X, np.int64([n])], [X * (n + 1), np.int64([n])])


def test_what_a_loop_writes_in_place(tmp_path):
    """A counter of outside that is incremented, and a list: neither is carried."""
    array = tensor([2, 3], kind="1.t_dense_tensor_array")
    b = Block()
    x, i, n = b.data("x", [2, 3]), b.full(0, "int64"), b.full(3, "int64")
    made = b.op("1.create_array", [], [array], dtype=pir.dtype_of("float32"))
    b.op("1.array_write_", [made, x, i], [array])
    on = b.op("1.less_than", [i, n], [tensor([1], "bool")])
    body = b.inner(tensor([2, 3]))
    y = body.op("1.scale", [body.given[0], body.full(2.0)], [tensor([2, 3])], bias=0.0, bias_after_scale=True)
    body.op("1.increment_", [i], [tensor([1], "int64")], value=1.0)
    body.op("1.array_write_", [made, y, i], [array])
    body.op("2.yield", [body.op("1.less_than", [i, n], [tensor([1], "bool")]), y])
    b.op("1.while", [on, x], [tensor([2, 3])], [body])
    joined, _ = b.op("1.array_to_tensor", [made], [tensor([-1, 2, 3]), tensor([-1], "int32")], axis=0, use_stack=True)
    b.fetch(joined, tensor([-1, 2, 3]))
    b.fetch(i, tensor([1], "int64"), 1)
    check(tmp_path, b, [X], [np.stack([X, X * 2, X * 4, X * 8]), np.int64([3])])


def test_in_place_writes_its_operand_again(tmp_path):
    b = Block()
    x = b.data("x", [2, 3])
    y = b.op("1.scale", [x, b.full(2.0)], [tensor([2, 3])], bias=0.0, bias_after_scale=True)
    b.op("1.relu_", [y], [tensor([2, 3])])
    b.fetch(b.op("1.add", [x, y], [tensor([2, 3])]), tensor([2, 3]))
    check(tmp_path, b, [X], [X + np.maximum(X * 2, 0)])


def test_layer_of_python(tmp_path):
    """Its forward region is computed in its place."""
    b = Block()
    x = b.data("x", [2, 3])
    forward = b.inner()
    forward.op("2.yield", [forward.op("1.relu", [x], [tensor([2, 3])])])
    y = b.op("1.pylayer", [x], [tensor([2, 3])], [forward], backward_function_id=-1)
    b.fetch(b.op("1.add", [x, y], [tensor([2, 3])]), tensor([2, 3]))
    check(tmp_path, b, [X], [X + np.maximum(X, 0)])


def test_arguments_with_keys(tmp_path):
    """Copies of arguments in kwargs, as 3.3 writes them, are no second definition."""
    block = Block()
    first, second = block.inner(tensor([2, 3])), block.inner(tensor([2, 3]))
    x = block.data("x", [2, 3])
    del second
    i, n = block.full(0, "int64"), block.full(2, "int64")
    on = block.op("1.less_than", [i, n], [tensor([1], "bool")])
    first.op("1.increment_", [i], [tensor([1], "int64")], value=1.0)
    first.op("2.yield", [first.op("1.less_than", [i, n], [tensor([1], "bool")]), first.op("1.add", [first.given[0], x], [tensor([2, 3])])])
    y = block.op("1.while", [on, x], [tensor([2, 3])], [first])
    block.fetch(y, tensor([2, 3]))
    content = pir.program(block)
    loop = next(op for op in content["program"]["regions"][0]["blocks"][0]["ops"] if op["#"] == "1.while")
    loop["regions"][0]["blocks"][0]["kwargs"] = list(first.arguments)
    np.testing.assert_allclose(computed(pir.write(tmp_path, content), [X]), [X * 3], rtol=1e-6)
