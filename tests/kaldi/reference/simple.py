"""Components of nnet2 and nnet3 that see one frame: what their Propagate() makes of a row."""
import numpy as np

from kaldi import compressed

FLOOR = 1e-20


def of(component, name):
    """A matrix or vector of the component."""
    values = component[name]
    return np.asarray(values.values if isinstance(values, compressed.Compressed) else values, np.float64)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def log_softmax(x):
    return x - x.max() - np.log(np.exp(x - x.max()).sum())


def affine(c, x):
    return of(c, "LinearParams") @ x + of(c, "BiasParams")


def normalize(c, x):
    rms, block, out = c.get("TargetRms", 1.0), c.get("BlockDim", len(x)), []
    for part in x.reshape(-1, block):
        scale = max((part * part).sum() / (block * rms * rms), 2.0 ** -66) ** -0.5
        out.append(part * scale)
        if c.get("AddLogStddev"):
            out.append([np.log(rms) - np.log(scale)])
    return np.concatenate(out)


def batch_norm(c, x):
    scale = c.get("TargetRms", 1.0) * (of(c, "StatsVar") + c.get("Epsilon", 0.001)) ** -0.5
    blocks = x.reshape(-1, c["BlockDim"])
    return (blocks * scale - of(c, "StatsMean") * scale).reshape(-1)


def pnorm(c, x):
    p = c.get("P", 2.0)
    return (np.abs(x.reshape(c["OutputDim"], -1)) ** p).sum(1) ** (1 / p)


def blocks_affine(c, x):
    blocks, w = c["NumBlocks"], of(c, "LinearParams")
    return np.concatenate([a @ b for a, b in zip(w.reshape(blocks, -1, w.shape[1]), x.reshape(blocks, -1))]) + of(c, "BiasParams")


def repeated_affine(c, x):
    return (x.reshape(c["NumRepeats"], -1) @ of(c, "LinearParams").T + of(c, "BiasParams")).reshape(-1)


def tiled(x, *vectors):
    return [np.tile(vector, len(x) // len(vector)) for vector in vectors]


def scale_and_offset(c, x):
    scales, offsets = of(c, "Scales"), of(c, "Offsets")
    scales = np.where(np.abs(scales) < 1e-4, np.where(scales >= 0, 1e-4, -1e-4), scales)
    scales, offsets = tiled(x, scales, offsets)
    return x * scales + offsets


def sum_groups(c, x):
    return np.array([part.sum() for part in np.split(x, np.cumsum(c["Sizes"])[:-1])])


def permuted(c, x):
    reorder = np.asarray(c["Reorder"])
    out = np.empty_like(x)
    out[reorder] = x
    return out


def dropout_mask(c):
    value = 1.0 if c.get("DropoutProportion", 0.0) == 0 or "Continuous" in c.values else 1.0 - c["DropoutProportion"]
    return np.full(c["OutputDim"], value)


def convolution(c, x):
    """A picture: x by y, with z values in each place; filters see all z. InputVectorization: 0 has y fastest, 1 has z fastest."""
    sizes = [c[f"Input{axis}Dim"] for axis in "XYZ"]
    image = x.reshape(sizes) if c["InputVectorization"] else x.reshape(sizes[0], sizes[2], sizes[1]).transpose(0, 2, 1)
    out = []
    for at_x in range(0, sizes[0] - c["FiltXDim"] + 1, c["FiltXStep"]):
        for at_y in range(0, sizes[1] - c["FiltYDim"] + 1, c["FiltYStep"]):
            patch = image[at_x:at_x + c["FiltXDim"], at_y:at_y + c["FiltYDim"]]
            out.append(of(c, "FilterParams") @ patch.reshape(-1) + of(c, "BiasParams"))
    return np.concatenate(out)


def max_pooling(c, x):
    image = x.reshape([c[f"Input{axis}Dim"] for axis in "XYZ"])
    starts = [range(0, c[f"Input{axis}Dim"] - c[f"Pool{axis}Size"] + 1, c[f"Pool{axis}Step"]) for axis in "XYZ"]
    return np.array([image[i:i + c["PoolXSize"], j:j + c["PoolYSize"], k:k + c["PoolZSize"]].max() for i in starts[0] for j in starts[1] for k in starts[2]])


def lstm(c, x):
    w = of(c, "Params")
    cell = w.shape[1]
    i, f, g, o, before = x[:5 * cell].reshape(5, cell)
    s_i, s_f, s_o = x[5 * cell:] if c.get("UseDropout") else (1.0, 1.0, 1.0)
    now = sigmoid(f + w[1] * before) * s_f * before + sigmoid(i + w[0] * before) * s_i * np.tanh(g)
    return np.concatenate([now, sigmoid(o + w[2] * now) * s_o * np.tanh(now)])


def gru(c, x):
    cell, recurrent = c["CellDim"], c["RecurrentDim"]
    z, r, part, before = np.split(x[:3 * cell + recurrent], np.cumsum([cell, recurrent, cell]))
    h = np.tanh(part + of(c, "w_h") @ (r * x[len(x) - recurrent:]))
    return np.concatenate([h, (1 - z) * h + z * before])


def output_gru(c, x):
    z, part, before = x.reshape(3, -1)
    h = np.tanh(part + of(c, "w_h") * before)
    return np.concatenate([h, (1 - z) * h + z * before])


def appended_convolution(c, x):
    """Convolutional1dComponent."""
    w, stride, patch = of(c, "FilterParams"), c["PatchStride"], c["PatchDim"]
    frames = x.reshape(stride, -1).T if c.get("AppendedConv") else x.reshape(-1, stride)
    starts = range(0, stride - patch + 1, c["PatchStep"])
    return np.concatenate([w @ frames[:, at:at + patch].reshape(-1) + of(c, "BiasParams") for at in starts])


def pooled2(c, x):
    """nnet2's MaxpoolingComponent."""
    return x.reshape(-1, c["PoolSize"], c["PoolStride"]).max(1).reshape(-1)


def dct(c, x):
    size, keep = c["DctDim"], c["DctKeepDim"]
    k, n = np.mgrid[:size, :size]
    matrix = np.where(k == 0, np.sqrt(1 / size), np.sqrt(2 / size) * np.cos(np.pi / size * (n + 0.5) * k))[:keep]
    blocks = x.reshape(-1, size) if not c["Reorder"] else x.reshape(size, -1).T
    out = blocks @ matrix.T
    return out.reshape(-1) if not c["Reorder"] else out.T.reshape(-1)


def in_a_row(c, x):
    for part in c.parts:
        x = run(part, x)
    return x


same = lambda c, x: x  # noqa: E731

FUNCTIONS = {
    "SigmoidComponent": lambda c, x: sigmoid(x),
    "TanhComponent": lambda c, x: np.tanh(x),
    "RectifiedLinearComponent": lambda c, x: np.maximum(x, 0),
    "SoftmaxComponent": lambda c, x: np.maximum(softmax(x), FLOOR),
    "LogSoftmaxComponent": lambda c, x: np.maximum(log_softmax(x), np.log(FLOOR)),
    "SoftHingeComponent": lambda c, x: np.log1p(np.exp(x)),
    "PowerComponent": lambda c, x: np.abs(x) ** c["Power"],
    "ScaleComponent": lambda c, x: x * c["Scale"],
    "MaxoutComponent": lambda c, x: x.reshape(c["OutputDim"], -1).max(1),
    "NormalizeComponent": normalize,
    "BatchNormComponent": batch_norm,
    "PnormComponent": pnorm,
    "AffineComponent": affine,
    "AffineComponentPreconditioned": affine,
    "AffineComponentPreconditionedOnline": affine,
    "NaturalGradientAffineComponent": affine,
    "FixedAffineComponent": affine,
    "FixedLinearComponent": lambda c, x: of(c, "CuMatrix") @ x,
    "LinearComponent": lambda c, x: of(c, "Params") @ x,
    "FixedScaleComponent": lambda c, x: x * of(c, "Scales"),
    "FixedBiasComponent": lambda c, x: x + of(c, "Bias"),
    "RepeatedAffineComponent": repeated_affine,
    "NaturalGradientRepeatedAffineComponent": repeated_affine,
    "BlockAffineComponent": blocks_affine,
    "BlockAffineComponentPreconditioned": blocks_affine,
    "PerElementScaleComponent": lambda c, x: x * of(c, "Params"),
    "NaturalGradientPerElementScaleComponent": lambda c, x: x * of(c, "Params"),
    "PerElementOffsetComponent": lambda c, x: x + tiled(x, of(c, "Offsets"))[0],
    "ScaleAndOffsetComponent": scale_and_offset,
    "ElementwiseProductComponent": lambda c, x: x.reshape(-1, c["OutputDim"]).prod(0),
    "SumGroupComponent": sum_groups,
    "SumBlockComponent": lambda c, x: c.get("Scale", 1.0) * x.reshape(-1, c["OutputDim"]).sum(0),
    "PermuteComponent": lambda c, x: x[np.asarray(c["ColumnMap"])] if "ColumnMap" in c.values else permuted(c, x),
    "ConstantFunctionComponent": lambda c, x: of(c, "Output"),
    "ConvolutionComponent": convolution,
    "MaxpoolingComponent": lambda c, x: max_pooling(c, x) if "InputXDim" in c.values else pooled2(c, x),
    "Convolutional1dComponent": appended_convolution,
    "DctComponent": dct,
    "LstmNonlinearityComponent": lstm,
    "GruNonlinearityComponent": gru,
    "OutputGruNonlinearityComponent": output_gru,
    "BackpropTruncationComponent": lambda c, x: x * c.get("Scale", 1.0),
    "DropoutComponent": lambda c, x: x * (1 - c.get("DropoutProportion", 0.0)),
    "CompositeComponent": in_a_row,
    **dict.fromkeys("NoOpComponent ClipGradientComponent GeneralDropoutComponent SpecAugmentTimeMaskComponent".split(), same),
}


def run(component, x):
    return FUNCTIONS[component.type](component, x)
