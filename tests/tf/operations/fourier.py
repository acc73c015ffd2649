"""Fourier transforms: complex numbers are made and taken apart inside the graph."""
import numpy as np

from graphs import Family, fed

family = Family(__name__)


def transform(name, shape):
    @family.graph(name)
    def build(building):
        import tensorflow as tf
        complex_input = tf.raw_ops.Complex(real=building.fed("real", fed(*shape)), imag=building.fed("imag", fed(*shape)))
        result = getattr(tf.raw_ops, name)(input=complex_input)
        return [tf.raw_ops.Real(input=result, name="result_real"), tf.raw_ops.Imag(input=result, name="result_imag")]


for name, shape in {"FFT": (2, 8), "FFT2D": (2, 4, 8), "FFT3D": (2, 2, 4, 4), "IFFT": (2, 8), "IFFT2D": (2, 4, 8), "IFFT3D": (2, 2, 4, 4)}.items():
    transform(name, shape)


def old_transform(name, shape):
    @family.graph("Batch" + name)
    def build(building):
        import tensorflow as tf
        result = getattr(tf.raw_ops, name)(input=tf.raw_ops.Complex(real=building.fed("real", fed(*shape)), imag=building.fed("imag", fed(*shape))), name="transformed")
        building.renamed["transformed"] = "Batch" + name
        return [tf.raw_ops.Real(input=result, name="result_real"), tf.raw_ops.Imag(input=result, name="result_imag")]


for name, shape in {"FFT": (2, 8), "FFT2D": (2, 4, 8), "FFT3D": (2, 2, 4, 4), "IFFT": (2, 8), "IFFT2D": (2, 4, 8), "IFFT3D": (2, 2, 4, 4)}.items():
    old_transform(name, shape)


def along_axes(name, shape, real, lengths, axes):
    @family.graph(name)
    def build(building):
        import tensorflow as tf
        x = building.fed("real", fed(*shape))
        if not real:
            x = tf.raw_ops.Complex(real=x, imag=building.fed("imag", fed(*shape)))
        if building.runs:  # the CPU has no kernel for it
            of_last_axes = getattr(tf.raw_ops, name[:-2] + "2D")
            x = tf.transpose(x, [1, 0, 2])
            result = tf.transpose(of_last_axes(input=x, fft_length=lengths) if "R" in name else of_last_axes(input=x), [1, 0, 2])
        else:
            x = tf.compat.v1.placeholder_with_default(x, [None, None, None])  # TensorFlow infers the shape of the input for the result
            result = getattr(tf.raw_ops, name)(input=x, fft_length=lengths, axes=axes, name="transformed")
        if name == "IRFFTND":
            return [result]
        return [tf.raw_ops.Real(input=result, name="result_real"), tf.raw_ops.Imag(input=result, name="result_imag")]


along_axes("FFTND", (4, 3, 8), False, [4, 8], [0, 2])
along_axes("IFFTND", (4, 3, 8), False, [4, 8], [0, -1])
along_axes("RFFTND", (4, 3, 8), True, [4, 8], [0, 2])
along_axes("IRFFTND", (4, 3, 5), False, [4, 8], [0, 2])


def real_transform(name, shape, lengths):
    @family.graph(name)
    def build(building):
        import tensorflow as tf
        result = getattr(tf.raw_ops, name)(input=building.fed("x", fed(*shape)), fft_length=lengths)
        return [tf.raw_ops.Real(input=result, name="result_real"), tf.raw_ops.Imag(input=result, name="result_imag")]


for name, shape, lengths in (("RFFT", (2, 8), [8]), ("RFFT2D", (2, 4, 8), [4, 8]), ("RFFT3D", (2, 2, 4, 4), [2, 4, 4])):
    real_transform(name, shape, lengths)


def inverse_real_transform(name, shape, lengths):
    @family.graph(name)
    def build(building):
        import tensorflow as tf
        complex_input = tf.raw_ops.Complex(real=building.fed("real", fed(*shape)), imag=building.fed("imag", fed(*shape)))
        return [getattr(tf.raw_ops, name)(input=complex_input, fft_length=lengths, name="result")]


for name, shape, lengths in (("IRFFT", (2, 5), [8]),):
    inverse_real_transform(name, shape, lengths)


def spectrum(name):
    """The inverse of a real transform: what is fed to it is the spectrum of real numbers."""
    @family.graph(name + "_of_RFFT")
    def build(building):
        import tensorflow as tf
        lengths = {"IRFFT": [8], "IRFFT2D": [4, 8], "IRFFT3D": [2, 4, 4]}[name]
        forward = getattr(tf.raw_ops, name[1:])(input=building.fed("x", fed(2, *lengths)), fft_length=lengths)
        raw = tf.raw_ops
        other = raw.Complex(real=raw.Mul(x=raw.Real(input=forward), y=2.0), imag=raw.Mul(x=raw.Imag(input=forward), y=0.5))
        return [getattr(tf.raw_ops, name)(input=other, fft_length=lengths, name="result")]


for name in ("IRFFT", "IRFFT2D", "IRFFT3D"):
    spectrum(name)


@family.graph("ComplexAbs")
def absolute(building):
    import tensorflow as tf
    return [tf.raw_ops.ComplexAbs(x=tf.raw_ops.Complex(real=building.fed("real", fed(2, 3)), imag=building.fed("imag", fed(2, 3))), name="result")]


@family.graph("complex_product")
def product(building):
    import tensorflow as tf
    first = tf.raw_ops.Complex(real=building.fed("real", fed(2, 3)), imag=building.fed("imag", fed(2, 3)))
    result = tf.raw_ops.Mul(x=first, y=tf.raw_ops.Conj(input=tf.raw_ops.Complex(real=building.fed("real2", fed(3)), imag=building.fed("imag2", fed(3)))))
    return [tf.raw_ops.Real(input=result, name="result_real"), tf.raw_ops.Imag(input=result, name="result_imag")]


@family.graph("complex_constant")
def constant(building):
    import tensorflow as tf
    first = tf.raw_ops.Complex(real=building.fed("real", fed(2, 3)), imag=building.fed("imag", fed(2, 3)))
    result = tf.raw_ops.Mul(x=first, y=np.array([1 + 2j, 0.5j, -1], np.complex64))
    return [tf.raw_ops.Real(input=result, name="result_real"), tf.raw_ops.Imag(input=result, name="result_imag")]
