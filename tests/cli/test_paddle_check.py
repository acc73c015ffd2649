"""The script of --emit_check for programs of PaddlePaddle, against a stand-in for PaddlePaddle that computes one network, of both generations."""
import os
import subprocess
import sys

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path[:0] = [os.path.join(ROOT, "tests", "paddle")]
import pir_byhand as pir  # noqa: E402
import program as wire  # noqa: E402
from small import fed, op, var  # noqa: E402

# What the script asks of paddle: it reads a program by the stem of its path, or in a folder by both names; rows of a sequence are fed and fetched with
# their LoD. The third generation has its own programs, unless it is told not to. The network is relu(x), plus what FACTOR says.
PADDLE = '''
import contextlib, os
import numpy as np

__version__ = "VERSION"
told = []
class Array:
    """Not an array, which a result with LoD does not become by itself."""
    def __init__(self, value, lod=None): self.value, self.lod = np.asarray(value), lod
    def __array__(self, dtype=None, copy=None): return self.value
class Variable:
    def __init__(self, name, shape): self.name, self.shape, self.dtype, self.lod_level = name, shape, "paddle.float32", LOD
class Block:
    def __init__(self): self.vars = {"x": Variable("x", (-1, 3)), "y": Variable("y", (-1, 3))}
    def var(self, name): return self.vars[name]
    def has_var(self, name): return name in self.vars
class Operation:
    def __init__(self, kind, name): self.kind, self.called = kind, name
    def name(self): return "pd_op." + self.kind
    def attrs(self): return {"name": self.called}
    def result(self, at): return Variable(self.called, (-1, 3))
class Region:
    ops = [Operation("data", "x"), Operation("fetch", "fetch_name_0")]
class Program:
    def __init__(self, is_desc): self.is_desc = is_desc
    def global_block(self): return Block() if self.is_desc else Region()
class Executor:
    def __init__(self, place): pass
    def run(self, program, feed, fetch_list, return_numpy):
        assert program.is_desc == bool(told or not NEW) and len(fetch_list) == 1 and return_numpy is False
        x = feed["x"]
        if LOD:
            assert x.lod == [[len(x.value)]]
        return [Array(np.maximum(np.asarray(x), 0) + float(os.environ["FACTOR"]), lod=LOD)]
class static:
    Executor = Executor
    @staticmethod
    def load_inference_model(path, executor, **names):
        program, parameters = (path + (".pdmodel" if told or not NEW else ".json"), None) if not names else (os.path.join(path, names["model_filename"]), names["params_filename"])
        assert os.path.isfile(program), program
        assert parameters in (None, "__params__"), parameters
        is_desc = not program.endswith(".json")
        assert is_desc == bool(told or not NEW), "a program of the other generation"
        return Program(is_desc), ["x"], ["y"] if is_desc else ["the value"]
class base:
    @staticmethod
    def create_lod_tensor(array, lod, place): return Array(array, lod)
def enable_static(): pass
def CPUPlace(): return "cpu"
'''
NEWER = '''
class pir_utils:
    @staticmethod
    @contextlib.contextmanager
    def OldIrGuard():
        told.append(1)
        yield
        told.pop()
'''


def desc(lod):
    return fed([var("x", (-1, 3), lod=lod)], ["y"], [op("relu", {"X": "x"}, {"Out": "y"})], [var("y", (-1, 3))])


def program_of_3():
    b = pir.Block()
    b.fetch(b.op("1.relu", [b.data("x", [-1, 3])], [pir.tensor([-1, 3])]), pir.tensor([-1, 3]))
    return pir.program(b)


def checked(folder, model, is_new, lod=0, more=0.0, options=()):
    """The script's exit code and what it prints."""
    text = PADDLE.replace("VERSION", "3.3.1" if is_new else "2.6.2").replace("NEW", str(is_new)).replace("LOD", str(lod))
    (folder / "stand_in").mkdir(exist_ok=True)
    (folder / "stand_in" / "paddle.py").write_text(text + (NEWER if is_new else ""))
    done = subprocess.run([MO, model, "-o", folder / "out", "-n", "net", "--emit_check", "--compress_to_fp16=False"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    environment = {**os.environ, "PYTHONPATH": str(folder / "stand_in"), "FACTOR": str(more)}
    done = subprocess.run([sys.executable, folder / "out" / "check_net.py", *options], capture_output=True, text=True, timeout=120, env=environment)
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize("is_new", [False, True], ids=["2", "3"])
@pytest.mark.parametrize("name", ["m.pdmodel", "__model__"])
def test_a_program_desc_in_both_generations(name, is_new, tmp_path):
    path = tmp_path / "model" / name
    path.parent.mkdir()
    path.write_bytes(desc(0))
    for model in (path, path.parent) if name == "__model__" else (path,):
        code, text = checked(tmp_path, model, is_new)
        assert code == 0 and "The outputs agree." in text, text
    code, text = checked(tmp_path, path, is_new, more=0.5)
    assert code == 1 and "ABOVE THE TOLERANCE" in text, text


def test_names_of_1_x_beside_it(tmp_path):
    """The program and its parameters have no endings."""
    parameters = {"w": np.zeros(3, np.float32)}
    ops = [op("relu", {"X": "x"}, {"Out": "r"}), op("elementwise_add", {"X": "r", "Y": "w"}, {"Out": "y"}, axis=-1)]
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "__model__").write_bytes(fed([var("x", (-1, 3))], ["y"], ops, [var("r", (-1, 3)), var("y", (-1, 3))], parameters=parameters))
    (folder / "__params__").write_bytes(wire.combined(parameters))
    code, text = checked(tmp_path, folder / "__model__", False)
    assert code == 0 and "The outputs agree." in text, text


@pytest.mark.parametrize("is_new", [False, True], ids=["2", "3"])
def test_rows_of_a_sequence_are_fed_as_one(is_new, tmp_path):
    path = tmp_path / "m.pdmodel"
    path.write_bytes(desc(1))
    code, text = checked(tmp_path, path, is_new, 1, options=("--shape", "x=5,3"))
    assert code == 0 and "f32 [5, 3]" in text and "The outputs agree." in text, text


def test_a_program_of_3(tmp_path):
    """In PaddlePaddle 3 it is compared, an older one is told from it before it reads the program."""
    path = pir.write(tmp_path, program_of_3())
    with open(os.path.join(os.path.dirname(path), "inference.yml"), "w", encoding="utf-8") as file:
        file.write("PreProcess:\n  transform_ops:\n  - NormalizeImage: null\n")
    code, text = checked(tmp_path, path, True)
    assert code == 0 and "The outputs agree." in text, text
    code, text = checked(tmp_path, path, False)
    assert code == 2 and "is a program of PaddlePaddle 3, and paddlepaddle is 2.6.2: install a newer one" in text, text
