"""python tests/numeric/faults/run.py NAME...: prints for each what the runtime does with the graph of that module, a line each."""
import importlib
import os
import signal
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import judge  # noqa: E402


# The runtime computes some graphs differently with later instructions: a graph that does not name its own is judged with these, which all machines have.
USUAL = "AVX2"


def verdict(name, tolerance=1e-3):
    module = importlib.import_module("faults." + name)
    os.environ["ONEDNN_MAX_CPU_ISA"] = getattr(module, "INSTRUCTIONS", USUAL)
    model, feeds, wanted = module.build()
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


def print_verdict(name):
    """In a process of its own: one fault may hide another, or end the process."""
    child = os.fork()
    if child == 0:
        signal.alarm(120)
        code = 1
        try:
            print(verdict(name), flush=True)
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGALRM:
        print("crash", flush=True)
    elif status != 0:
        sys.exit(f"{name}: no verdict")


if __name__ == "__main__":
    import openvino  # noqa: F401  once for all: that takes longest
    for name in sys.argv[1:]:
        print_verdict(name)
