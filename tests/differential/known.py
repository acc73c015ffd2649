"""What is no fault of the converter, and not found again."""
from onnx import helper


def is_known(model, wrong):
    return any(rule(model, wrong) for rule in (same_of_sparse_strides, window_that_does_not_fit, clip_of_quantised))


def kernel_of(model, weights):
    """Sizes of the kernel, where the weights have known sizes."""
    for one in model.graph.initializer:
        if one.name == weights:
            return list(one.dims)[2:]
    for one in model.graph.input:
        if one.name == weights:
            return [size.dim_value for size in one.type.tensor_type.shape.dim][2:]
    return []


def same_of_sparse_strides(model, wrong):
    """ConvTranspose with auto_pad SAME: ONNX says that the result has stride times the input's size. ONNX Runtime gives less where the stride is larger than
    the kernel; what the generator puts behind it need not fit the larger result, or the last elements are others."""
    for node in model.graph.node:
        attributes = {one.name: helper.get_attribute_value(one) for one in node.attribute}
        if node.op_type == "ConvTranspose" and attributes.get("auto_pad", b"").startswith(b"SAME"):
            pairs = zip(attributes.get("strides", []), kernel_of(model, node.input[1]))
            if any(stride > kernel for stride, kernel in pairs):
                return wrong.startswith(("numbers", "converter"))
    return False


def window_that_does_not_fit(model, wrong):
    """ONNX Runtime rounds (size - window) / stride towards zero and computes one element of nothing; the converter refuses."""
    return "a window over" in wrong and "does not fit" in wrong


MOVING = ("Transpose", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Slice", "Gather", "Concat", "Expand", "Tile")


def clip_of_quantised(model, wrong):
    """The runtime computes Clip of quantised numbers in integers: near the limits it is off by a step (quantised_then_clipped.py in tests/numeric/faults)."""
    made_by = {name: node for node in model.graph.node for name in node.output}
    for node in model.graph.node:
        before = made_by.get(node.input[0]) if node.op_type == "Clip" else None
        while before and before.op_type in MOVING:
            before = made_by.get(before.input[0])
        if before and before.op_type == "DequantizeLinear":
            return wrong.startswith("numbers: ") and "relative error" in wrong
    return False
