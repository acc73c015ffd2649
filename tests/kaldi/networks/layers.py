"""The layers of Kaldi's recipes, as its xconfig scripts make nodes of them."""
from kaldi.files import Component


def lda(net, offsets, dim, ivector=0):
    """The first layer of most networks: frames appended, and a fixed transform."""
    parts = ["input" if offset == 0 else f"Offset(input, {offset})" for offset in offsets]
    parts += ["ReplaceIndex(ivector, t, 0)"] if ivector else []
    size = dim * len(offsets) + ivector
    return net.node("lda", f"Append({', '.join(parts)})", net.affine(size, size, "FixedAffineComponent")), size


def relu_batchnorm(net, name, descriptor, inputs, outputs, norm="batchnorm"):
    net.node(f"{name}.affine", descriptor, net.affine(outputs, inputs, MaxChange=0.75, L2Regularize=0.01))
    net.node(f"{name}.relu", f"{name}.affine", net.relu(outputs))
    if norm == "renorm":
        return net.node(f"{name}.renorm", f"{name}.relu", Component("NormalizeComponent", InputDim=outputs))
    return net.node(f"{name}.batchnorm", f"{name}.relu", net.batch_norm(outputs))


def spliced(node, offsets):
    return "Append(" + ", ".join(node if offset == 0 else f"Offset({node}, {offset})" for offset in offsets) + ")"


def tdnnf(net, name, below, dim, bottleneck, stride, bypass=0.66):
    """A factored layer: two of frames, with what is below added."""
    before, after = ([-stride, 0], [0, stride]) if stride else ([0], [0])
    net.node(f"{name}.linear", below, net.tdnn(bottleneck, dim, before, bias=False, OrthonormalConstraint=-1.0, MaxChange=0.75))
    net.node(f"{name}.affine", f"{name}.linear", net.tdnn(dim, bottleneck, after, MaxChange=0.75))
    net.node(f"{name}.relu", f"{name}.affine", net.relu(dim))
    net.node(f"{name}.batchnorm", f"{name}.relu", net.batch_norm(dim))
    net.node(f"{name}.dropout", f"{name}.batchnorm", Component("GeneralDropoutComponent", Dim=dim, BlockDim=dim, Continuous=None))
    return net.node(f"{name}.noop", f"Sum(Scale({bypass}, {below}), {name}.dropout)", Component("NoOpComponent", Dim=dim))


def prefinal(net, name, below, inputs, big, small):
    net.node(f"{name}.affine", below, net.affine(big, inputs))
    net.node(f"{name}.relu", f"{name}.affine", net.relu(big))
    net.node(f"{name}.batchnorm1", f"{name}.relu", net.batch_norm(big))
    net.node(f"{name}.linear", f"{name}.batchnorm1", net.linear(small, big, OrthonormalConstraint=-1.0))
    return net.node(f"{name}.batchnorm2", f"{name}.linear", net.batch_norm(small))


def output(net, name, below, inputs, outputs, log_softmax=True, offset=0):
    net.node(f"{name}.affine", below, net.affine(outputs, inputs))
    last = f"{name}.affine"
    if log_softmax:
        last = net.node(f"{name}.log-softmax", last, Component("LogSoftmaxComponent", Dim=outputs))
    net.output(f"Offset({last}, {offset})" if offset else last, name)
    return net


def fast_lstmp(net, name, below, inputs, cells, projected, recurrent, delay=1, dropout=False, scale=0.9):
    """fast-lstmp-layer: the projection's first part recurs."""
    net.node(f"{name}.W_all", f"Append({below}, IfDefined(Offset({name}.r_trunc, -{delay})))", net.affine(4 * cells, inputs + recurrent))
    parts = f"{name}.W_all, IfDefined(Offset({name}.c_trunc, -{delay}))"
    if dropout:
        net.node(f"{name}.dropout_mask", f"{name}.dropout_mask", Component("DropoutMaskComponent", OutputDim=3, DropoutProportion=0.1, TestMode=True))
        parts += f", {name}.dropout_mask"
    net.node(f"{name}.lstm_nonlin", f"Append({parts})", Component("LstmNonlinearityComponent", Params=net.matrix(3, cells, 0.3), ValueAvg=net.matrix(5, cells), DerivAvg=net.matrix(5, cells),
                                                                  SelfRepairConfig=net.positive(10), SelfRepairProb=net.positive(5), Count=9.0, **(dict(UseDropout=True) if dropout else {})))
    net.part(f"{name}.c", f"{name}.lstm_nonlin", 0, cells)
    net.part(f"{name}.m", f"{name}.lstm_nonlin", cells, cells)
    net.node(f"{name}.rp", f"{name}.m", net.affine(projected, cells))
    net.part(f"{name}.r", f"{name}.rp", 0, recurrent)
    net.node(f"{name}.cr_trunc", f"Append({name}.c, {name}.r)", Component("BackpropTruncationComponent", Dim=cells + recurrent, Scale=scale))
    net.part(f"{name}.c_trunc", f"{name}.cr_trunc", 0, cells)
    net.part(f"{name}.r_trunc", f"{name}.cr_trunc", cells, recurrent)
    return f"{name}.rp"


def fast_lstm(net, name, below, inputs, cells, delay=1):
    """fast-lstm-layer: without projection."""
    net.node(f"{name}.W_all", f"Append({below}, IfDefined(Offset({name}.r_trunc, -{delay})))", net.affine(4 * cells, inputs + cells))
    net.node(f"{name}.lstm_nonlin", f"Append({name}.W_all, IfDefined(Offset({name}.c_trunc, -{delay})))", Component("LstmNonlinearityComponent", Params=net.matrix(3, cells, 0.3)))
    net.part(f"{name}.c", f"{name}.lstm_nonlin", 0, cells)
    net.part(f"{name}.m", f"{name}.lstm_nonlin", cells, cells)
    net.node(f"{name}.cr_trunc", f"Append({name}.c, {name}.m)", Component("BackpropTruncationComponent", Dim=2 * cells))
    net.part(f"{name}.c_trunc", f"{name}.cr_trunc", 0, cells)
    net.part(f"{name}.r_trunc", f"{name}.cr_trunc", cells, cells)
    return f"{name}.m"


def lstmp(net, name, below, inputs, cells, projected, recurrent, delay=1):
    """The layer of before: gates one by one, products and clipped gradients."""
    recurs, memory = f"IfDefined(Offset({name}.r_trunc, -{delay}))", f"IfDefined(Offset({name}.c_trunc, -{delay}))"
    for gate in "ifo":
        net.node(f"{name}.W_{gate}_xr", f"Append({below}, {recurs})", net.affine(cells, inputs + recurrent))
    net.node(f"{name}.W_c_xr", f"Append({below}, {recurs})", net.affine(cells, inputs + recurrent))
    for gate, cell in (("i", memory), ("f", memory), ("o", f"{name}.c")):
        net.node(f"{name}.w_{gate}c", cell, Component("NaturalGradientPerElementScaleComponent", Params=net.vector(cells)))
        net.node(f"{name}.{gate}", f"Sum({name}.W_{gate}_xr, {name}.w_{gate}c)", Component("SigmoidComponent", Dim=cells))
    net.node(f"{name}.g", f"{name}.W_c_xr", Component("TanhComponent", Dim=cells))
    net.node(f"{name}.c1", f"Append({name}.f, {memory})", Component("ElementwiseProductComponent", InputDim=2 * cells, OutputDim=cells))
    net.node(f"{name}.c2", f"Append({name}.i, {name}.g)", Component("ElementwiseProductComponent", InputDim=2 * cells, OutputDim=cells))
    net.node(f"{name}.c", f"Sum({name}.c1, {name}.c2)", Component("NoOpComponent", Dim=cells))
    net.node(f"{name}.h", f"{name}.c", Component("TanhComponent", Dim=cells))
    net.node(f"{name}.c_trunc", f"{name}.c", Component("ClipGradientComponent", Dim=cells))
    net.node(f"{name}.m", f"Append({name}.o, {name}.h)", Component("ElementwiseProductComponent", InputDim=2 * cells, OutputDim=cells))
    net.node(f"{name}.rp", f"{name}.m", net.affine(projected, cells))
    net.part(f"{name}.r_preclip", f"{name}.rp", 0, recurrent)
    net.node(f"{name}.r_trunc", f"{name}.r_preclip", Component("ClipGradientComponent", Dim=recurrent))
    return f"{name}.rp"


def pgru(net, name, below, inputs, cells, projected, recurrent, delay=1, norm=False):
    """pgru-layer and norm-pgru-layer: gates of a unit with a projected state."""
    recurs, memory = f"IfDefined(Offset({name}.s_t, -{delay}))", f"IfDefined(Offset({name}.c_t, -{delay}))"
    net.node(f"{name}.z_pre", f"Append({below}, {recurs})", net.affine(cells, inputs + recurrent))
    net.node(f"{name}.z", f"{name}.z_pre", Component("SigmoidComponent", Dim=cells))
    net.node(f"{name}.r_pre", f"Append({below}, {recurs})", net.affine(recurrent, inputs + recurrent))
    net.node(f"{name}.r", f"{name}.r_pre", Component("SigmoidComponent", Dim=recurrent))
    net.node(f"{name}.hpart", below, net.affine(cells, inputs))
    net.node(f"{name}.gru", f"Append({name}.z, {name}.r, {name}.hpart, {memory}, {recurs})",
             Component("GruNonlinearityComponent", CellDim=cells, RecurrentDim=recurrent, w_h=net.matrix(cells, recurrent)))
    net.part(f"{name}.c", f"{name}.gru", cells, cells)
    net.node(f"{name}.y", f"{name}.c", net.affine(projected, cells))
    net.part(f"{name}.s", f"{name}.y", 0, recurrent)
    return recurring(net, name, cells, recurrent, norm, projected)


def opgru(net, name, below, inputs, cells, projected, recurrent, delay=1, norm=False):
    """opgru-layer: an output gate in place of the reset gate."""
    recurs, memory = f"IfDefined(Offset({name}.s_t, -{delay}))", f"IfDefined(Offset({name}.c_t, -{delay}))"
    for gate in "zo":
        net.node(f"{name}.{gate}_pre", f"Append({below}, {recurs})", net.affine(cells, inputs + recurrent))
        net.node(f"{name}.{gate}", f"{name}.{gate}_pre", Component("SigmoidComponent", Dim=cells))
    net.node(f"{name}.hpart", below, net.affine(cells, inputs))
    net.node(f"{name}.gru", f"Append({name}.z, {name}.hpart, {memory})", Component("OutputGruNonlinearityComponent", CellDim=cells, w_h=net.vector(cells)))
    net.part(f"{name}.c", f"{name}.gru", cells, cells)
    net.node(f"{name}.product", f"Append({name}.o, {name}.c)", Component("ElementwiseProductComponent", InputDim=2 * cells, OutputDim=cells))
    net.node(f"{name}.y", f"{name}.product", net.affine(projected, cells))
    net.part(f"{name}.s", f"{name}.y", 0, recurrent)
    return recurring(net, name, cells, recurrent, norm, projected)


def recurring(net, name, cells, recurrent, norm, projected):
    net.node(f"{name}.cs_trunc", f"Append({name}.c, {name}.s)", Component("BackpropTruncationComponent", Dim=cells + recurrent))
    net.part(f"{name}.c_t", f"{name}.cs_trunc", 0, cells)
    if not norm:
        net.part(f"{name}.s_t", f"{name}.cs_trunc", cells, recurrent)
        return f"{name}.y"
    net.part(f"{name}.s_pre", f"{name}.cs_trunc", cells, recurrent)
    net.node(f"{name}.s_t", f"{name}.s_pre", Component("NormalizeComponent", InputDim=recurrent, TargetRms=0.5))
    return net.node(f"{name}.batchnorm", f"{name}.y", net.batch_norm(projected))


def gru(net, name, below, inputs, cells, delay=1):
    """gru-layer: the state is the output."""
    memory = f"IfDefined(Offset({name}.s_t, -{delay}))"
    for gate in "zr":
        net.node(f"{name}.{gate}_pre", f"Append({below}, {memory})", net.affine(cells, inputs + cells))
        net.node(f"{name}.{gate}", f"{name}.{gate}_pre", Component("SigmoidComponent", Dim=cells))
    net.node(f"{name}.hpart", below, net.affine(cells, inputs))
    net.node(f"{name}.gru", f"Append({name}.z, {name}.r, {name}.hpart, {memory})", Component("GruNonlinearityComponent", CellDim=cells, RecurrentDim=cells, w_h=net.matrix(cells, cells)))
    net.part(f"{name}.y", f"{name}.gru", cells, cells)
    net.node(f"{name}.s_t", f"{name}.y", Component("BackpropTruncationComponent", Dim=cells))
    return f"{name}.y"


def convolution(net, name, below, filters, heights, subsample=1, times=(-1, 0, 1), required=None):
    """conv-relu-batchnorm-layer."""
    offsets = [(time, height) for time in times for height in (-1, 0, 1)]
    net.node(f"{name}.conv", below, Component(
        "TimeHeightConvolutionComponent", NumFiltersIn=filters[0], NumFiltersOut=filters[1], HeightIn=heights[0], HeightOut=heights[1], HeightSubsampleOut=subsample, Offsets=offsets,
        RequiredTimeOffsets=[*(times if required is None else required)], LinearParams=net.matrix(filters[1], filters[0] * len(offsets)), BiasParams=net.vector(filters[1])))
    size = filters[1] * heights[1]
    net.node(f"{name}.relu", f"{name}.conv", Component("RectifiedLinearComponent", Dim=size, BlockDim=filters[1]))
    return net.node(f"{name}.batchnorm", f"{name}.relu", net.batch_norm(size, filters[1]))


def attention(net, name, below, inputs, heads, key, value, left, right, stride, required):
    """attention-relu-renorm-layer."""
    context = left + 1 + right
    net.node(f"{name}.affine", below, net.affine(heads * (2 * key + value + context), inputs))
    net.node(f"{name}.attention", f"{name}.affine", Component(
        "RestrictedAttentionComponent", NumHeads=heads, KeyDim=key, ValueDim=value, NumLeftInputs=left, NumRightInputs=right, TimeStride=stride, NumLeftInputsRequired=required[0],
        NumRightInputsRequired=required[1], KeyScale=key ** -0.5))
    size = heads * (value + context)
    net.node(f"{name}.relu", f"{name}.attention", net.relu(size))
    return net.node(f"{name}.renorm", f"{name}.relu", Component("NormalizeComponent", InputDim=size)), size
