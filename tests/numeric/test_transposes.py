"""Transposes move, join and go without changing a number: drawn graphs, and channel shuffles in every type.

Each graph is compared with ONNX Runtime; without the transformations (MO_DISABLED_TRANSFORMS) its IR has at least as many Transposes, and the
drawn graphs together have many more.
"""
import os
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import onnx
import onnx.helper as helper
import pytest

import judge

MOVING = "MoveTransposes,ShuffleChannelsFusion,MergeEqualTransposes,TransposeOfFactor"


def transposes(xml):
    return sum(layer.get("type") == "Transpose" for layer in ET.parse(xml).getroot().find("layers"))


def convert(path, folder, *, disabled=""):
    command = [judge.MO, path, "--output_dir", str(folder), "--model_name", "without" if disabled else "with", "--compress_to_fp16=False"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, env=os.environ | {"MO_DISABLED_TRANSFORMS": disabled})
    assert run.returncode == 0, run.stderr
    return os.path.join(str(folder), command[5] + ".xml")


class Drawn:
    """A graph of Transposes and of operations that can compute in any order of axes. The first dimension is open."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.constants, self.count = [], [], 0
        self.inputs = {name: self.pick([(2, 3, 4), (2, 3, 4, 5), (2, 3, 1, 6)]) for name in ("x", "z")[:self.int(1, 3)]}
        self.tensors = {}  # names and shapes; the open dimension counts as 2, and where it is, as "batch"
        for name, shape in self.inputs.items():
            self.add("Sin", [name], shape, 0)
        for _ in range(self.int(4, 14)):
            self.step()

    def int(self, low, high):
        return int(self.rng.integers(low, high))

    def pick(self, some):
        some = list(some)
        return some[self.int(0, len(some))]

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def constant(self, array):
        name = self.name()
        self.constants.append(onnx.numpy_helper.from_array(np.asarray(array), name))
        return name

    def ints(self, *numbers):
        return self.constant(np.array(numbers, np.int64))

    def add(self, op, inputs, shape, batch, outputs=1, **attributes):
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(helper.make_node(op, inputs, names, **attributes))
        for name in names:
            self.tensors[name] = tuple(shape), batch
        return names[0]

    def transpose(self, x, order):
        shape, batch = self.tensors[x]
        return self.add("Transpose", [x], [shape[i] for i in order], order.index(batch), perm=order)

    def step(self):
        x = self.pick(list(self.tensors)[-4:])
        shape, batch = self.tensors[x]
        rank, axis = len(shape), self.int(0, len(shape))
        others = [i for i in range(rank) if i != batch]
        kind = self.pick(["transpose", "there and back", "elements", "constant", "same", "concat", "split", "slice", "pad", "softmax", "reduce", "squeeze", "unsqueeze", "join",
                          "part", "product"])
        if kind == "transpose":
            self.transpose(x, [int(i) for i in self.rng.permutation(rank)])
        elif kind == "there and back":
            order = [int(i) for i in self.rng.permutation(rank)]
            there = self.add("Abs", [self.transpose(x, order)], [shape[i] for i in order], order.index(batch))
            self.transpose(there, [order.index(i) for i in range(rank)])
        elif kind == "elements":
            self.add(self.pick(["Sin", "Abs", "Relu", "Tanh"]), [x], shape, batch)
        elif kind == "constant":
            own = [size if i != batch and self.int(0, 2) else 1 for i, size in enumerate(shape)][self.int(0, rank + 1):]
            self.add(self.pick(["Add", "Mul", "Max"]), self.pick([lambda c: [x, c], lambda c: [c, x]])(self.constant(self.rng.standard_normal(own).astype(np.float32))), shape, batch)
        elif kind == "same":
            alike = [name for name, other in self.tensors.items() if other == (shape, batch)]
            self.add("Add", [x, self.pick(alike)], shape, batch)
        elif kind == "concat":
            axis = self.pick(others)
            alike = [name for name, (size, at) in self.tensors.items() if at == batch and len(size) == rank and all(size[i] == shape[i] for i in range(rank) if i != axis)]
            other = self.pick(alike)
            self.add("Concat", [x, other], [size + self.tensors[other][0][axis] * (i == axis) for i, size in enumerate(shape)], batch, axis=axis - self.pick([0, rank]))
        elif kind == "split" and any(shape[i] % 2 == 0 for i in others):
            axis = self.pick([i for i in others if shape[i] % 2 == 0])
            self.add("Split", [x], [size // 2 if i == axis else size for i, size in enumerate(shape)], batch, outputs=2, axis=axis)
        elif kind == "slice" and any(shape[i] > 2 for i in others):
            axis = self.pick([i for i in others if shape[i] > 2])
            self.add("Slice", [x, self.ints(1), self.ints(shape[axis]), self.ints(axis)], [size - (i == axis) for i, size in enumerate(shape)], batch)
        elif kind == "pad":
            before, after = ([0 if i == batch else self.int(0, 3) for i in range(rank)] for _ in range(2))
            self.add("Pad", [x, self.ints(*before, *after)], [a + size + b for a, size, b in zip(before, shape, after)], batch)
        elif kind == "softmax":
            self.add("Softmax", [x], shape, batch, axis=axis)
        elif kind == "reduce":
            axes = sorted({self.pick(others) for _ in range(2)})
            keep = self.int(0, 2) or rank - len(axes) < 2
            kept = [1 if i in axes else size for i, size in enumerate(shape) if keep or i not in axes]
            self.add(self.pick(["ReduceMean", "ReduceMax"]), [x], kept, batch - (0 if keep else sum(i < batch for i in axes)), axes=axes, keepdims=int(keep))
        elif kind == "squeeze" and rank > 2 and any(shape[i] == 1 for i in others):
            axis = self.pick([i for i in others if shape[i] == 1])
            self.add("Squeeze", [x, self.ints(axis)], shape[:axis] + shape[axis + 1:], batch - (axis < batch))
        elif kind == "unsqueeze" and rank < 5:
            axis = self.int(0, rank + 1)
            self.add("Unsqueeze", [x, self.ints(axis)], shape[:axis] + (1,) + shape[axis:], batch + (axis <= batch))
        elif kind == "join" and rank > 2:
            axis = self.pick(range(rank - 1))
            joined = shape[:axis] + (shape[axis] * shape[axis + 1],) + shape[axis + 2:]
            at = batch - (batch > axis)
            self.add("Reshape", [x, self.ints(*(-1 if i == at else size for i, size in enumerate(joined)))], joined, at)
        elif kind == "part" and rank < 5 and any(shape[i] % 2 == 0 for i in others):
            axis = self.pick([i for i in others if shape[i] % 2 == 0])
            parted = shape[:axis] + (2, shape[axis] // 2) + shape[axis + 1:]
            at = batch + (batch > axis)
            self.add("Reshape", [x, self.ints(*(-1 if i == at else size for i, size in enumerate(parted)))], parted, at)
        elif kind == "product" and rank > 2 and batch < rank - 2:
            order = [*range(rank - 2), rank - 1, rank - 2]
            self.add("MatMul", [x, self.transpose(x, order)], shape[:-1] + (shape[-2],), batch)

    def write(self, path):
        read = {name for node in self.nodes for name in node.input}
        outputs = [name for name in self.tensors if name not in read]
        inputs = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["N", *shape[1:]]) for name, shape in self.inputs.items()]
        made = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [None] * len(self.tensors[name][0])) for name in outputs]
        graph = helper.make_graph(self.nodes, "drawn", inputs, made, self.constants)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)


def check(seed, folder):
    """How many Transposes there are with the transformations, and without."""
    drawn, path = Drawn(seed), str(folder / f"drawn{seed}.onnx")
    drawn.write(path)
    moved, plain = convert(path, folder), convert(path, folder, disabled=MOVING)
    for batch in (2, 3):
        feeds = {name: np.random.default_rng(seed).standard_normal((batch, *shape[1:])).astype(np.float32) for name, shape in drawn.inputs.items()}
        got = judge.in_openvino(moved, feeds)
        for name, want in judge.in_onnxruntime(path, feeds, optimise=False).items():
            assert got[name].shape == want.shape, (seed, name)
            np.testing.assert_allclose(got[name], want, rtol=1e-4, atol=1e-5, err_msg=f"{seed} {name}")
    return transposes(moved), transposes(plain)


def test_drawn_graphs(tmp_path):
    counts = np.array([check(seed, tmp_path) for seed in range(int(os.environ.get("SEEDS", 60)))])
    assert (counts[:, 0] <= counts[:, 1]).all()
    assert counts[:, 0].sum() < 0.8 * counts[:, 1].sum()


@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16", "DOUBLE", "INT64", "INT32", "INT8", "UINT8", "BOOL"])
@pytest.mark.parametrize("shape, group", [((2, 6, 3, 4), 2), ((1, 6, 5), 3), ((3, 8, 2, 3, 2), 4)])
def test_channel_shuffle(kind, shape, group, tmp_path):
    path, element = str(tmp_path / "m.onnx"), getattr(onnx.TensorProto, kind)
    rest = [f"d{i}" for i in range(len(shape) - 2)]
    ends = [helper.make_tensor_value_info(name, element, ["N", shape[1], *rest]) for name in ("x", "y")]
    order = [0, 2, 1, *range(3, len(shape) + 1)]
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Slice", ["s", "zero", "one"], ["n"]), helper.make_node("Slice", ["s", "two", "end"], ["r"]),
             helper.make_node("Concat", ["n", "parts", "r"], ["p"], axis=0), helper.make_node("Concat", ["n", "all", "r"], ["q"], axis=0),
             helper.make_node("Reshape", ["x", "p"], ["a"]), helper.make_node("Transpose", ["a"], ["b"], perm=order), helper.make_node("Reshape", ["b", "q"], ["y"])]
    numbers = {"zero": [0], "one": [1], "two": [2], "end": [9], "parts": [group, shape[1] // group], "all": [shape[1]]}
    constants = [onnx.numpy_helper.from_array(np.array(value, np.int64), name) for name, value in numbers.items()]
    onnx.save(helper.make_model(helper.make_graph(nodes, "g", ends[:1], ends[1:], constants), opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    xml = judge.convert(path, tmp_path)
    types = [layer.get("type") for layer in ET.parse(xml).getroot().find("layers")]
    assert types == ["Parameter", "ShuffleChannels", "Result"]
    x = np.random.default_rng(1).integers(0, 2 if kind == "BOOL" else 100, shape).astype(helper.tensor_dtype_to_np_dtype(element))
    for part in (x, x[:1]):
        want = part.reshape(part.shape[0], group, shape[1] // group, *shape[2:]).swapaxes(1, 2).reshape(part.shape)
        np.testing.assert_array_equal(judge.in_openvino(xml, {"x": part})["y"], want)


def test_places(tmp_path):
    """Places of what is not 0, as a column, also if there are none."""
    path = str(tmp_path / "m.onnx")
    nodes = [helper.make_node("NonZero", ["x"], ["z"]), helper.make_node("Transpose", ["z"], ["y"], perm=[1, 0])]
    ends = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ["N"]), helper.make_tensor_value_info("y", onnx.TensorProto.INT64, [None, 1])
    onnx.save(helper.make_model(helper.make_graph(nodes, "g", ends[:1], ends[1:]), opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    xml = judge.convert(path, tmp_path)
    assert transposes(xml) == 0
    for x in ([0, 1, 0, 2, 3], [0, 0, 0], [1]):
        np.testing.assert_array_equal(judge.in_openvino(xml, {"x": np.array(x, np.float32)})["y"], np.argwhere(x))
