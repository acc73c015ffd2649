"""What a conversion costs: processor time and peak memory of the process, which other work on the machine hardly changes.

instructions() counts what caches and other work do not change at all; it needs perf or valgrind, and takes thirty times as long with the latter.

As a program: runs a command within limits, and prints the cost as JSON. A small process has to start the command, because the memory
of the one that starts it counts.
"""
import json
import os
import re
import resource
import shutil
import subprocess
import sys

SPACE = 6 << 30


class Cost:
    """The code is that of a signal, negative, if the process used more time than it may."""

    def __init__(self, seconds, megabytes, code, said):
        self.seconds, self.megabytes, self.code, self.said = seconds, megabytes, code, said


def run(command, seconds):
    return Cost(**json.loads(subprocess.run([sys.executable, "-I", "-S", __file__, str(seconds), *command], stdout=subprocess.PIPE, check=True).stdout))


COUNTERS = (
    (["perf", "stat", "-e", "instructions:u", "-x", ","], r"^(\d+),"),
    (["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"], r"refs:\s+([\d,]+)"),
)


def instructions(command):
    """How many the command takes; None on a machine that cannot count them."""
    for counter, said in COUNTERS:
        if shutil.which(counter[0]):
            ran = subprocess.run([*counter, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            if found := re.search(said, ran.stderr, re.M):
                return int(found.group(1).replace(",", ""))
    return None


def main(seconds, *command):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(writing, 2)
        try:
            os.execv(command[0], command)
        finally:
            os._exit(127)
    os.close(writing)
    said = b""
    while part := os.read(reading, 1 << 16):
        said = said[:4000] + part[:4000]
    _, status, used = os.wait4(child, 0)
    cost = {"seconds": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024, "code": os.waitstatus_to_exitcode(status)}
    print(json.dumps({**cost, "said": said[:4000].decode(errors="replace")}))


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
