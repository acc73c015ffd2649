"""Little models that could cost much end within a budget of memory and time, as each of tests/attack/bombs/ says: converted, or refused with a
code and the limit as a number. ATTACK=all takes them in full size."""
import json
import os
import re
import subprocess
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bombs  # noqa: E402

CASES = list(bombs.cases(os.environ.get("ATTACK") == "all"))
MEGABYTE = 1 << 20
ADDRESSES = 4096 * MEGABYTE
SECONDS = 60

# The peak of a process counts what its parent had at its fork. So a small process is in between.
MEASURE = """
import json, os, resource, sys
pid = os.fork()
if pid == 0:
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]),) * 2)
    os.execv(sys.argv[3], sys.argv[3:])
_, status, used = os.wait4(pid, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), used.ru_maxrss * 1024, used.ru_utime + used.ru_stime]), file=sys.stderr)
"""


def run(model, folder, *options, addresses=ADDRESSES):
    """Exit code, what it printed, peak in bytes, seconds of the processor."""
    line = [MO, str(model), "--model_name", "m", "--output_dir", str(folder), *options]
    ended = subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, str(addresses), str(SECONDS), *line], capture_output=True, text=True, errors="replace", timeout=10 * SECONDS)
    *said, measured = ended.stderr.splitlines()
    code, peak, seconds = json.loads(measured)
    return code, ended.stdout + "\n".join(said), peak, seconds


@pytest.mark.parametrize("write,size", [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_bomb_stays_in_its_budget(tmp_path, write, size):
    bomb = write(str(tmp_path), size)
    code, said, peak, seconds = run(bomb.model, tmp_path / "out", *bomb.options)
    assert peak <= bomb.budget, (peak / MEGABYTE, bomb.budget / MEGABYTE, said[-2000:])
    assert code in (0, 1) and "MO7" not in said, (code, said[-2000:])
    if bomb.code == "any":
        return
    if bomb.code:
        assert code == 1 and re.search(rf"^\[ ERROR \]  {bomb.code} ", said, re.M), (code, said[-2000:])
        assert bomb.says in said, said[-2000:]
        assert not (tmp_path / "out").exists()
    else:
        assert code == 0, (code, said[-2000:])
        if bomb.largest_bin is not None:
            assert os.path.getsize(tmp_path / "out" / "m.bin") <= bomb.largest_bin
