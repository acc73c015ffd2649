"""The Python environments with TensorFlow and LiteRT, with PaddlePaddle, with MXNet, and with PyTorch, in which expected results are recorded; and others that are made like them."""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def make(folder, requirements, *options):
    """The Python of the environment in `folder`. It is made if it does not exist or has other packages; `options` are pip's."""
    python, made_with = os.path.join(folder, "bin", "python"), os.path.join(folder, "requirements.txt")
    with open(requirements, "rb") as file:
        wanted = file.read()
    if not os.path.exists(made_with) or open(made_with, "rb").read() != wanted:
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *options, "-r", requirements], check=True)
        shutil.copy(requirements, made_with)
    return python


def go_on_as(python, folder):
    """Runs this program from its beginning with the Python of the environment in `folder`, unless it is that."""
    if os.path.realpath(sys.prefix) != os.path.realpath(folder):
        os.execv(python, [python, *sys.argv])


def named(name):
    """.venv-NAME, which is made if need be, and its Python."""
    folder = os.path.join(ROOT, ".venv-" + name)
    return folder, make(folder, os.path.join(ROOT, "scripts", f"requirements-{name}.txt"), "--no-deps")


def in_environment(name="tf"):
    """Runs this program from its beginning with the Python of .venv-NAME, unless it is that."""
    folder, python = named(name)
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0", PYTHONHASHSEED="0", CUDA_VISIBLE_DEVICES="-1", GLOG_minloglevel="2", MXNET_SUBGRAPH_BACKEND="NONE", MXNET_ENGINE_TYPE="NaiveEngine", MXNET_STORAGE_FALLBACK_LOG_VERBOSE="0")
    go_on_as(python, folder)
