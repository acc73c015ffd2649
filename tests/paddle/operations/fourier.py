"""Fourier transforms, complex numbers, frames of sounds."""

from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
COMPLEX = {"Out": "complex64"}


def as_real(variant, unknown=(), x=(2, 3, 8)):
    """The function gives complex numbers of real ones; its results are taken apart."""
    def take(build):
        def whole(b):
            found = build(b, b.fed("x", fed(*x)))
            return [b.op("as_real", outs={"Out": "float32"}, X=one) if str(one.dtype).endswith("COMPLEX64") else one for one in found]
        family.graph(variant, unknown)(whole)
        return build
    return take


for norm in ("backward", "ortho", "forward"):
    @as_real(f"fft_r2c_{norm}", unknown=(0,))
    def r2c(b, x, norm=norm):
        form = {"normalization": norm, "forward": True}
        return [b.op("fft_r2c", {**form, "axes": [2], "onesided": True}, COMPLEX, X=x), b.op("fft_r2c", {**form, "axes": [1, 2], "onesided": False}, COMPLEX, X=x)]

    @as_real(f"fft_c2c_{norm}", x=(2, 3, 4, 2))
    def c2c(b, x, norm=norm):
        made = b.op("as_complex", outs=COMPLEX, X=x)
        return [b.op("fft_c2c", {"normalization": norm, "axes": axes, "forward": forward}, COMPLEX, X=made) for axes in ([2], [0, 2]) for forward in (True, False)]

    @as_real(f"fft_c2r_{norm}", x=(2, 3, 5, 2))
    def c2r(b, x, norm=norm):
        made = b.op("as_complex", outs=COMPLEX, X=x)
        return [b.op("fft_c2r", {"normalization": norm, "axes": axes, "forward": False, "last_dim_size": size}, {"Out": "float32"}, X=made) for axes, size in (([2], 8), ([2], 9),
                ([1, 2], 0))]


@as_real("functions", unknown=(0,))
def functions(b, x):
    fft = b.paddle.fft
    return [fft.rfft(x), fft.rfft(x, n=6), fft.rfft(x, n=10), fft.irfft(fft.rfft(x)), fft.fft(x), fft.ifft(fft.fft(x)), fft.rfft2(x), fft.fftshift(x), fft.ifftshift(x, axes=1)]


@as_real("complex_numbers", x=(3, 4, 2))
def numbers(b, x):
    paddle = b.paddle
    z = b.op("as_complex", outs=COMPLEX, X=x)
    return [paddle.real(z), paddle.imag(z), paddle.abs(z), paddle.conj(z), paddle.angle(z), paddle.complex(paddle.real(z), paddle.imag(z) * 2), z * z, z + z, z / (z + z)]


for axis, shape in ((-1, (2, 12)), (0, (12, 2))):
    case("frame", f"axis{axis}", unknown=(0,) if axis < 0 else (), attrs={"frame_length": 5, "hop_length": 3, "axis": axis}, X=fed(*shape))
    case("overlap_add", f"axis{axis}", attrs={"hop_length": 2, "axis": axis}, X=fed(*((2, 4, 5) if axis < 0 else (5, 4, 2))))
case("frame", "one", attrs={"frame_length": 4, "hop_length": 4, "axis": -1}, X=fed(12))


@as_real("stft", unknown=(0,), x=(2, 40))
def stft(b, x):
    return [b.op("stft", {"n_fft": 8, "hop_length": 4, "normalized": False, "onesided": True}, COMPLEX, X=x, Window=b.fixed(fixed(8, low=0), "window"))]


@as_real("spectrogram", unknown=(0,), x=(1, 64))
def spectrogram(b, x):
    """As sounds are prepared: windows, the squared size of their transforms, bands, decibels."""
    paddle = b.paddle
    x = paddle.nn.functional.pad(paddle.unsqueeze(x, 0), [8, 8], mode="reflect", data_format="NCL")[0]
    z = b.op("stft", {"n_fft": 16, "hop_length": 8, "normalized": False, "onesided": True}, COMPLEX, X=x, Window=b.fixed(fixed(16, low=0.1), "window"))
    power = paddle.square(paddle.abs(z))
    return [10 * paddle.log10(paddle.clip(paddle.matmul(b.fixed(fixed(5, 9, low=0), "bands"), power), min=1e-6))]
