"""Complex numbers: pairs in inputs, weights and results."""
import torch

from models import Family, Fed, fed, flags, ints

family = Family(__name__)
case, module = family.case, family.module


def complex_fed(*shape, low=-1, high=1):
    return Fed(shape, low, high, "complex64")


Z, W, X = complex_fed(2, 3), complex_fed(3), fed(2, 3)
case("view_as_complex", torch.view_as_complex, fed(2, 3, 2), unknown=(0,), core=True)
case("view_as_real", torch.view_as_real, Z, unknown=(0,), core=True)
case("complex", torch.complex, X, fed(2, 3), unknown=(0,), core=True)
case("complex_wider", torch.complex, X, fed(3), core=True)
case("polar", torch.polar, fed(2, 3, low=0), X, core=True)
case("real", lambda z: z.real + 1, Z, unknown=(0,), core=True)
case("imag", lambda z: z.imag + 1, Z, core=True)
case("parts_of_reals", lambda x: (torch.real(x), torch.angle(x), torch.conj(x)), X)
case("angle", torch.angle, Z, core=True)
case("abs", torch.abs, Z, unknown=(0,), core=True)
case("conj", lambda z: z.conj() * 2, Z, core=True)
case("conj_only", torch.conj, Z)
case("conj_physical", torch.conj_physical, Z, core=True)
case("resolve_conj", lambda z: z.conj().resolve_conj(), Z, core=True)
case("resolve_neg", lambda z: z.conj().imag.resolve_neg(), Z, core=True)
case("neg", lambda z: -z, Z, unknown=(0,))
case("add", lambda z, w: z + w, Z, W, unknown={0: (0,)}, core=True)
case("add_real", lambda z, x: z + x, Z, X)
case("add_number", lambda z: z + 2, Z)
case("add_complex_number", lambda z: z + (1 - 2j), Z)
case("add_alpha", lambda z, w: torch.add(z, w, alpha=0.5), Z, W)
case("sub", lambda z, w: z - w, Z, W)
case("rsub", lambda z: 1 - z, Z)
case("sub_from_real", lambda x, z: x - z, X, Z)
case("mul", lambda z, w: z * w, Z, W, unknown={0: (0,)}, core=True)
case("mul_real", lambda z, x: z * x, Z, X, core=True)
case("mul_of_real", lambda x, z: x * z, fed(2, 1), Z)
case("mul_number", lambda z: z * 0.5, Z, core=True)
case("mul_complex_number", lambda x: x * 1j, X, core=True)
case("mul_integers", lambda z, x: z * x, Z, ints(2, 3))
case("div", lambda z, w: z / w, Z, complex_fed(3, low=0.5, high=2), core=True)
case("div_real", lambda z, x: z / x, Z, fed(2, 3, low=0.5, high=2))
case("div_of_real", lambda x, z: x / z, X, complex_fed(2, 3, low=0.5, high=2))
case("div_number", lambda z: z / 4, Z)
case("reciprocal", torch.reciprocal, complex_fed(2, 3, low=0.5, high=2), core=True)
case("pow_whole", lambda z: z ** 3, Z, core=True)
case("pow_negative", lambda z: z ** -2, complex_fed(2, 3, low=0.5, high=2))
case("pow_half", lambda z: z ** 0.5, Z)
case("pow_one", lambda z: z ** 1, Z)
case("pow_real", lambda z: z ** 1.5, Z, refused="a power that is no whole number")
case("square", torch.square, Z)
case("exp", torch.exp, Z, core=True)
case("log", torch.log, Z, core=True)
case("sqrt", torch.sqrt, Z, core=True)
case("sgn", torch.sgn, Z, core=True)
case("sin", torch.sin, Z, refused="sines of complex numbers")
case("sum", torch.sum, Z, unknown=(0,))
case("sum_axis", lambda z: z.sum(-1), complex_fed(2, 3, 4), unknown=(0,), core=True)
case("mean_axes", lambda z: z.mean((0, -1), keepdim=True), complex_fed(2, 3, 4), core=True)
case("mean", torch.mean, Z)
case("cumsum", lambda z: z.cumsum(-1), Z)
case("norm", lambda z: torch.linalg.vector_norm(z, dim=-1), Z, core=True)
case("norm_all", torch.norm, Z)
case("eq", lambda z: (z == z.conj(), z != z.real), Z)
case("where", torch.where, flags(2, 3), Z, X, core=True)
case("masked_fill", lambda z, m: z.masked_fill(m, 2), Z, flags(2, 3), core=True)
case("prod", torch.prod, Z, refused="a product of complex numbers")
case("matmul", torch.matmul, complex_fed(2, 3, 4), complex_fed(4, 5), unknown={0: (0,)}, core=True)
case("bmm", torch.bmm, complex_fed(2, 3, 4), complex_fed(2, 4, 5), core=True)
case("mm", torch.mm, complex_fed(3, 4), complex_fed(4, 5))
case("mv", torch.mv, complex_fed(3, 4), complex_fed(4))
case("dot", torch.dot, complex_fed(4), complex_fed(4))
case("vdot", torch.vdot, complex_fed(4), complex_fed(4))
case("vdot_reals", torch.vdot, fed(4), fed(4))
case("outer", torch.outer, complex_fed(4), complex_fed(3))
case("addmm", lambda x, y, z: torch.addmm(x, y, z, beta=0.5, alpha=2), complex_fed(5), complex_fed(3, 4), complex_fed(4, 5))
case("baddbmm", torch.baddbmm, complex_fed(2, 3, 5), complex_fed(2, 3, 4), complex_fed(2, 4, 5))
case("addmv", torch.addmv, complex_fed(3), complex_fed(3, 4), complex_fed(4))
case("einsum", lambda x, y: torch.einsum("bix,iox->box", x, y), complex_fed(2, 3, 4), complex_fed(3, 5, 4), unknown={0: (0,)}, core=True)
case("einsum_one", lambda x: torch.einsum("bix->bi", x), complex_fed(2, 3, 4))
module("linear", lambda: torch.nn.Linear(4, 3, dtype=torch.complex64), complex_fed(2, 4), unknown=(0,), core=True)
module("linear_no_bias", lambda: torch.nn.Linear(4, 3, bias=False, dtype=torch.complex64), complex_fed(2, 4))
case("transposed", lambda z: (z.T, z.mT, z.H, z.transpose(0, -1), z.adjoint(), z.t()), Z, core=True)
case("adjoint", lambda z: (z.adjoint(), z.mH, z.mT), complex_fed(2, 3, 4), unknown=(0,))
case("adjoint_reals", lambda x: (x.adjoint(), x.mH, x.H), X)
case("permute", lambda z: z.permute(-1, 0, 1), complex_fed(2, 3, 4), unknown=(0,), core=True)
case("movedim", lambda z: torch.movedim(z, (0, -1), (-1, 0)), complex_fed(2, 3, 4))
case("reshape", lambda z: z.reshape(z.shape[0], -1), complex_fed(2, 3, 4), unknown=(0,), core=True)
case("view", lambda z: z.view(3, -1, 4), complex_fed(2, 3, 4), unknown=(0,))
case("view_type", lambda z, x: (z.view(torch.float32), x.view(torch.complex64)), Z, fed(2, 6), core=True)
case("flatten", lambda z: (z.flatten(1), z.flatten(-2, -1), z.unflatten(-1, (2, 2))), complex_fed(2, 3, 4), unknown=(0,), core=True)
case("unsqueeze", lambda z: (z.unsqueeze(-1), z.unsqueeze(0), z[:, None]), Z, core=True)
case("squeeze", lambda z: (z.squeeze(), z.squeeze(-1), z.squeeze(0)), complex_fed(1, 3, 1), core=True)
case("expand", lambda z: (z.expand(-1, 4, 3), z.expand(2, -1, -1, 3)), complex_fed(2, 1, 3), core=True)
case("expand_as", lambda z, w: (w.expand_as(z), z.view_as(w.expand_as(z))), Z, W)
case("repeat", lambda z: (z.repeat(2, 1, 3), z.tile(2)), Z, core=True)
case("repeat_interleave", lambda z: z.repeat_interleave(2, -1), Z)
case("slice", lambda z: (z[:, 1:], z[..., ::2], z[-1], z[:, -1]), complex_fed(2, 3, 4), unknown=(0,), core=True)
case("narrow", lambda z: z.narrow(-1, 1, 2), Z)
case("cat", lambda z, w: (torch.cat([z, w], -1), torch.cat([z, z])), Z, complex_fed(2, 1), core=True)
case("cat_real", lambda z, x: torch.cat([z, x], -1), Z, X)
case("stack", lambda z, w: (torch.stack([z, w], -1), torch.stack([z, w]), torch.stack([z], 1)), Z, complex_fed(2, 3), unknown=(0,), core=True)
case("split", lambda z: (*z.split(2, -1), *z.chunk(2, -1), *z.unbind(-1), *z.split([1, 3], -1)), complex_fed(2, 4), core=True)
case("flip", lambda z: (z.flip(-1), z.flip(0, 1)), Z, core=True)
case("roll", lambda z: (z.roll(1, -1), z.roll((1, 2), (0, 1))), Z, core=True)
case("index", lambda z, i, j: (z[i], z[:, j], z[i, j], z[i > 0]), complex_fed(3, 4), ints(3, high=3), ints(3, high=4), core=True)
case("index_select", lambda z, i: z.index_select(-1, i), Z, ints(4, high=3))
case("gather", lambda z, i: z.gather(-1, i), Z, ints(2, 4, high=3), core=True)
case("scatter_add", lambda z, i, w: z.scatter_add(-1, i, w), Z, ints(2, 3, high=3), complex_fed(2, 3), core=True)
case("masked_select", lambda z, m: z.masked_select(m), Z, flags(2, 3))
case("index_put", lambda z, i, w: z.index_put((i,), w, accumulate=True), complex_fed(4, 3), ints(2, high=4), complex_fed(2, 3), core=True)
case("tril", lambda z: (z.tril(), z.triu(1)), complex_fed(3, 4))
case("pad", lambda z: (torch.nn.functional.pad(z, (1, 2)), torch.nn.functional.pad(z, (1, 0, 0, 2), value=3)), Z, core=True)
case("pad_reflect", lambda z: torch.nn.functional.pad(z, (1, 2), mode="reflect"), Z)
case("write_slice", lambda z, w: torch.zeros(2, 5, dtype=torch.complex64).slice_scatter(z * w, 1, 1, 4), Z, W, core=True)


def written(z, w):
    out = torch.zeros(z.shape[0], 4, dtype=torch.complex64)
    out[:, 1:] = z * w
    out[:, 0] = 1j
    return out


def written_parts(z):
    out = z * 2
    torch.view_as_real(out)[..., 0] = 3
    return out


def written_real(z):
    out = z * 2
    out.real.add_(1)
    out.imag[:, 1] = 2
    return out


case("written", written, Z, W, unknown={0: (0,)}, core=True)
case("written_parts", written_parts, Z, core=True)
case("written_real", written_real, Z, unknown=(0,))
case("zeros", lambda z: (torch.zeros(3, dtype=torch.complex64) + z, torch.ones_like(z), torch.full_like(z, 2 + 1j), torch.zeros_like(z)), Z, unknown=(0,), core=True)
case("full", lambda x: torch.full((3,), 1 - 1j) * x, W)
case("to_complex", lambda x: x.to(torch.complex64), X, unknown=(0,), core=True)
case("to_complex_integers", lambda x: x.to(torch.complex64), ints(2, 3))
case("to_wider", lambda z: torch.view_as_real(z.to(torch.complex128)).float(), Z, core=True)
case("to_real", lambda z: z.to(torch.float32), Z)
case("constant", lambda x: x * torch.tensor([1 + 2j, -1j, 0.5]), X, core=True)
case("constant_of_one", lambda x: x * torch.tensor(1j), X)
case("cond", lambda z: torch.cond(z.real.sum() > 0, lambda z: z * 2, lambda z: z.conj() + 1, (z,)), Z)


class Weights(torch.nn.Module):
    """Whole, transposed and sliced weights."""

    def __init__(self):
        super().__init__()
        numbers = torch.view_as_complex(torch.rand(4, 6, 2) - 0.5)
        self.whole = torch.nn.Parameter(numbers.clone())
        self.turned = torch.nn.Parameter(numbers.t())
        self.register_buffer("part", numbers[1:, 2:5])
        self.register_buffer("wide", numbers[:1].expand(4, 6))

    def forward(self, z):
        return z * self.whole, z @ self.turned, z[1:, 2:5] + self.part, z - self.wide


module("weights", Weights, complex_fed(4, 6))


class Rotary(torch.nn.Module):
    """Positions as Llama's first release turns them in."""

    def __init__(self):
        super().__init__()
        angles = torch.outer(torch.arange(16).float(), 10000.0 ** (-torch.arange(0, 8, 2).float() / 8))
        self.register_buffer("freqs_cis", torch.polar(torch.ones_like(angles), angles), persistent=False)

    def forward(self, xq, xk):
        freqs = self.freqs_cis[: xq.shape[1]].view(1, xq.shape[1], 1, -1)
        return tuple(torch.view_as_real(torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2)) * freqs).flatten(3).type_as(x) for x in (xq, xk))


module("rotary", Rotary, fed(2, 5, 3, 8), fed(2, 5, 1, 8), unknown=(0, 1), core=True)
