"""The script of --emit_check for symbols of MXNet, against a stand-in for MXNet that computes one network, and against --expected."""
import os
import subprocess
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_mxnet_files import ARRAYS, BIAS, ROOT, WEIGHT, X, array_list, convolution, put, run  # noqa: E402

sys.path[:0] = [os.path.join(ROOT, "tests", "mxnet"), os.path.join(ROOT, "tests", "recorded")]
import stored_mxnet  # noqa: E402

# What the script asks of mxnet: a symbol with its internals, arrays, and an executor.
MXNET = '''
import json, struct
import numpy as np

class Array:
    def __init__(self, value): self.value = np.asarray(value); self.shape = self.value.shape
    def asnumpy(self): return self.value
class Executor:
    def __init__(self, bound): self.bound = bound
    def forward(self, is_train):
        assert is_train is False
        x, w, b = (self.bound[name].value for name in ("data", "c_weight", "c_bias"))
        return [Array(np.einsum("nchw,fc->nfhw", x, w[:, :, 0, 0]) + b[:, None, None])]
class Symbol:
    def get_internals(self): return self
    def __getitem__(self, name): return self
    def list_outputs(self): return ["data", "c_weight", "c_bias", "c_output"]
    def list_inputs(self): return ["data", "c_weight", "c_bias"]
    list_arguments = list_inputs
    def list_auxiliary_states(self): return []
    def infer_shape_partial(self, **shapes): return [shapes.get(name, (1,)) for name in self.list_inputs()], [], []
    def bind(self, device, bound, aux_states, grad_req): return Executor(bound)
class sym:
    @staticmethod
    def load(path):
        assert json.load(open(path))["nodes"]
        return Symbol()
    @staticmethod
    def Group(symbols): return symbols[0]
class nd:
    @staticmethod
    def load(path):
        assert struct.unpack("<Q", open(path, "rb").read(8))[0] == 0x112
        return {"arg:c_weight": Array(np.load(path + ".npz")["w"]), "arg:c_bias": Array(np.load(path + ".npz")["b"])}
    @staticmethod
    def array(value, dtype): return Array(np.asarray(value, dtype))
    @staticmethod
    def zeros(shape): return Array(np.zeros(shape, np.float32))
def cpu(): return "cpu"
'''


def checked(folder, *arguments, python=()):
    done = subprocess.run([sys.executable, folder / "out" / "check_net.py", *map(str, arguments)], capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, python))})
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize("given, others", [("net-0003.params", ()), ("net-symbol.json", ()), ("net-0003.params", ("--input_symbol", "net-symbol.json"))])
def test_the_script_finds_both_files(tmp_path, given, others):
    put(tmp_path, **{"net-symbol.json": convolution(), "net-0003.params": array_list.written(ARRAYS), "mxnet.py": MXNET})
    np.savez(tmp_path / "net-0003.params.npz", w=WEIGHT, b=BIAS)
    others = [tmp_path / one if one.startswith("net") else one for one in others]
    result = run("--input_model", tmp_path / given, "-o", tmp_path / "out", "-n", "net", "--emit_check", "--compress_to_fp16=False", *others)
    assert result.returncode == 0, result.stderr
    code, text = checked(tmp_path, "--shape", "data=2,3,5,6", python=[tmp_path])
    assert code == 0 and "The outputs agree." in text, text
    np.savez(tmp_path / "net-0003.params.npz", w=WEIGHT + 1, b=BIAS)
    code, text = checked(tmp_path, "--shape", "data=2,3,5,6", python=[tmp_path])
    assert code == 1 and "ABOVE THE TOLERANCE" in text, text


def test_without_mxnet(tmp_path):
    put(tmp_path, **{"net-symbol.json": convolution(), "net-0003.params": array_list.written(ARRAYS)})
    result = run("--input_model", tmp_path / "net-0003.params", "-o", tmp_path / "out", "-n", "net", "--emit_check", "--compress_to_fp16=False")
    assert result.returncode == 0, result.stderr
    put(tmp_path / "none", **{"mxnet.py": "raise ImportError('No module named mxnet')\n"})
    code, text = checked(tmp_path, "--shape", "data=2,3,5,6", python=[tmp_path / "none"])
    assert code == 2 and "Not comparable: No module named mxnet. Install it with pip." in text
    want = np.einsum("nchw,fc->nfhw", X, WEIGHT[:, :, 0, 0]) + BIAS[:, None, None]
    np.save(tmp_path / "x.npy", X)
    np.savez(tmp_path / "y.npz", c_output=want)
    code, text = checked(tmp_path, "--data", f"data={tmp_path / 'x.npy'}", "--expected", tmp_path / "y.npz")
    assert code == 0, text


@pytest.mark.parametrize("shift, code", [(0, 0), (0.5, 1)])
def test_rows_of_detections_are_compared_by_value(tmp_path, shift, code):
    """MXNet has [images, boxes, 6], the IR [1, 1, N, 7]."""
    case = stored_mxnet.everything(["boxes"])["boxes/contrib_MultiBoxDetection"]
    case.write(tmp_path / "net-symbol.json")
    result = run("--input_model", tmp_path / "net-symbol.json", "-o", tmp_path / "out", "-n", "net", "--emit_check", "--compress_to_fp16=False")
    assert result.returncode == 0, result.stderr
    given = []
    for name, array in case.runs[0].items():
        np.save(tmp_path / (name + ".npy"), array)
        given += ["--data", f"{name}={tmp_path / name}.npy"]
    want = case.wanted[0][0]
    np.savez(tmp_path / "y.npz", contrib_multiboxdetection0=np.where(np.arange(6) == 1, want + shift * (want[..., :1] >= 0), want))
    found, text = checked(tmp_path, *given, "--expected", tmp_path / "y.npz")
    assert found == code and f"detections: {(want[..., 0] >= 0).sum()} in the model" in text, text
