"""The scripts of --emit_check for models of TensorFlow and TensorFlow Lite, and what the runs of these models by TensorFlow and LiteRT printed."""
import functools
import hashlib
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
RECORDED = os.path.join(HERE, "recorded.json")
TENSORFLOW = os.path.join(ROOT, ".venv-tf", "bin", "python")
NAMES = ["keras2_saved", "keras3_export", "keras3_lstm", "tf1_tags", "meta_graph/model.ckpt.meta"]
# Of TensorFlow Lite: a network of floats, one in integers, weights in integers; inputs and outputs of integers; several of them, with names of a
# signature; states; loops.
LITE = ["networks/picture_layers", "networks/MobileNetV2_int8", "convolutions/separable_hybrid", "convolutions/separable_int8_io", "structure/signature",
        "structure/signature_crossed_names", "control_flow/variable_window", "recurrent/keras_LSTM", "control_flow/WHILE"]


@functools.cache
def operations():
    sys.path.insert(0, os.path.join(ROOT, "tests", "tflite"))
    import lite
    return lite.operations()


def lite_model(name):
    """The path of a recorded model, which is written there first."""
    path = "build/tflite/check/" + name.replace("/", "_") + ".tflite"
    os.makedirs(os.path.join(ROOT, os.path.dirname(path)), exist_ok=True)
    family, _, key = name.partition("/")
    case = operations().get(name)
    if family == "networks":
        import filled
        case = filled.load(key)
    case.write(os.path.join(ROOT, path))
    return path


def convert(name, folder):
    """The path of the script. The model is given as the same path everywhere, so that the script is the same text."""
    model = lite_model(name) if name in LITE else "tests/tf/recorded/saved/" + name
    subprocess.run([MO, model, "-o", str(folder), "-n", "m", "--emit_check", "--compress_to_fp16=False"], cwd=ROOT, check=True, capture_output=True)
    return os.path.join(str(folder), "check_m.py")


def digest(script):
    with open(script, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def change_weights(script):
    """Changes the weights of the IR beside the script, which then differs from the model."""
    import numpy as np
    weights = os.path.join(os.path.dirname(script), "m.bin")
    content = np.fromfile(weights, np.uint8)
    numbers = content[:content.size // 4 * 4].view(np.float32)
    numbers[np.isfinite(numbers) & (np.abs(numbers) > 1e-3) & (np.abs(numbers) < 10)] += 1
    content.tofile(weights)


def run(script):
    """Runs the script with TensorFlow or LiteRT, and OpenVINO: its exit code and the lines that it prints."""
    done = subprocess.run([TENSORFLOW, script], cwd=ROOT, capture_output=True, text=True, timeout=300)
    return {"exit": done.returncode, "prints": done.stdout.splitlines()}


def run_both(script):
    """Runs the script with the IR as it is, and with changed weights."""
    own = run(script)
    change_weights(script)
    return {"agrees": own, "differs": run(script)}


def can_run():
    """Whether TensorFlow and OpenVINO are installed together."""
    return os.path.exists(TENSORFLOW) and subprocess.run([TENSORFLOW, "-c", "import openvino"], capture_output=True).returncode == 0


def recorded():
    with open(RECORDED, encoding="utf-8") as file:
        return json.load(file)
