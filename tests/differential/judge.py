"""Converts a model, runs its IR in OpenVINO's runtime, and says what differs from the expected results."""
import os
import subprocess

import numpy as np
from apart import Apart

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
PROPERTIES = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
SECONDS = 60


def differs(expected, got):
    """None, or in what two arrays differ. f32 has about seven digits, of which sums and exponentials lose some."""
    if expected.shape != got.shape:
        return f"shape {got.shape}, not {expected.shape}"
    if expected.dtype.kind != "f":
        wrong = np.count_nonzero(expected.astype(float) != got.astype(float))
        return f"{wrong} of {expected.size} elements" if wrong else None
    error = np.abs(expected.astype(float) - got.astype(float))
    scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
    worst = float(np.max(error, initial=0)) / scale if np.all(np.isfinite(got)) else float("inf")
    return f"relative error {worst:.2g}" if worst > 1e-3 else None


def serve(pipe):
    """Runs IRs that come through the pipe."""
    import openvino
    core = openvino.Core()
    pipe.send("ready")
    while True:
        path, feeds, names = pipe.recv()
        try:
            results = core.compile_model(path, "CPU", PROPERTIES)(feeds)
            pipe.send({name: np.array(results[name]) for name in names})
        except Exception as error:  # the runtime throws RuntimeError and others
            pipe.send(" ".join(str(error).split())[-300:])


RUNTIME = Apart(serve, SECONDS)


def judged(path, feeds, expected, folder):
    """"" where all is right, else what is not. `feeds` and `expected`: arrays by the names of tensors."""
    try:
        made = subprocess.run([MO, path, "--output_dir", folder, "--model_name", "m", "--compress_to_fp16=False"], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"converter: no result after {SECONDS} s"
    if made.returncode != 0:
        return "converter: " + " | ".join(line for line in (made.stdout + made.stderr).splitlines() if "ERROR" in line or made.returncode not in (1,))
    results, said = RUNTIME.ask((os.path.join(folder, "m.xml"), feeds, list(expected)))
    if said or isinstance(results, str):
        return "runtime: " + (said or results)
    for name, wanted in expected.items():
        different = differs(wanted, results[name])
        if different:
            return f"numbers: {name}: {different}"
    return ""
