"""Types: casts, bits, fake quantization."""
import numpy as np

from graphs import Family, fed, fixed

family = Family(__name__)
case = family.case

NUMBERS = {"float": np.float32, "half": np.float16, "double": np.float64, "int8": np.int8, "uint8": np.uint8, "int16": np.int16, "int32": np.int32, "int64": np.int64, "bool": bool}
COMMON = ("float", "half", "double", "int32", "int64", "uint8", "bool")
for source in COMMON:
    for target in COMMON:
        if source != target:
            low = 0 if target == "uint8" else -5
            case("Cast", f"{source}_to_{target}", x=fed(2, 4, dtype=NUMBERS[source], low=low, high=5), DstT=NUMBERS[target])
case("Cast", "int8_to_float", x=fed(2, 4, dtype=np.int8, low=-128, high=127), DstT=np.float32)
case("Cast", "int16_to_int32", x=fed(2, 4, dtype=np.int16, low=-999, high=999), DstT=np.int32)
case("Cast", "float_to_int8", x=fed(2, 4, low=-99, high=99), DstT=np.int8)
case("Cast", "unknown", unknown=(0,), x=fed(2, 4, dtype=np.int32, low=-5, high=5), DstT=np.float32)
case("Bitcast", "float_to_int32", input=fed(2, 3), type=np.int32)
case("Bitcast", "int32_to_float", input=fed(values=[1065353216, 1073741824], dtype=np.int32), type=np.float32)
case("FakeQuantWithMinMaxArgs", inputs=fed(2, 3, 4, low=-8, high=8), min=-6.0, max=6.0)
case("FakeQuantWithMinMaxArgs", "narrow", inputs=fed(2, 3, 4, low=-8, high=8), min=-6.0, max=5.0, num_bits=4, narrow_range=True)
case("FakeQuantWithMinMaxVars", unknown=(0,), inputs=fed(2, 3, 4, low=-8, high=8), min=-3.0, max=6.5)
case("FakeQuantWithMinMaxVars", "narrow", inputs=fed(2, 3, 4, low=-8, high=8), min=-3.0, max=6.5, narrow_range=True)
case("FakeQuantWithMinMaxVars", "positive", inputs=fed(2, 3, 4, low=-2, high=8), min=0.0, max=6.0)
case("FakeQuantWithMinMaxVarsPerChannel", inputs=fed(2, 3, 4, low=-8, high=8), min=fixed(values=[-3, -1, -6, -0.5]), max=fixed(values=[3, 2, 5, 4]))
case("QuantizeAndDequantizeV2", input=fed(2, 6, low=-8, high=8), input_min=-6.0, input_max=6.0, range_given=True)
case("QuantizeAndDequantizeV4", input=fed(2, 6, low=-8, high=8), input_min=-6.0, input_max=6.0, range_given=True)


@family.graph("bfloat16")
def bfloat16(building):
    import tensorflow as tf
    narrow = tf.raw_ops.Cast(x=building.fed("x", fed(2, 4)), DstT=tf.bfloat16)
    return [tf.raw_ops.Cast(x=narrow, DstT=tf.float32, name="result")]


@family.graph("quantize_dequantize")
def quantize_dequantize(building):
    import tensorflow as tf
    quantized = tf.raw_ops.QuantizeV2(input=building.fed("x", fed(2, 6, low=-4, high=4)), min_range=-4.0, max_range=4.0, T=tf.quint8, mode="MIN_COMBINED")
    return [tf.raw_ops.Dequantize(input=quantized[0], min_range=quantized[1], max_range=quantized[2], mode="MIN_COMBINED", name="result")]
