"""The scripts of --emit_check for models of TensorFlow, TensorFlow Lite and PyTorch, and what the runs of these models by TensorFlow, LiteRT and PyTorch printed."""
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
TENSORFLOW, PYTORCH = (os.path.join(ROOT, ".venv-" + name, "bin", "python") for name in ("tf", "torch"))
NAMES = ["keras2_saved", "keras3_export", "keras3_lstm", "tf1_tags", "meta_graph/model.ckpt.meta"]
# Of TensorFlow Lite: a network of floats, one in integers, weights in integers; inputs and outputs of integers; several of them, with names of a
# signature; states; loops.
LITE = ["networks/picture_layers", "networks/MobileNetV2_int8", "convolutions/separable_hybrid", "convolutions/separable_int8_io", "structure/signature",
        "structure/signature_crossed_names", "control_flow/variable_window", "recurrent/keras_LSTM", "control_flow/WHILE"]
# Of PyTorch: several results, recurrent layers, decomposed, complex numbers, buffers that are written, results by keys.
TORCH = ["networks/vae", "networks/tagger", "networks/vgg_core", "complex_numbers/weights", "wrappers/state", "networks_transformers/bert"]


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


def torch_model(name):
    """The path of a recorded program, which is written there first."""
    path = "build/pytorch/check/" + name.replace("/", "_") + ".pt2"
    os.makedirs(os.path.join(ROOT, os.path.dirname(path)), exist_ok=True)
    sys.path[:0] = [os.path.join(ROOT, "tests", "pytorch"), os.path.join(ROOT, "tests", "recorded")]
    import stored_torch
    stored_torch.everything([name.partition("/")[0]])[name].write(os.path.join(ROOT, path))
    return path


def convert(name, folder):
    """The path of the script. The model is given as the same path everywhere, so that the script is the same text."""
    model = lite_model(name) if name in LITE else torch_model(name) if name in TORCH else "tests/tf/recorded/saved/" + name
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


def python_of(name):
    """The Python that has the model's framework, and what is added to its environment so that it has OpenVINO, too."""
    if name not in TORCH:
        return TENSORFLOW, {}
    packages = subprocess.run([os.path.join(ROOT, ".venv", "bin", "python"), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, text=True)
    return PYTORCH, {"PYTHONPATH": packages.stdout.strip()}


def run(script, name):
    """Runs the script with the model's framework and OpenVINO: its exit code and the lines that it prints."""
    python, more = python_of(name)
    done = subprocess.run([python, script], cwd=ROOT, capture_output=True, text=True, timeout=300, env={**os.environ, **more})
    return {"exit": done.returncode, "prints": done.stdout.splitlines()}


def run_both(script, name):
    """Runs the script with the IR as it is, and with changed weights."""
    own = run(script, name)
    change_weights(script)
    return {"agrees": own, "differs": run(script, name)}


def can_run(name):
    """Whether the framework and OpenVINO are installed together."""
    if not os.path.exists(PYTORCH if name in TORCH else TENSORFLOW):
        return False
    python, more = python_of(name)
    return subprocess.run([python, "-c", "import openvino"], capture_output=True, env={**os.environ, **more}).returncode == 0


def recorded():
    with open(RECORDED, encoding="utf-8") as file:
        return json.load(file)
