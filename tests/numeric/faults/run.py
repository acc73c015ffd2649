"""python tests/numeric/faults/run.py NAME: prints what the runtime does with the graph of that module."""
import importlib
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import judge  # noqa: E402


def verdict(name, tolerance=1e-3):
    model, feeds, wanted = importlib.import_module("faults." + name).build()
    try:
        compiled = judge.compiled_for_cpu(model, {})
    except RuntimeError:
        return "does not compile"
    results = compiled(feeds)
    for port, want in zip(compiled.outputs, wanted, strict=True):
        got = results[port]
        if got.shape != want.shape or not np.allclose(got, want, rtol=tolerance, atol=tolerance, equal_nan=True):
            return "wrong numbers"
    return "right"


if __name__ == "__main__":
    print(verdict(sys.argv[1]))
