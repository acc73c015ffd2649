class Expected:
    """What --expected gives."""

    def __init__(self, path):
        self.arrays = np.load(path)

    def run(self, feeds, names):
        return [next((self.arrays[name] for name in known if name in self.arrays), None) for known in names]


def compiled_ir(path, inputs):
    """The IR as it is read, and compiled."""
    import openvino
    core = openvino.Core()
    model = core.read_model(path)
    if len(model.inputs) != inputs:
        raise NotComparable("the IR has %d inputs, this script is for one with %d" % (len(model.inputs), inputs))
    # Sums of products of bytes overflow on many processors: what is quantised is computed in floating point, too.
    settings = {"INFERENCE_PRECISION_HINT": "f32", "LP_TRANSFORMS_MODE": "NO"}
    return model, core.compile_model(model, "CPU", settings)


def in_openvino(path, arrays):
    model, compiled = compiled_ir(path, len(arrays))
    fed = {i: np.array(array, port.element_type.to_dtype(), order="C") for i, (port, array) in enumerate(zip(compiled.inputs, arrays))}
    result = compiled(fed)
    makers = [port.get_node().input_value(0).get_node().get_type_name() for port in model.outputs]
    return [result[i] for i in range(len(compiled.outputs))], [maker == "DetectionOutput" for maker in makers]


def are_detections(want, got, detects):
    """MXNet's rows are class, score and corners of each image, those of the IR begin with the number of the image."""
    if FACTS["framework"] == "mxnet":
        return want.ndim == 3 and want.shape[-1] == 6 and got.ndim == 4 and got.shape[-1] == 7
    return detects and FACTS["framework"] == "caffe" and want.ndim > 0 and want.shape[-1] == got.shape[-1]


def detections(rows):
    """Those before the end: Caffe has no more rows, the runtime marks the next one by an image of -1, OpenCV fills up with zeros, and MXNet gives
    the class -1 to what is suppressed. By image and class, the best first: OpenCV has them by score alone where there are more than keep_top_k."""
    if rows.ndim == 3 and rows.shape[-1] == 6:
        images = np.broadcast_to(np.arange(len(rows))[:, None, None], rows.shape[:2] + (1,))
        rows = np.concatenate([images, rows], -1)
        rows = rows[rows[..., 1] >= 0]
    rows = rows.reshape(-1, rows.shape[-1])
    end = np.flatnonzero((rows[:, 0] < 0) | ~rows.any(axis=1))
    rows = rows[:end[0]] if len(end) else rows
    return rows[np.lexsort((-rows[:, 2], rows[:, 1], rows[:, 0]))] if rows.shape[-1] == 7 else rows


def errors(want, got):
    """The largest difference, and its part of the largest number. Numbers that are not finite have to be the same."""
    want, got = np.asarray(want).astype(np.float64), np.asarray(got).astype(np.float64)
    same = (want == got) | np.isnan(want) & np.isnan(got)
    with np.errstate(invalid="ignore"):
        apart = np.where(same, 0, np.abs(want - got))
    apart = np.where(np.isfinite(apart), apart, np.inf)
    finite = np.abs(want[np.isfinite(want)])
    largest = finite.max() if finite.size else 0
    absolute = apart.max() if apart.size else 0
    return absolute, absolute if largest == 0 else absolute / largest


def compare(wanted, results, tolerance):
    """The exit code."""
    code, compared = 0, 0
    for one, want, got, detects in zip(OUTPUTS, wanted, *results):
        name = one["name"]
        if want is None:
            print("%-32s not comparable: the model has no such tensor" % name)
            continue
        want = np.asarray(want)
        if want.dtype.kind in "OSU":
            print("%-32s not comparable: texts" % name)
            continue
        want = want.transpose(one["order"]) if one["order"] else want
        compared += 1
        if are_detections(want, got, detects):
            want, got = detections(want), detections(got)
            print("%-32s detections: %d in the model, %d in the IR" % (name, len(want), len(got)))
        if want.shape != got.shape:
            print("%-32s WRONG SHAPE: %s in the model, %s in the IR" % (name, list(want.shape), list(got.shape)))
            code = 1
            continue
        absolute, relative = errors(want, got)
        bad = not relative <= tolerance
        code = max(code, int(bad))
        print("%-32s largest error %.3g, relative %.3g%s" % (name, absolute, relative, "  ABOVE THE TOLERANCE" if bad else ""))
    if compared == 0:
        raise NotComparable("no output of the IR is one of the model")
    return code


def compare_runs(args):
    """The exit code, and the tolerance."""
    framework = {"onnx": Onnx, "tf": Tensorflow, "tflite": TensorflowLite, "caffe": Caffe, "paddle": Paddle, "mxnet": Mxnet, "pytorch": Pytorch, "kaldi": Kaldi}.get(FACTS["framework"])
    if framework is None and not args.expected:
        raise NotComparable("models of %s are not run by this script" % FACTS["framework"])
    if "transform" in OPTIONS:
        print("--transform %s: inputs that the IR keeps as states are zeros" % OPTIONS["transform"])
    new = [one["name"] for one in INPUTS if not one["names"]]
    if new:
        raise NotComparable("inputs that the model does not have: %s" % ", ".join(new))
    if framework is Kaldi:
        tolerance = TOLERANCE if args.tolerance is None else args.tolerance
        return Kaldi(args).compare(tolerance), tolerance
    runner = Expected(args.expected) if args.expected else framework(model_path(args.model))
    pairs = inputs(args, getattr(runner, "quantised", lambda one: None))
    feeds = [(one["names"], array, one["type"]) for one, (array, _) in zip(INPUTS, pairs)]
    feeds += [(one["names"], lambda dtype, shape, one=one: np.asarray(frozen_value(one, dtype, shape)), "") for one in FROZEN]
    for one, (array, fed) in zip(INPUTS, pairs):
        print("%-32s %s %s" % (one["name"], one["type"], list(fed.shape)))
    wanted = runner.run(feeds, [one["names"] for one in OUTPUTS])
    tolerance = args.tolerance if args.tolerance is not None else TOLERANCE_OF_INTEGERS if getattr(runner, "rounds", False) else TOLERANCE
    results = in_openvino(args.ir, [fed for _, fed in pairs])
    if args.float_ir:
        for one, real, got in zip(OUTPUTS, in_openvino(args.float_ir, [fed for _, fed in pairs])[0], results[0]):
            print("%-32s from the float IR: largest error %.3g, relative %.3g" % ((one["name"],) + errors(real, got)))
    return compare(wanted, results, tolerance), tolerance


def main():
    args = arguments(Kaldi.arguments if FACTS["framework"] == "kaldi" else lambda parser: None)
    try:
        code, tolerance = compare_runs(args)
    except NotComparable as error:
        print("Not comparable: %s" % error)
        return 2
    except ImportError as error:
        print("Not comparable: %s. Install it with pip." % error)
        return 2
    except Exception as error:  # of a runtime: whatever its classes are
        print("Not comparable: %s: %s" % (type(error).__name__, error))
        return 2
    print("The outputs agree." if code == 0 else "The outputs differ: tolerance %g." % tolerance)
    return code


if __name__ == "__main__":
    sys.exit(main())
