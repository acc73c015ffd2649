"""LSTM with peepholes against ONNX Runtime: both directions, lengths, clip."""
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import judge

TIME, BATCH, SIZE, HIDDEN = 5, 3, 4, 6


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("lengths", [False, True], ids=["whole", "lengths"])
def test_numbers(tmp_path, direction, lengths):
    rng = np.random.default_rng(5)
    count = 2 if direction == "bidirectional" else 1
    weight = lambda name, *shape: numpy_helper.from_array(rng.standard_normal(shape, dtype=np.float32), name)
    weights = [weight("W", count, 4 * HIDDEN, SIZE), weight("R", count, 4 * HIDDEN, HIDDEN), weight("B", count, 8 * HIDDEN),
               weight("P", count, 3 * HIDDEN)]
    state = ["N", HIDDEN]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["T", "N", SIZE]),
              helper.make_tensor_value_info("l", TensorProto.INT32, ["N"])][:2 if lengths else 1]
    states = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [count] + state) for name in ("h", "c")]
    node = helper.make_node("LSTM", ["x", "W", "R", "B", "l" if lengths else "", "h", "c", "P"], ["Y", "Yh", "Yc"],
                            hidden_size=HIDDEN, direction=direction, clip=2.5)
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("Y", "Yh", "Yc")]
    path = str(tmp_path / "lstm.onnx")
    graph = helper.make_graph([node], "lstm", inputs + states, outputs, weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8), path)
    feeds = {"x": rng.standard_normal((TIME, BATCH, SIZE), dtype=np.float32)}
    for name in ("h", "c"):
        feeds[name] = rng.standard_normal((count, BATCH, HIDDEN), dtype=np.float32)
    if lengths:
        feeds["l"] = np.array([5, 2, 4], np.int32)
    judge.assert_same(path, judge.convert(path, tmp_path), feeds, 1e-5)
