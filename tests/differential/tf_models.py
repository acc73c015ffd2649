"""Random graphs of TensorFlow: tf_graph.py grows them in an environment of its own."""
import json
import os
import subprocess
import sys

import numpy as np

import judge

ENDING = ".pb"
PROGRAM = []


def asked(seed, folder, output):
    if not PROGRAM:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tf_graph.py")
        PROGRAM.append(subprocess.Popen([sys.executable, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
    print(json.dumps({"seed": seed, "folder": folder, "output": output}), file=PROGRAM[0].stdin, flush=True)
    answer = PROGRAM[0].stdout.readline()
    if answer:
        return json.loads(answer)
    print(f"tf-{seed}: TensorFlow ended with {PROGRAM.pop().wait()}", flush=True)
    return {"operations": [], "values": 0}


def check(folder):
    """What is wrong with the graph that was written, or ""."""
    with np.load(os.path.join(folder, "data.npz")) as data:
        feeds, expected, moved = ({name[2:]: data[name] for name in data.files if name[0] == part} for part in "xyz")
    wrong = judge.judged(os.path.join(folder, "m.pb"), feeds, expected, folder)
    is_stable = all(judge.differs(wanted, moved[name]) is None for name, wanted in expected.items())
    return "" if wrong.startswith("numbers") and not is_stable else wrong


def content(folder):
    with open(os.path.join(folder, "m.pb"), "rb") as file:
        return file.read()


def tried(seed, folder):
    """(operations, what is wrong or "", the file of a model that shows it). Without operations there was no graph."""
    told = asked(seed, folder, None)
    wrong = check(folder) if told["operations"] else ""
    if not wrong:
        return told["operations"], "", None
    model = content(folder)
    for value in range(told["values"]):
        less = check(folder) if asked(seed, folder, value)["operations"] else ""
        if less.split(":")[0] == wrong.split(":")[0]:
            return told["operations"], less, content(folder)
    return told["operations"], wrong, model
