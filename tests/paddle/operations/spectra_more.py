"""Fourier transforms, frames of signals and complex numbers."""
from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
COMPLEX = {"Out": "complex64"}


def parts(b, x):
    """Complex numbers as two outputs."""
    return [b.op("real", outs={"Out": "float32"}, X=x), b.op("imag", outs={"Out": "float32"}, X=x)]


def made(b, *shape, name="x"):
    real, imaginary = b.fed(name, fed(*shape)), b.fed(name + "_i", fed(*shape))
    return b.op("complex", outs=COMPLEX, X=real, Y=imaginary)


for norm in ("backward", "ortho", "forward"):
    for forward in (True, False):
        @family.graph(f"fft_c2c_{norm}_{'forward' if forward else 'back'}")
        def c2c(b, norm=norm, forward=forward):
            return parts(b, b.op("fft_c2c", {"axes": [1], "normalization": norm, "forward": forward}, outs=COMPLEX, X=made(b, 2, 5)))

        @family.graph(f"fft_r2c_{norm}_{'forward' if forward else 'back'}", unknown=(0,))
        def r2c(b, norm=norm, forward=forward):
            return parts(b, b.op("fft_r2c", {"axes": [1], "normalization": norm, "forward": forward, "onesided": True}, outs=COMPLEX, X=b.fed("x", fed(2, 6))))

        @family.graph(f"fft_c2r_{norm}_{'forward' if forward else 'back'}")
        def c2r(b, norm=norm, forward=forward):
            return [b.op("fft_c2r", {"axes": [1], "normalization": norm, "forward": forward, "last_dim_size": 0}, outs={"Out": "float32"}, X=made(b, 2, 4))]


@family.graph("fft_r2c_whole")
def whole(b):
    return parts(b, b.op("fft_r2c", {"axes": [1, 2], "normalization": "ortho", "forward": True, "onesided": False}, outs=COMPLEX, X=b.fed("x", fed(2, 3, 4))))


@family.graph("fft_r2c_planes")
def planes(b):
    return parts(b, b.op("fft_r2c", {"axes": [1, 2], "normalization": "backward", "forward": True, "onesided": True}, outs=COMPLEX, X=b.fed("x", fed(2, 3, 4))))


@family.graph("fft_c2c_planes")
def complex_planes(b):
    return parts(b, b.op("fft_c2c", {"axes": [1, 2], "normalization": "ortho", "forward": False}, outs=COMPLEX, X=made(b, 2, 3, 4)))


@family.graph("fft_c2r_size")
def size(b):
    return [b.op("fft_c2r", {"axes": [0, 1], "normalization": "backward", "forward": False, "last_dim_size": 5}, outs={"Out": "float32"}, X=made(b, 2, 4))]


@family.graph("complex_arithmetic")
def arithmetic(b):
    x, y = made(b, 2, 3), made(b, 2, 3, name="y")
    found = [b.op("elementwise_" + kind, outs=COMPLEX, X=x, Y=y) for kind in ("add", "sub", "mul", "div")] + [b.op("conj", outs=COMPLEX, X=x)]
    return [part for one in found for part in parts(b, one)] + [b.op("abs", outs={"Out": "float32"}, X=x), b.op("angle", outs={"Out": "float32"}, X=x), b.op("as_real", outs={"Out": "float32"}, X=x)]


@family.graph("as_complex")
def as_complex(b):
    return parts(b, b.op("as_complex", outs=COMPLEX, X=b.fed("x", fed(3, 2))))


@family.graph("complex_moved", unknown=(0,))
def moved(b):
    """Axes from behind do not count the pairs."""
    paddle, x = b.paddle, b.op("fft_r2c", {"axes": [2], "normalization": "backward", "forward": True, "onesided": True}, outs=COMPLEX, X=b.fed("x", fed(2, 3, 6)))
    turned = paddle.transpose(x, [0, 2, 1])
    return parts(b, turned) + parts(b, paddle.unsqueeze(x, -1)) + parts(b, paddle.reshape(x, [-1, 12]))


case("angle", X=fed(2, 3))
case("conj", X=fed(2, 3))
case("frame", unknown=(0, 1), attrs={"frame_length": 3, "hop_length": 2, "axis": -1}, X=fed(2, 9))
case("frame", "first", attrs={"frame_length": 3, "hop_length": 1, "axis": 0}, X=fed(5, 2))
case("frame", "one", attrs={"frame_length": 4, "hop_length": 2, "axis": -1}, X=fed(10))
case("overlap_add", unknown=(0,), attrs={"hop_length": 2, "axis": -1}, X=fed(2, 3, 4))
case("overlap_add", "first", attrs={"hop_length": 1, "axis": 0}, X=fed(4, 3, 2))
case("overlap_add", "one", attrs={"hop_length": 2, "axis": -1}, X=fed(3, 4))
for normalized in (False, True):
    @family.graph(f"stft_normalized{normalized:d}", unknown=(0,))
    def stft(b, normalized=normalized):
        attrs = {"n_fft": 4, "hop_length": 2, "normalized": normalized, "onesided": True}
        return parts(b, b.op("stft", attrs, outs=COMPLEX, X=b.fed("x", fed(2, 12)), Window=b.fixed(fixed(4, low=0.5, high=1))))


@family.graph("signal", unknown=(0,))
def signal(b):
    """Spectra as paddle.signal computes them, and their magnitudes."""
    x = b.fed("x", fed(2, 64))
    return [b.paddle.abs(b.paddle.signal.stft(x, 16, 8))]
