"""Fourier transforms, and spectra of the frames of signals."""
import torch

from models import Family, Fed, fed

family = Family(__name__)
case, module = family.case, family.module
fft = torch.fft


def complex_fed(*shape):
    return Fed(shape, dtype="complex64")


for norm in ("backward", "ortho", "forward"):
    case("fft_" + norm, lambda z, norm=norm: (fft.fft(z, norm=norm), fft.ifft(z, norm=norm)), complex_fed(2, 6), core=True)
    case("rfft_" + norm, lambda x, norm=norm: (fft.rfft(x, norm=norm), fft.ihfft(x, norm=norm)), fed(2, 6), core=True)
    case("irfft_" + norm, lambda z, norm=norm: (fft.irfft(z, norm=norm), fft.hfft(z, norm=norm)), complex_fed(2, 4), core=True)
    case("fft2_" + norm, lambda z, norm=norm: (fft.fft2(z, norm=norm), fft.ifft2(z, norm=norm)), complex_fed(2, 4, 6))
    case("rfft2_" + norm, lambda x, norm=norm: (fft.rfft2(x, norm=norm), fft.irfft2(fft.rfft2(x, norm=norm), norm=norm)), fed(2, 4, 6), core=True)
case("fft", fft.fft, complex_fed(2, 5), unknown=(0,), core=True)
case("fft_real", lambda x: (fft.fft(x), fft.ifft(x)), fed(2, 5), unknown=(0,), core=True)
case("fft_axis", lambda z: (fft.fft(z, dim=0), fft.fft(z, dim=1)), complex_fed(3, 4, 2), unknown=(2,), core=True)
case("fft_longer", lambda z: (fft.fft(z, n=8), fft.ifft(z, n=3)), complex_fed(2, 5), unknown=(0,), core=True)
case("fft_open", fft.fft, complex_fed(5), unknown=(0,))
case("rfft", fft.rfft, fed(2, 7), unknown=(0,), core=True)
case("rfft_open", fft.rfft, fed(2, 7), unknown=(0, 1))
case("rfft_longer", lambda x: (fft.rfft(x, n=9), fft.rfft(x, n=4), fft.rfft(x, n=4, dim=0)), fed(2, 7), core=True)
case("irfft", fft.irfft, complex_fed(2, 4), unknown=(0,), core=True)
case("irfft_odd", lambda z: fft.irfft(z, n=7), complex_fed(2, 4), unknown=(0,), core=True)
case("irfft_other", lambda z: (fft.irfft(z, n=12), fft.irfft(z, n=4), fft.irfft(z, dim=0)), complex_fed(3, 4), core=True)
case("irfft_real", fft.irfft, fed(2, 4))
case("hfft", lambda z: (fft.hfft(z), fft.hfft(z, n=5)), complex_fed(2, 4), unknown=(0,), core=True)
case("ihfft", lambda x: fft.ihfft(x, n=5), fed(2, 6), unknown=(0,), core=True)
case("hfft2", lambda z: (fft.hfft2(z), fft.hfftn(z)), complex_fed(2, 3, 4))
case("ihfft2", lambda x: (fft.ihfft2(x), fft.ihfftn(x)), fed(2, 3, 4))
case("irfft_computed", lambda x: (fft.irfft(fft.rfft(x), n=x.shape[-1]), fft.rfft(x, n=x.shape[-1] * 2), fft.fft(x, n=x.shape[0], dim=-1)), fed(2, 7), unknown=(0, 1))
case("irfft2_computed", lambda x: fft.irfft2(fft.rfft2(x), s=x.shape[-2:]), fed(2, 5, 6), unknown=(0, 1, 2), core=True)
case("fft2", fft.fft2, complex_fed(2, 4, 6), unknown=(0,), core=True)
case("fft2_sizes", lambda z: (fft.fft2(z, s=(6, 4)), fft.ifft2(z, s=(3, -1), dim=(0, 2))), complex_fed(2, 4, 6))
case("rfft2", lambda x: (fft.rfft2(x), fft.rfft2(x, dim=(2, 1))), fed(2, 4, 6), unknown=(0,), core=True)
case("irfft2", lambda z: (fft.irfft2(z), fft.irfft2(z, s=(4, 5))), complex_fed(2, 4, 4), unknown=(0,), core=True)
case("fftn", lambda z: (fft.fftn(z), fft.ifftn(z), fft.fftn(z, s=(3, 5))), complex_fed(2, 4, 6), core=True)
case("fftn_reals", lambda x: (fft.fftn(x), fft.ifftn(x, dim=(1, 2))), fed(2, 4, 6), core=True)
case("rfftn", lambda x: (fft.rfftn(x), fft.irfftn(fft.rfftn(x), s=x.shape)), fed(2, 4, 5), core=True)
case("fft_integers", fft.fft, Fed((2, 5), -4, 5, "int64"))
case("fftshift", lambda z: (fft.fftshift(z), fft.ifftshift(z), fft.fftshift(z, dim=-1), fft.ifftshift(z, dim=(1,))), complex_fed(4, 5), core=True)
case("fftshift_reals", lambda x: (fft.fftshift(x), fft.ifftshift(x, dim=1)), fed(4, 5), unknown=(0,), core=True)
case("fftshift_open", lambda x: (fft.fftshift(x), fft.ifftshift(x, dim=1)), fed(4, 5), unknown=(0, 1))
case("fftfreq", lambda x: (x * fft.fftfreq(6, 0.5), x * fft.fftfreq(6), fft.rfftfreq(9, d=0.1) + x[0]), fed(1), core=True)
case("fourier_mixing", lambda x: fft.fft(fft.fft(x, dim=-1), dim=-2).real, fed(2, 4, 6), unknown=(0,), core=True)
case("spectra_multiplied", lambda x, y: fft.irfft(fft.rfft(x, n=16) * fft.rfft(y, n=16), n=16)[..., :8], fed(2, 8), fed(8), unknown={0: (0,)}, core=True)


class GlobalFilter(torch.nn.Module):
    """Images filtered by weights of their spectra."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.rand(4, 3, 5, 2) - 0.5)

    def forward(self, x):
        spectrum = fft.rfft2(x, dim=(1, 2), norm="ortho") * torch.view_as_complex(self.weight)
        return fft.irfft2(spectrum, s=(x.shape[1], x.shape[2]), dim=(1, 2), norm="ortho")


class SpectralConvolution(torch.nn.Module):
    """Weights of the lowest frequencies, as Fourier neural operators have them."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Parameter(torch.rand(3, 4, 2, 2, dtype=torch.complex64))
        self.second = torch.nn.Parameter(torch.rand(3, 4, 2, 2, dtype=torch.complex64))

    def forward(self, x):
        spectrum = fft.rfft2(x)
        out = torch.zeros(x.shape[0], 4, x.size(-2), x.size(-1) // 2 + 1, dtype=torch.cfloat)
        out[:, :, :2, :2] = torch.einsum("bixy,ioxy->boxy", spectrum[:, :, :2, :2], self.first)
        out[:, :, -2:, :2] = torch.einsum("bixy,ioxy->boxy", spectrum[:, :, -2:, :2], self.second)
        return fft.irfft2(out, s=(x.size(-2), x.size(-1)))


module("global_filter", GlobalFilter, fed(2, 4, 4, 5), unknown=(0,), core=True)
module("spectral_convolution", SpectralConvolution, fed(2, 3, 6, 8), unknown=(0,), core=True)


class Frames(torch.nn.Module):
    def __init__(self, function, window=8):
        super().__init__()
        self.function = function
        self.register_buffer("window", torch.hann_window(window) + 0.1)

    def forward(self, x):
        return self.function(x, self.window)


module("stft", lambda: Frames(lambda x, w: torch.stft(x, 8, 4, window=w, return_complex=True)), fed(2, 32), unknown=(0,), core=True)
module("stft_line", lambda: Frames(lambda x, w: torch.stft(x, 8, 3, window=w, center=False, return_complex=True)), fed(32), core=True)
module("stft_normalized", lambda: Frames(lambda x, w: torch.stft(x, 8, 2, window=w, normalized=True, pad_mode="constant", return_complex=True).abs()), fed(2, 32))
module("stft_twosided", lambda: Frames(lambda x, w: torch.stft(x, 8, 4, window=w, onesided=False, return_complex=True)), fed(2, 32), unknown=(0,), core=True)
module("stft_short_window", lambda: Frames(lambda x, w: torch.stft(x, 8, 4, 5, window=w, return_complex=True), 5), fed(2, 32))
case("stft_no_window", lambda x: (torch.stft(x, 8, return_complex=True), torch.stft(x, 8, win_length=6, return_complex=True)), fed(2, 32), core=True)
module("stft_pairs", lambda: Frames(lambda x, w: torch.view_as_real(torch.stft(x, 8, 4, window=w, return_complex=True))), fed(2, 32), core=True)
module("stft_open", lambda: Frames(lambda x, w: torch.stft(x, 8, 4, window=w, return_complex=True)), fed(2, 32), unknown=(0, 1), core=True)
module("istft", lambda: Frames(lambda z, w: torch.istft(z, 8, 4, window=w)), complex_fed(2, 5, 7), core=True)
module("istft_open", lambda: Frames(lambda z, w: torch.istft(z, 8, 4, window=w)), complex_fed(2, 5, 7), unknown=(0,))
module("istft_frames", lambda: Frames(lambda z, w: torch.istft(z, 8, 4, window=w)), complex_fed(2, 5, 7), unknown=(0, 2))
module("istft_line", lambda: Frames(lambda z, w: torch.istft(z, 8, 2, window=w, center=False, normalized=True)), complex_fed(5, 7))
module("istft_length", lambda: Frames(lambda z, w: torch.istft(z, 8, 4, window=w, length=20)), complex_fed(2, 5, 7))
module("istft_twosided", lambda: Frames(lambda z, w: torch.istft(z, 8, 4, window=w, onesided=False)), complex_fed(2, 8, 7))
