"""The command of both hosts under limits of memory and time, and its library in Node on many models at once."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.path.abspath(os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo")))
NODE = ["node", os.path.join(ROOT, "dist", "library", "node", "cli.js")]
ALL = os.environ.get("ATTACK") == "all"
# Sanitisers reserve more addresses than there is memory.
SANITISED = "asan" in MO
MEGABYTE = 1 << 20

# In Node, addresses are no measure either. So each program gets a limit of its own.
LIMIT = """
import os, resource, sys
addresses, seconds = int(sys.argv[1]), int(sys.argv[2])
if addresses: resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
os.execvp(sys.argv[3], sys.argv[3:])
"""


def run(program, *words, folder=None, addresses=512 * MEGABYTE, seconds=20):
    """Ends with 0, 1 or 2, and says nothing but its own lines."""
    limit = addresses if program == [MO] and not SANITISED else 0
    line = [sys.executable, "-I", "-S", "-c", LIMIT, str(limit), str(seconds), *program, *map(str, words)]
    ended = subprocess.run(line, cwd=folder, capture_output=True, timeout=20 * seconds)
    errors, words = ended.stderr.decode(), [str(word)[:80] for word in words]
    assert ended.returncode in (0, 1, 2), (words, ended.returncode, errors[-2000:])
    assert "MO7004" not in errors and "MO7003" not in errors, (words, errors[-2000:])
    if ended.returncode == 1:
        assert errors and all(line.startswith(("[ ERROR ]", "[ WARNING ]")) for line in errors.splitlines()), (words, errors[-2000:])
    return ended.returncode, ended.stdout.decode(), errors


def convert_all(models, name, options=None, seconds=300):
    """The code of each model, by the library in Node, in one process. The option `long` is (name, piece, size) of one that is long."""
    given = b"".join(len(model).to_bytes(4, "little") + model for model in models)
    with tempfile.NamedTemporaryFile() as file:
        file.write(given)
        file.flush()
        script = os.path.join(ROOT, "tests", "attack", "convert-all.mjs")
        line = ["node", script, file.name, name, json.dumps(options or {})]
        ended = subprocess.run(line, capture_output=True, timeout=seconds)
    assert ended.returncode == 0, ended.stderr.decode()
    codes, peak = json.loads(ended.stdout)
    assert peak < 1024 * 1024, peak
    assert len(codes) == len(models) and not {"MO7003", "MO7004"} & set(codes), sorted(set(codes))
    return codes
