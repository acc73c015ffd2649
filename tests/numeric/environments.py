"""Programs in the Python environment of a runtime. Each environment has one process, because to begin one takes as long as many small models."""
import functools
import json
import os
import select
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OLDEST = ".venv-2023"

# What runtimes print must not come between the answers.
SERVER = r"""
import contextlib, io, json, os, sys, traceback
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    program, sys.argv[1:] = json.loads(line)
    printed, wrong = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(printed):
            exec(program, {"__name__": "__main__"})
    except BaseException:
        wrong = traceback.format_exc()
    print(json.dumps([printed.getvalue(), wrong]), file=answers, flush=True)
"""


@functools.cache
def process(environment):
    return subprocess.Popen([os.path.join(ROOT, environment, "bin", "python"), "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def run(environment, program, *arguments, seconds=600):
    """What the text of a program prints, with `arguments` in sys.argv. An exception in it, an end of its process, and too much time are errors."""
    server = process(environment)
    print(json.dumps([program, [str(argument) for argument in arguments]]), file=server.stdin, flush=True)
    if not select.select([server.stdout], [], [], seconds)[0]:
        server.kill()
    answer = server.stdout.readline()
    if not answer:
        process.cache_clear()  # the next program gets another process
        raise AssertionError(f"the process of {environment} ends with {server.wait()}")
    printed, wrong = json.loads(answer)
    assert wrong == "", wrong[-2000:]
    return printed
