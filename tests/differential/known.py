"""What is no fault of the converter, and not found again."""
from onnx import helper


def is_known(model, wrong):
    return any(rule(model, wrong) for rule in (same_of_sparse_strides, clip_of_quantised, sign_of_quantised, moments_of_quantised, steps_of_normalised))


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


MOVING = ("Transpose", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity", "Slice", "Gather", "Concat", "Expand", "Tile")


def follows(model, first, *ops):
    """Whether one of these operations reads what operation `first` gives, also in another shape."""
    made_by = {name: node for node in model.graph.node for name in node.output}
    for node in model.graph.node:
        before = made_by.get(node.input[0]) if node.op_type in ops else None
        while before and before.op_type in MOVING:
            before = made_by.get(before.input[0])
        if before and before.op_type == first:
            return True
    return False


def is_off_behind_quantised(model, wrong, *ops):
    return wrong.startswith("numbers: ") and "relative error" in wrong and follows(model, "DequantizeLinear", *ops)


def clip_of_quantised(model, wrong):
    """The runtime computes Clip of quantised numbers in integers: near the limits it is off by a step (quantised_then_clipped.py in tests/numeric/faults)."""
    return is_off_behind_quantised(model, wrong, "Clip")


def sign_of_quantised(model, wrong):
    """FakeQuantize gives 0 up to the last digits where a scale has no exact multiples: Sign sees 1 or -1."""
    return is_off_behind_quantised(model, wrong, "Sign")


def moments_of_quantised(model, wrong):
    """The runtime adds epsilon to the variance of the bytes (quantised_then_normalised.py)."""
    normalisations = ("InstanceNormalization", "GroupNormalization", "LayerNormalization", "MeanVarianceNormalization")
    return is_off_behind_quantised(model, wrong, *normalisations)


def steps_of_normalised(model, wrong):
    """A number divided by itself is 1 in ONNX Runtime, and up to the last digits in the runtime: Floor sees 0, and of equal numbers one is the largest.
    What is left of one number less its mean is 0 up to the last digits, too."""
    steps = ("Floor", "Ceil", "Cast", "ArgMax", "ArgMin", "TopK")
    return wrong.startswith("numbers: ") and any(follows(model, first, *steps) for first in ("LpNormalization", "InstanceNormalization"))
