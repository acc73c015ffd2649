"""Options that change the result, on the native command line."""
import os
import subprocess
import xml.etree.ElementTree as ET

import onnx
import onnx.parser

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build/native/mo"))

# Reshapes `x` to the shape of `y`, which the model computes.
RESHAPED = """<ir_version: 8, opset_import: ["" : 13]>
agraph (float[2, 3] x, float[3, 2] y) => (float[3, 2] z) {
  shape = Shape (y)
  r = Reshape (x, shape)
  z = Add (r, y)
}
"""


def converted(folder, *options):
    """The types of the layers, and the shapes of the inputs."""
    path = folder / "m.onnx"
    onnx.save(onnx.parser.parse_model(RESHAPED), path)
    run = subprocess.run([MO, str(path), "--output_dir", str(folder), *options], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    layers = ET.parse(folder / "m.xml").getroot().find("layers")
    shapes = {layer.get("name"): layer.find("data").get("shape").replace(" ", "") for layer in layers if layer.get("type") == "Parameter"}
    return [layer.get("type") for layer in layers], shapes


def test_W_01_AndI_04_static_shape_folds_what_depends_on_shapes(tmp_path):
    reshapeable, _ = converted(tmp_path)
    folded, _ = converted(tmp_path, "--static_shape")
    assert "ShapeOf" in reshapeable
    assert "ShapeOf" not in folded and "Reshape" in folded and "Const" in folded


def test_static_shape_takes_shapes_that_an_option_gives(tmp_path):
    """Dimensions that the model leaves open are an error; those that the user leaves open are not."""
    for option, value in ("--input", "x[?,3],y"), ("--input_shape", "[?,3],[3,2]"):
        types, shapes = converted(tmp_path, "--static_shape", option, value)
        assert shapes == {"x": "?,3", "y": "3,2"} and "ShapeOf" not in types


def test_W_06_AndF_02_shapes_of_inputs_are_given_in_their_order(tmp_path):
    assert converted(tmp_path)[1] == {"x": "2,3", "y": "3,2"}
    assert converted(tmp_path, "--input_shape", "[4,3],[6,2]")[1] == {"x": "4,3", "y": "6,2"}


def test_W_06_shapes_of_inputs_are_given_by_their_names(tmp_path):
    """Names may come in any order. The other inputs keep the model's shapes."""
    assert converted(tmp_path, "--input", "y[6,2],x[4,3]")[1] == {"x": "4,3", "y": "6,2"}
    assert converted(tmp_path, "--input", "x,y[2,3]")[1] == {"x": "2,3", "y": "2,3"}
    assert converted(tmp_path, "--input", "y,x", "--input_shape", "[6,2],[4,3]")[1] == {"x": "4,3", "y": "6,2"}
