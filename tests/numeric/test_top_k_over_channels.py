"""The largest channel of each pixel: of equal ones the first or the last, whichever layout the runtime has chosen for the picture before it."""
import numpy as np
import onnx.parser
import pytest

import judge

FORMS = {f"{name}_{keep}_{last}": (name, keep, last) for name in ("ArgMax", "ArgMin") for keep in (0, 1) for last in (0, 1)}


def written(shape, operation, keep, last, folder):
    """Behind a convolution, for which the runtime has the channels last in memory. Its results are small whole numbers, many of them equal."""
    text = (f'<ir_version: 8, opset_import: ["" : 13]> agraph (float[{shape}] x) => (int64 y) <float[5, 5, 1, 1] w = {{{", ".join(str(float(row == column)) for row in range(5) for column in range(5))}}}> '
            f'{{ c = Conv (x, w) y = {operation} <axis = 1, keepdims = {keep}, select_last_index = {last}> (c) }}')
    model = onnx.parser.parse_model(text)
    del model.graph.output[0].type.tensor_type.shape.dim[:]
    model.graph.output[0].type.tensor_type.ClearField("shape")
    path = str(folder / "m.onnx")
    onnx.save(model, path)
    return path


@pytest.mark.parametrize("shape", ["2, 5, 7, 16", "N, 5, H, W"], ids=["known", "open"])
@pytest.mark.parametrize("form", FORMS)
def test_of_equal_channels(form, shape, tmp_path):
    operation, keep, last = FORMS[form]
    path = written(shape, operation, keep, last, tmp_path)
    xml = judge.convert(path, tmp_path)
    with open(xml, encoding="utf-8") as file:
        assert 'type="Unsqueeze"' in file.read()
    x = np.random.default_rng(1).integers(0, 3, (2, 5, 7, 16)).astype(np.float32)
    found = x if operation == "ArgMax" else -x
    want = 4 - np.argmax(found[:, ::-1], 1, keepdims=bool(keep)) if last else np.argmax(found, 1, keepdims=bool(keep))
    runs = [judge.in_openvino(xml, {"x": x})["y"]] + ([judge.in_openvino_2023(xml, {"x": x}, tmp_path)["y"]] if (keep, last) == (0, 0) else [])
    for got in runs:
        np.testing.assert_array_equal(got, want)
