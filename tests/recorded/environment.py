"""The Python environment with TensorFlow and LiteRT, in which expected results are recorded."""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENVIRONMENT = os.path.join(ROOT, ".venv-tf")
REQUIREMENTS = os.path.join(ROOT, "scripts", "requirements-tf.txt")


def make_environment():
    """The environment's Python. It is made where it is not there or has other packages."""
    python, made_with = os.path.join(ENVIRONMENT, "bin", "python"), os.path.join(ENVIRONMENT, "requirements.txt")
    with open(REQUIREMENTS, "rb") as file:
        wanted = file.read()
    if not os.path.exists(made_with) or open(made_with, "rb").read() != wanted:
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--clear", ENVIRONMENT], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r", REQUIREMENTS], check=True)
        shutil.copy(REQUIREMENTS, made_with)
    return python


def in_environment():
    """Goes on as the environment's Python."""
    python = make_environment()
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0", PYTHONHASHSEED="0", CUDA_VISIBLE_DEVICES="-1")
    if os.path.realpath(sys.prefix) != os.path.realpath(ENVIRONMENT):
        os.execv(python, [python, *sys.argv])
