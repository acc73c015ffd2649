"""What the IR of a recorded model has to have in common with it (tests/recorded/programs.py): names, shapes and numbers."""
import numpy as np

import judge
import open_sizes
from verdicts import Stopped, ports_of

TOLERANCE = 1e-3


def same_or_fixed(model, case, name, got, want):
    """Another input may fix a size that the program leaves open, as that of a batch."""
    if got == want:
        return True
    real = case.runs[0][name].shape
    return len(got) == len(want) and all(size in (said, is_) and said in (-1, size) for size, said, is_ in zip(got, want, real)) and not open_sizes.fits(model, open_sizes.larger(case))


def run(model, case, runs, outputs=lambda ports, case: ports_of(ports, case.about["outputs"], "output")):
    """The outputs of one run after the other, with the same variables. `outputs`: those of the model, in the case's order."""
    def compute():
        import openvino
        compiled = judge.compiled_for_cpu(model)
        request = compiled.create_infer_request()
        found = []
        for feeds in runs:
            for port, array in zip(ports_of(compiled.inputs, list(feeds), "input"), feeds.values()):
                request.set_tensor(port, openvino.Tensor(np.array(array, order="C")))
            request.infer()
            found.append([request.get_tensor(port).data.copy() for port in compiled.outputs])
        return found
    ports = model.outputs
    chosen = [next(at for at, port in enumerate(ports) if port is one) for one in outputs(ports, case)]
    results = judge.kept_results.results(judge.kept_results.content_of(model), f"recorded programs, in floats: {judge.IN_FLOATS}", runs, compute)
    return [[one[at] for at in chosen] for one in results]


def same(name, got, want, random, framework):
    if got.dtype != want.dtype or got.shape != want.shape:
        raise Stopped("type or shape", f"{name}: {got.dtype} {got.shape}, {want.dtype} {want.shape} in {framework}")
    if random:
        return
    if want.dtype.kind not in "fc":
        if not np.array_equal(got, want):
            raise Stopped("numbers", f"{name}: {got.ravel()[:8]}, {want.ravel()[:8]} in {framework}")
        return
    usual = np.isfinite(want)
    if not np.array_equal(got[~usual], want[~usual], equal_nan=True) or not np.isfinite(got[usual]).all():
        raise Stopped("numbers", f"{name}: not finite")
    got, want = got[usual].astype(np.float64), want[usual].astype(np.float64)
    error, limit = np.abs(got - want).max(initial=0), TOLERANCE * max(np.abs(want).max(initial=0), 1e-30)
    if not error <= limit:
        raise Stopped("numbers", f"{name}: off by {error:.3g}, limit {limit:.3g}")


def results(model, case, run):
    """`run`'s answers; the runtime may refuse the model."""
    try:
        return run(model, case, case.runs)
    except RuntimeError as error:
        raise Stopped("runtime", str(error)) from None
