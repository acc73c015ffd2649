"""PReLU written out in a graph of TensorFlow: the runtime's own rewrite takes slopes along the last axis for channels."""
import numpy as np
import pytest

import judge


def node(name, op, *inputs, attributes=""):
    return f'node {{ name: "{name}" op: "{op}" ' + " ".join(f'input: "{name}"' for name in inputs) + f" {attributes} }}\n"


def graph(shape, slope):
    """relu(x) - slope * relu(-x)"""
    sizes = lambda dims: " ".join(f"dim {{ size: {size} }}" for size in dims)
    values = " ".join(f"float_val: {value}" for value in slope.ravel())
    dtype, t = 'attr { key: "dtype" value { type: DT_FLOAT } }', 'attr { key: "T" value { type: DT_FLOAT } }'
    tensor = f'attr {{ key: "value" value {{ tensor {{ dtype: DT_FLOAT tensor_shape {{ {sizes(slope.shape)} }} {values} }} }} }}'
    return "".join([
        node("x", "Placeholder", attributes=f'{dtype} attr {{ key: "shape" value {{ shape {{ {sizes(shape)} }} }} }}'),
        node("a", "Const", attributes=f"{dtype} {tensor}"),
        node("p", "Relu", "x", attributes=t), node("n", "Neg", "x", attributes=t), node("r", "Relu", "n", attributes=t),
        node("m", "Mul", "a", "r", attributes=t), node("y", "Sub", "p", "m", attributes=t),
    ])


@pytest.mark.parametrize("layout", [[], ["--disable_nhwc_to_nchw"]], ids=["nchw", "nhwc"])
@pytest.mark.parametrize("shape,slopes", [([1, 3, 3, 3], [3]), ([1, 3, 3, 3], [1, 1, 3]), ([1, 3, 3, 3], [3, 1, 1]), ([1, 3, 3, 3], [3, 3, 3]), ([2, 4, 4], [4]), ([4, 4], [4]), ([1, 2, 2, 2, 2], [2])])
def test_slopes_are_along_their_axis(tmp_path, shape, slopes, layout):
    rng = np.random.default_rng(3)
    slope, x = rng.normal(size=slopes).astype(np.float32).round(3), rng.normal(size=shape).astype(np.float32)
    (tmp_path / "m.pbtxt").write_text(graph(shape, slope))
    got = judge.core().compile_model(judge.convert(str(tmp_path / "m.pbtxt"), tmp_path, *layout), "CPU")(x)[0]
    assert got.shape == x.shape and np.abs(got - (np.maximum(x, 0) - slope * np.maximum(-x, 0))).max() < 1e-5
