"""Samples of large tensors: places beyond 2^24 elements, which numbers of single precision do not count."""
import numpy as np
import onnx
from onnx import TensorProto, helper

import judge


def save(path, node, inputs, output, opset):
    values = [helper.make_tensor_value_info(name, TensorProto.INT64 if array.dtype == np.int64 else TensorProto.FLOAT, array.shape) for name, array in inputs.items()]
    graph = helper.make_graph([node], "g", values, [helper.make_tensor_value_info("y", TensorProto.FLOAT, output)])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9), path)
    return str(path)


def numbered(*shape):
    """Neighbours differ by 1, and no number is large."""
    return (np.arange(np.prod(shape)) % 251).astype(np.float32).reshape(shape)


def test_volumes(tmp_path):
    x = numbered(1, 1, 512, 512, 128)
    elements = np.array([[511, 511, 125], [300, 7, 64], [0, 0, 3]])
    places = (2 * elements + 1) / x.shape[2:] - 1
    grid = places[:, ::-1].astype(np.float32).reshape(1, 1, 1, 3, 3)
    for mode in ("nearest", "linear"):
        node = helper.make_node("GridSample", ["x", "grid"], ["y"], mode=mode)
        path = save(tmp_path / f"{mode}.onnx", node, {"x": x, "grid": grid}, (1, 1, 1, 1, 3), 20)
        got = judge.in_openvino(judge.convert(path, tmp_path), {"x": x, "grid": grid})["y"]
        np.testing.assert_allclose(got.ravel(), x[0, 0][tuple(elements.T)], atol=0.01)


def test_largest_corners_of_regions(tmp_path):
    x = numbered(1, 1, 4100, 4100)
    boxes = np.float32([[4090, 4095, 4092, 4097], [8, 9, 10, 11]])
    feeds = {"x": x, "boxes": boxes, "images": np.int64([0, 0])}
    node = helper.make_node("RoiAlign", list(feeds), ["y"], mode="max", output_height=1, output_width=1, sampling_ratio=1, coordinate_transformation_mode="output_half_pixel")
    path = save(tmp_path / "regions.onnx", node, feeds, (2, 1, 1, 1), 16)
    got = judge.in_openvino(judge.convert(path, tmp_path), feeds)["y"]
    # The one sample is the centre of a box, (column, row); it is an element, whose weight is 1.
    np.testing.assert_allclose(got.ravel(), [x[0, 0, 4096, 4091], x[0, 0, 10, 9]], atol=0.01)
