"""Whether the shapes of an IR are those that a recorded model says, or better ones: sizes that the model leaves open may be known."""
import numpy as np


def larger(case):
    """Feeds with one more element along each dimension that the inputs leave open."""
    signatures = dict(zip(case.about["inputs"], case.about["in_shapes"]))
    return {name: np.pad(array, [(0, int(size == -1)) for size in signatures[name]], mode="edge") if array.ndim else array for name, array in case.runs[0].items()}


def smaller(case):
    """Feeds without the last element along each dimension that the inputs leave open."""
    signatures = dict(zip(case.about["inputs"], case.about["in_shapes"]))
    return {name: array[tuple(slice(0, max(1, count - 1) if size == -1 else count) for size, count in zip(signatures[name], array.shape))] for name, array in case.runs[0].items()}


def fits(model, feeds):
    """Whether the model's operations take these sizes together: at run time the runtime does not check all of them, and may crash."""
    clone = model.clone()
    shapes = {port: list(feeds[name].shape) for port in clone.inputs for name in port.get_names() if name in feeds}
    try:
        clone.reshape(shapes)
    except RuntimeError:
        return False
    return True


def known_better(model, case, at, got, run):
    """Whether a shape that says more than the model is right: the recorded result has it, and so has the result of larger inputs,
    if the inputs leave dimensions open. A size of the model may be open in the IR if smaller inputs change it.
    `run(model, case, runs)` gives the outputs of one run after the other."""
    said, real = case.about["out_shapes"][at], case.wanted[0][at].shape
    if got is None or len(got) != len(real) or not all(size in (-1, is_) for size, is_ in zip(got, real)):
        return False
    # A model may say what it does not compute: that size is not lost.
    lost = [axis for axis, (size, before, is_) in enumerate(zip(got, said, real)) if before not in (-1, size) and before == is_]
    if lost:
        try:
            other = run(model, case, [smaller(case)])[0][at].shape
        except RuntimeError:
            return False
        return all(other[axis] != real[axis] for axis in lost)
    other = larger(case)
    if all(other[fed].shape == array.shape for fed, array in case.runs[0].items()):
        return True
    if not fits(model, other):
        return True
    try:
        shape = run(model, case, [other])[0][at].shape
    except RuntimeError:
        return False
    return all(size in (-1, is_) for size, is_ in zip(got, shape))
