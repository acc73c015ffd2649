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


def parts(x):
    import tensorflow as tf
    return [tf.raw_ops.Real(input=x, name="result_real"), tf.raw_ops.Imag(input=x, name="result_imag")]


def of_complex(name, function, *shapes):
    """`function` of complex numbers; what it gives is complex, or a list of tensors that are."""
    @family.graph("complex_" + name)
    def build(building):
        import tensorflow as tf
        inputs = [tf.raw_ops.Complex(real=building.fed(f"real{at}", fed(*shape)), imag=building.fed(f"imag{at}", fed(*shape))) for at, shape in enumerate(shapes)]
        made = function(tf, tf.raw_ops, *inputs)
        if not isinstance(made, list):
            return parts(made) if made.dtype.is_complex else [tf.identity(made, "result")]
        return [part(input=x, name=f"result{at}_{part.__name__.lower()}") for at, x in enumerate(made) for part in (tf.raw_ops.Real, tf.raw_ops.Imag)]


of_complex("strided_slice", lambda tf, raw, x: x[:, 1:-1:2, -1], (2, 5, 3))
of_complex("slice", lambda tf, raw, x: raw.Slice(input=x, begin=[0, 1], size=[-1, 2]), (2, 5))
of_complex("reshape", lambda tf, raw, x: raw.Reshape(tensor=x, shape=[3, -1]), (2, 6))
of_complex("transpose", lambda tf, raw, x: raw.Transpose(x=x, perm=[2, 0, 1]), (2, 3, 4))
of_complex("adjoint", lambda tf, raw, x: raw.ConjugateTranspose(x=x, perm=[0, 2, 1]), (2, 3, 4))
of_complex("expand_dims", lambda tf, raw, x: raw.ExpandDims(input=x, axis=-1), (2, 3))
of_complex("squeeze", lambda tf, raw, x: raw.Squeeze(input=x, axis=[-1]), (2, 3, 1))
of_complex("pack", lambda tf, raw, x, y: raw.Pack(values=[x, y], axis=-1), (2, 3), (2, 3))
of_complex("unpack", lambda tf, raw, x: raw.Unpack(value=x, num=3, axis=-1), (2, 3))
of_complex("split", lambda tf, raw, x: raw.Split(axis=-1, value=x, num_split=2), (2, 4))
of_complex("concat", lambda tf, raw, x, y: raw.ConcatV2(values=[x, y, x], axis=-1), (2, 3), (2, 1))
of_complex("pad", lambda tf, raw, x: raw.Pad(input=x, paddings=[[0, 1], [2, 0]]), (2, 3))
of_complex("pad_by_number", lambda tf, raw, x: raw.PadV2(input=x, paddings=[[0, 1], [2, 0]], constant_values=np.complex64(1 - 2j)), (2, 3))
of_complex("mirror_pad", lambda tf, raw, x: raw.MirrorPad(input=x, paddings=[[0, 0], [2, 1]], mode="REFLECT"), (2, 5))
of_complex("gather", lambda tf, raw, x: raw.GatherV2(params=x, indices=[2, 0], axis=-1), (2, 3))
of_complex("gather_nd", lambda tf, raw, x: raw.GatherNd(params=x, indices=[[1, 2], [0, 0]]), (2, 3))
of_complex("tile", lambda tf, raw, x: raw.Tile(input=x, multiples=[2, 3]), (2, 3))
of_complex("select", lambda tf, raw, x, y: raw.SelectV2(condition=[[True], [False]], t=x, e=y), (2, 3), (3,))
of_complex("broadcast_to", lambda tf, raw, x: raw.BroadcastTo(input=x, shape=[2, 2, 3]), (1, 3))
of_complex("reverse", lambda tf, raw, x: raw.ReverseV2(tensor=x, axis=[-1]), (2, 3))
of_complex("roll", lambda tf, raw, x: raw.Roll(input=x, shift=[1], axis=[-1]), (2, 3))
of_complex("sum", lambda tf, raw, x: raw.Sum(input=x, axis=[-1]), (2, 3))
of_complex("mean", lambda tf, raw, x: raw.Mean(input=x, axis=[0], keep_dims=True), (2, 3))
of_complex("cumsum", lambda tf, raw, x: raw.Cumsum(x=x, axis=-1, reverse=True), (2, 3))
of_complex("add", lambda tf, raw, x, y: raw.AddV2(x=x, y=y), (2, 3), (3,))
of_complex("sub", lambda tf, raw, x, y: raw.Sub(x=x, y=y), (2, 3), (3,))
of_complex("quotient", lambda tf, raw, x, y: raw.RealDiv(x=x, y=y), (2, 3), (3,))
of_complex("neg", lambda tf, raw, x: raw.Neg(x=x), (2, 3))
of_complex("reciprocal", lambda tf, raw, x: raw.Reciprocal(x=x), (2, 3))
of_complex("square", lambda tf, raw, x: raw.Square(x=x), (2, 3))
of_complex("exp", lambda tf, raw, x: raw.Exp(x=x), (2, 3))
of_complex("conj", lambda tf, raw, x: raw.Conj(input=x), (2, 3))
of_complex("angle", lambda tf, raw, x: raw.Angle(input=x), (2, 3))
of_complex("equal", lambda tf, raw, x: raw.Equal(x=x, y=raw.Conj(input=x)), (2, 3))
of_complex("matmul", lambda tf, raw, x, y: raw.MatMul(a=x, b=y, transpose_b=True), (2, 3), (4, 3))
of_complex("batch_matmul", lambda tf, raw, x, y: raw.BatchMatMulV2(x=x, y=y, adj_x=True, adj_y=True), (2, 3, 4), (5, 3))
of_complex("shape", lambda tf, raw, x: raw.Shape(input=x), (2, 3))
of_complex("zeros_like", lambda tf, raw, x: raw.ZerosLike(x=x), (2, 3))
of_complex("cast_to_reals", lambda tf, raw, x: raw.Cast(x=x, DstT=tf.float32), (2, 3))
of_complex("cast_to_more_bits", lambda tf, raw, x: raw.Cast(x=raw.Cast(x=x, DstT=tf.complex128), DstT=tf.complex64), (2, 3))


@family.graph("complex_cast_of_reals", unknown=(0,))
def cast_of_reals(building):
    import tensorflow as tf
    return parts(tf.raw_ops.FFT(input=tf.raw_ops.Cast(x=building.fed("x", fed(2, 8)), DstT=tf.complex64)))


@family.graph("complex_fill")
def filled(building):
    import tensorflow as tf
    return parts(tf.raw_ops.AddV2(x=tf.raw_ops.Fill(dims=[2, 3], value=np.complex64(1 + 2j)), y=tf.raw_ops.Complex(real=building.fed("real", fed(3)), imag=building.fed("imag", fed(3)))))


def signal(name, function, *shape):
    """A front end of speech, with unknown sizes."""
    @family.graph("signal_" + name, unknown=(0,))
    def build(building):
        import tensorflow as tf
        return [tf.identity(function(tf, tf.signal, building.fed("x", fed(*shape))), "result")]


signal("stft", lambda tf, signal, x: tf.abs(signal.stft(x, 16, 8)), 2, 64)
signal("inverse_stft", lambda tf, signal, x: signal.inverse_stft(signal.stft(x, 16, 8), 16, 8, window_fn=signal.inverse_stft_window_fn(8)), 2, 64)
signal("mfcc", lambda tf, signal, x: signal.mfccs_from_log_mel_spectrograms(x), 2, 5, 20)
for kind in (1, 2, 3, 4):
    signal(f"dct{kind}", lambda tf, signal, x, kind=kind: signal.dct(x, kind), 2, 8)
    signal(f"idct{kind}", lambda tf, signal, x, kind=kind: signal.idct(x, kind), 2, 8)
signal("mdct", lambda tf, signal, x: signal.mdct(x, 16), 2, 64)
signal("inverse_mdct", lambda tf, signal, x: signal.inverse_mdct(x), 2, 6, 8)
signal("frame", lambda tf, signal, x: signal.frame(x, 16, 8, pad_end=True), 2, 60)
signal("overlap_and_add", lambda tf, signal, x: signal.overlap_and_add(x, 4), 2, 6, 8)
