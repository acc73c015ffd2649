"""The scripts of --emit_check for models of TensorFlow, and what TensorFlow's runs of them printed."""
import hashlib
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
RECORDED = os.path.join(HERE, "recorded.json")
TENSORFLOW = os.path.join(ROOT, ".venv-tf", "bin", "python")
NAMES = ["keras2_saved", "keras3_export", "keras3_lstm", "tf1_tags", "meta_graph/model.ckpt.meta"]


def convert(name, folder):
    """The path of the script. The model is given as the same path everywhere, so that the script is the same text."""
    model = "tests/tf/recorded/saved/" + name
    subprocess.run([MO, model, "-o", str(folder), "-n", "m", "--emit_check", "--compress_to_fp16=False"], cwd=ROOT, check=True, capture_output=True)
    return os.path.join(str(folder), "check_m.py")


def digest(script):
    with open(script, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def change_weights(script):
    """Makes the IR beside the script another one than that of the model."""
    import numpy as np
    weights = os.path.join(os.path.dirname(script), "m.bin")
    numbers = np.fromfile(weights, np.float32)
    numbers[np.isfinite(numbers) & (np.abs(numbers) > 1e-3) & (np.abs(numbers) < 10)] += 1
    numbers.tofile(weights)


def run(script):
    """What TensorFlow and OpenVINO make of it: the exit code and the lines that it prints."""
    done = subprocess.run([TENSORFLOW, script], cwd=ROOT, capture_output=True, text=True, timeout=300)
    return {"exit": done.returncode, "prints": done.stdout.splitlines()}


def run_both(script):
    """With the IR as it is, and with changed weights."""
    own = run(script)
    change_weights(script)
    return {"agrees": own, "differs": run(script)}


def can_run():
    """Whether TensorFlow and OpenVINO are installed together."""
    return os.path.exists(TENSORFLOW) and subprocess.run([TENSORFLOW, "-c", "import openvino"], capture_output=True).returncode == 0


def recorded():
    with open(RECORDED, encoding="utf-8") as file:
        return json.load(file)
