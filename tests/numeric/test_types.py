"""Element types: texts that pass through, narrow floating point, and types that IR does not have."""
import os
import xml.etree.ElementTree as ET

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto as T, helper as h, numpy_helper as nh

import judge

TEXTS = np.array([["a", "bb", ""], ["ccc", "é€", "d"]], object)


def save(folder, nodes, inputs, outputs, constants=(), opset=24):
    ports = lambda rows: [h.make_tensor_value_info(*row) for row in rows]
    graph = h.make_graph(nodes, "types", ports(inputs), ports(outputs), list(constants))
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", opset)], ir_version=11)
    path = os.path.join(str(folder), "m.onnx")
    onnx.save(model, path)
    return path


def i64(name, *values):
    return nh.from_array(np.array(values, np.int64), name)


MOVES = {
    "Identity": ([], {}, lambda x: x), "Reshape": ([3, 2], {}, lambda x: x.reshape(3, 2)), "Gather": ([1, 0], {"axis": 0}, lambda x: x[[1, 0]]),
    "Transpose": (None, {"perm": [1, 0]}, lambda x: x.T), "Unsqueeze": ([0], {}, lambda x: x[None]),
    "Flatten": (None, {"axis": 0}, lambda x: x.reshape(1, 6)), "Concat": ("texts", {"axis": 0}, lambda x: np.concatenate([x, [["q", "", "ü"]]])),
}


@pytest.mark.parametrize("op", MOVES)
def test_texts_pass_through(tmp_path, op):
    import openvino
    second, attributes, move = MOVES[op]
    constants = [i64("s", *second)] if isinstance(second, list) and second else []
    if second == "texts":
        constants = [nh.from_array(np.array([["q", "", "ü"]], object), "s")]
    want = move(TEXTS)
    path = save(tmp_path, [h.make_node(op, ["x"] + [c.name for c in constants], ["y"], **attributes)], [("x", T.STRING, [2, 3])],
                [("y", T.STRING, want.shape)], constants)
    compiled = judge.core().compile_model(judge.convert(path, tmp_path), "CPU")
    request = compiled.create_infer_request()
    request.set_tensor("x", openvino.Tensor(TEXTS.astype(str)))
    request.infer()
    assert request.get_tensor("y").str_data.tolist() == want.tolist()


@pytest.mark.parametrize("option", ["--input", "--freeze_placeholder_with_value"])
def test_an_input_of_texts_is_frozen(tmp_path, option):
    import openvino
    path = save(tmp_path, [h.make_node("Concat", ["a", "b"], ["t"], axis=0), h.make_node("Gather", ["t", "x"], ["y"])],
                [("a", T.STRING, [2]), ("b", T.STRING, ["n"]), ("x", T.INT64, ["k"])], [("y", T.STRING, ["k"])])
    named = "x," if option == "--input" else ""
    compiled = judge.core().compile_model(judge.convert(path, tmp_path, option, f"{named}a->['cat','d, ög'],b->[\"it's\"]"), "CPU")
    assert [port.any_name for port in compiled.inputs] == ["x"]
    request = compiled.create_infer_request()
    request.set_tensor("x", openvino.Tensor(np.array([2, 0, 1])))
    request.infer()
    assert request.get_tensor("y").str_data.tolist() == ["it's", "cat", "d, ög"]


def test_labels(tmp_path):
    """A table of texts, looked up by number."""
    import openvino
    path = save(tmp_path, [h.make_node("Constant", [], ["table"], value_strings=["cat", "", "dög"]), h.make_node("Gather", ["table", "x"], ["y"])],
                [("x", T.INT64, ["n"])], [("y", T.STRING, ["n"])])
    compiled = judge.core().compile_model(judge.convert(path, tmp_path), "CPU")
    request = compiled.create_infer_request()
    request.set_tensor("x", openvino.Tensor(np.array([2, 0, 1, 2])))
    request.infer()
    assert request.get_tensor("y").str_data.tolist() == ["dög", "cat", "", "dög"]


ABSENT = {T.INT2: ml_dtypes.int2, T.FLOAT8E4M3FNUZ: ml_dtypes.float8_e4m3fnuz, T.FLOAT8E5M2FNUZ: ml_dtypes.float8_e5m2fnuz}


def every_number(kind):
    """All the codes of a type but NaN, in a table of four rows."""
    codes = np.arange(4 if kind == T.INT2 else 256, dtype=np.uint8)
    numbers = np.array([-2, -1, 0, 1] * 5, ml_dtypes.int2) if kind == T.INT2 else codes.view(ABSENT[kind])
    numbers = numbers[np.isfinite(numbers.astype(np.float32))]
    return numbers[:len(numbers) // 4 * 4].reshape(4, -1)


@pytest.mark.parametrize("kind", ABSENT)
@pytest.mark.parametrize("read", ["Cast", "DequantizeLinear", "CastLike"])
def test_constants_of_types_that_ir_does_not_have(tmp_path, kind, read):
    numbers = every_number(kind)
    scale = np.array([.5, 2, .25, 3], np.float32)
    constants = [nh.from_array(numbers, "w"), nh.from_array(scale, "scale")]
    node = {"Cast": h.make_node("Cast", ["w"], ["r"], to=T.FLOAT), "CastLike": h.make_node("CastLike", ["w", "x"], ["r"]),
            "DequantizeLinear": h.make_node("DequantizeLinear", ["w", "scale"], ["r"], axis=0)}[read]
    shape = list(numbers.shape)
    path = save(tmp_path, [node, h.make_node("Mul", ["r", "x"], ["y"])], [("x", T.FLOAT, shape)], [("y", T.FLOAT, shape)], constants)
    x = np.random.default_rng(1).standard_normal(shape, dtype=np.float32)
    want = numbers.astype(np.float32) * (scale[:, None] if read == "DequantizeLinear" else 1) * x
    got = judge.in_openvino(judge.convert(path, tmp_path), {"x": x})["y"]
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_quantised_to_int2_on_the_way(tmp_path):
    zero_point = nh.from_array(np.array(-1, ml_dtypes.int2), "z")
    path = save(tmp_path, [h.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]), h.make_node("DequantizeLinear", ["q", "s", "z"], ["y"])],
                [("x", T.FLOAT, [9]), ("s", T.FLOAT, [])], [("y", T.FLOAT, [9])], [zero_point])
    x = np.array([-3, -1.5, -.76, -.2, 0, .3, .74, 1, 5], np.float32)
    got = judge.in_openvino(judge.convert(path, tmp_path), {"x": x, "s": np.array(.5, np.float32)})["y"]
    np.testing.assert_array_equal(got, (np.clip(np.round(x / .5) - 1, -2, 1) + 1) * .5)


def exponents(x, mode):
    power = {"up": np.ceil, "down": np.floor}.get(mode)
    if power:
        return np.exp2(power(np.log2(x)))
    return x.astype(ml_dtypes.float8_e8m0fnu).astype(np.float32)


@pytest.mark.parametrize("mode", ["up", "down", "nearest"])
def test_cast_to_an_exponent_alone(tmp_path, mode):
    path = save(tmp_path, [h.make_node("Cast", ["x"], ["e"], to=T.FLOAT8E8M0, round_mode=mode), h.make_node("Cast", ["e"], ["y"], to=T.FLOAT)],
                [("x", T.FLOAT, [8])], [("y", T.FLOAT, [8])])
    x = np.array([.124, .25, .26, 1.1, 1.9, 4, 5.5, 1000], np.float32)
    got = judge.in_openvino(judge.convert(path, tmp_path), {"x": x})["y"]
    np.testing.assert_array_equal(got, exponents(x, mode))


@pytest.mark.parametrize("saturate", [0, 1])
def test_constants_cast_to_8_bit_floating_point(tmp_path, saturate):
    """As at run time: without saturation, numbers that are too large become NaN."""
    constant = nh.from_array(np.array([1e6, -500, 300, 2.2], np.float32), "c")
    path = save(tmp_path, [h.make_node("Cast", ["c"], ["n"], to=T.FLOAT8E4M3FN, saturate=saturate), h.make_node("Cast", ["n"], ["w"], to=T.FLOAT),
                           h.make_node("Add", ["w", "x"], ["y"])], [("x", T.FLOAT, [4])], [("y", T.FLOAT, [4])], [constant])
    got = judge.in_openvino(judge.convert(path, tmp_path), {"x": np.zeros(4, np.float32)})["y"]
    np.testing.assert_array_equal(got, [448, -448, 288, 2.25] if saturate else [np.nan, np.nan, 288, 2.25])


NARROW = {T.INT4: (ml_dtypes.int4, -8, 8, "i4"), T.UINT4: (ml_dtypes.uint4, 0, 16, "u4"), T.INT8: (np.int8, -128, 128, "i8"), T.UINT8: (np.uint8, 0, 256, "u8")}
INNER, OUTER, BLOCK = 128, 96, 32


def constants_of(xml):
    """Bytes in the .bin of the constants of each type."""
    sizes = {}
    for layer in ET.parse(xml).getroot().find("layers"):
        if layer.get("type") == "Const":
            kind = layer.find("data").get("element_type")
            sizes[kind] = sizes.get(kind, 0) + int(layer.find("data").get("size"))
    return sizes


def exact_numbers(xml, x):
    """The result without the runtime's own quantisation of the data that narrow weights multiply, and the types of constants in memory."""
    compiled = judge.core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0})
    held = [op.get_rt_info()["runtimePrecision"].astype(str) for op in compiled.get_runtime_model().get_ops() if op.get_rt_info()["layerType"].astype(str) == "Const"]
    return compiled({"x": x})[0], held


@pytest.mark.parametrize("zero_points", [False, True], ids=["symmetric", "zero_points"])
@pytest.mark.parametrize("rows_first", [False, True], ids=["by_columns", "by_rows"])
@pytest.mark.parametrize("kind", NARROW, ids=[row[3] for row in NARROW.values()])
def test_weights_in_blocks(tmp_path, kind, rows_first, zero_points):
    """DequantizeLinear in blocks before MatMul: narrow weights in the file and in the runtime, the numbers of ONNX Runtime."""
    dtype, least, end, name = NARROW[kind]
    rng, axis = np.random.default_rng(3), 1 if rows_first else 0
    shape = [OUTER, INNER] if rows_first else [INNER, OUTER]
    steps = [n // BLOCK if i == axis else n for i, n in enumerate(shape)]
    draw = lambda dims, label: nh.from_array(rng.integers(least, end, dims).astype(dtype), label)
    constants = [draw(shape, "w"), nh.from_array((rng.uniform(.5, 1.5, steps) / (end - least)).astype(np.float32), "s")]
    if zero_points:
        constants.append(draw(steps, "z"))
    nodes = [h.make_node("DequantizeLinear", [c.name for c in constants], ["d"], axis=axis, block_size=BLOCK)]
    nodes += [h.make_node("Transpose", ["d"], ["t"], perm=[1, 0])] if rows_first else []
    nodes += [h.make_node("MatMul", ["x", "t" if rows_first else "d"], ["y"])]
    path = save(tmp_path, nodes, [("x", T.FLOAT, ["n", INNER])], [("y", T.FLOAT, ["n", OUTER])], constants, opset=21)
    xml = judge.convert(path, tmp_path, compress=True)
    bits = 4 if "4" in name else 8
    assert constants_of(xml)[name] == (INNER * OUTER + zero_points * INNER * OUTER // BLOCK) * bits // 8
    x = rng.standard_normal((5, INNER), dtype=np.float32)
    got, held = exact_numbers(xml, x)
    assert name in held, held
    assert judge.relative_error(got, judge.in_onnxruntime(path, {"x": x}, optimise=False)["y"]) < 1e-5


@pytest.mark.parametrize("inner", [128, 120])
@pytest.mark.parametrize("zero_points", [False, True], ids=["symmetric", "zero_points"])
@pytest.mark.parametrize("bits", [2, 4, 8])
def test_matmul_nbits(tmp_path, bits, zero_points, inner):
    rng, blocks = np.random.default_rng(4), (inner + BLOCK - 1) // BLOCK
    draw = lambda *dims: rng.integers(0, 256, dims).astype(np.uint8)
    constants = [nh.from_array(draw(OUTER, blocks, BLOCK * bits // 8), "w"),
                 nh.from_array((rng.uniform(.5, 1.5, OUTER * blocks) / 2 ** bits).astype(np.float32), "s")]
    if zero_points:
        constants.append(nh.from_array(draw(OUTER * ((blocks * bits + 7) // 8)), "z"))
    node = h.make_node("MatMulNBits", ["x"] + [c.name for c in constants], ["y"], domain="com.microsoft", K=inner, N=OUTER, bits=bits, block_size=BLOCK)
    path = save(tmp_path, [node], [("x", T.FLOAT, ["n", inner])], [("y", T.FLOAT, ["n", OUTER])], constants, opset=21)
    model = onnx.load(path)
    model.opset_import.append(h.make_opsetid("com.microsoft", 1))
    onnx.save(model, path)
    xml, x = judge.convert(path, tmp_path), rng.standard_normal((5, inner), dtype=np.float32)
    got, held = exact_numbers(xml, x)
    assert f"u{bits}" in held, held
    assert judge.relative_error(got, judge.in_onnxruntime(path, {"x": x}, optimise=False)["y"]) < 1e-5
