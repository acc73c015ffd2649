"""A command that is killed, whenever that is, leaves no .xml without its whole .bin, nor with the .bin of another model; nor do two
commands that write one name at the same time."""
import ctypes
import filecmp
import os
import signal
import subprocess
import time

import pytest

from test_large_files import MO, NODE, write_model

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
TRACEME, GETREGS, SYSCALL, SETOPTIONS = 0, 12, 24, 0x4200
SYSCALLS_AND_THREADS_AND_KILL = 0x1 | 0x8 | 0x100000
SYSCALL_STOP = signal.SIGTRAP | 0x80
# rename, unlink, renameat, unlinkat, linkat, renameat2 of x86-64.
MOVES = {82, 87, 264, 263, 265, 316}
ORIG_RAX = 15


def line(tool, model, out):
    return [*tool, str(model), "--model_name", "m", "--output_dir", str(out), "--compress_to_fp16=False"]


@pytest.fixture(scope="module", params=[MO, NODE], ids=["native", "package"])
def models(request, tmp_path_factory):
    """Two models of 200 MB, the whole pair of each, and the seconds that it takes."""
    folder = tmp_path_factory.mktemp("killed")
    for name, rows in (("older", 50000), ("newer", 51200)):
        write_model(folder / f"{name}.onnx", rows, 1024, False)
        (folder / name).mkdir()
        began = time.monotonic()
        subprocess.run(line(request.param, folder / f"{name}.onnx", folder / name), check=True, capture_output=True, timeout=60)
        seconds = time.monotonic() - began
    yield request.param, folder, seconds
    for name in ("older", "newer"):
        os.remove(folder / name / "m.bin")


def start_over(folder, out, overwrites):
    out.mkdir(exist_ok=True)
    for name in os.listdir(out):
        os.remove(out / name)
    for name in ("m.xml", "m.bin") if overwrites else ():
        os.link(folder / "older" / name, out / name)


def pair_in(folder, out):
    """Which pair is there: "older", "newer" or "none". Fails if an .xml is there without the .bin that belongs to it."""
    if not (out / "m.xml").exists():
        return "none"
    name = "older" if os.path.samefile(out / "m.xml", folder / "older" / "m.xml") else "newer"
    assert filecmp.cmp(out / "m.xml", folder / name / "m.xml", shallow=False)
    same = os.path.samefile(out / "m.bin", folder / name / "m.bin") or filecmp.cmp(out / "m.bin", folder / name / "m.bin", shallow=False)
    assert same, f"the .xml of {name} has another .bin"
    return name


def is_writing(process, out):
    """Whether the process has a file of the folder open, with a name or without one."""
    folder = f"/proc/{process.pid}/fd"
    try:
        return any(os.path.dirname(os.readlink(os.path.join(folder, number))) == str(out) for number in os.listdir(folder))
    except FileNotFoundError:  # it is closed by now
        return False


@pytest.mark.parametrize("overwrites", [False, True], ids=["new", "overwriting"])
def test_killed_at_any_time(models, overwrites):
    tool, folder, seconds = models
    out, times = folder / "timed", 20 if tool is MO else 6
    found, writing = [], ("older" if overwrites else "none", True)
    # Once at each time, then at times between them until a command was killed while it wrote.
    for i in range(times * 4):
        if i >= times and writing in found:
            break
        start_over(folder, out, overwrites)
        began, wrote = time.monotonic(), False
        process = subprocess.Popen(line(tool, folder / "newer.onnx", out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(seconds * (i % times + 1 - i // times / 4) / times)
            seconds = min(seconds, time.monotonic() - began)  # the machine was busy when it was measured
        except subprocess.TimeoutExpired:
            wrote = is_writing(process, out)
            process.kill()
            process.wait()
        found.append((pair_in(folder, out), wrote))
    start_over(folder, out, False)
    assert writing in found


def kill(process):
    os.kill(process, signal.SIGKILL)


def run_until(command, moves, then=kill):
    """Does `then` with the command after its `moves`th change of a name in a folder, while it is stopped; whether it came that far."""
    process = os.fork()
    if process == 0:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1), os.dup2(null, 2)
        libc.ptrace(TRACEME, 0, None, None)
        os.kill(os.getpid(), signal.SIGSTOP)
        os.execvp(command[0], command)
    os.waitpid(process, 0)
    libc.ptrace(SETOPTIONS, process, None, SYSCALLS_AND_THREADS_AND_KILL)
    libc.ptrace(SYSCALL, process, None, None)
    seen, entered, registers = 0, {}, (ctypes.c_ulonglong * 27)()
    while True:
        task, status = os.waitpid(-1, 0x40000000)  # threads, too
        if task == process and (os.WIFEXITED(status) or os.WIFSIGNALED(status)):
            assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
            return seen >= moves
        if not os.WIFSTOPPED(status):
            continue
        stop = os.WSTOPSIG(status)
        if stop == SYSCALL_STOP:
            entered[task] = not entered.get(task, False)
            libc.ptrace(GETREGS, task, None, registers)
            if not entered[task] and registers[ORIG_RAX] in MOVES:
                seen += 1
                if seen == moves:
                    then(process)
        passed_on = 0 if stop in (SYSCALL_STOP, signal.SIGTRAP, signal.SIGSTOP) else stop
        libc.ptrace(SYSCALL, task, None, passed_on)


@pytest.mark.parametrize("overwrites", [False, True], ids=["new", "overwriting"])
def test_killed_between_two_moves(models, overwrites):
    tool, folder, _ = models
    out, found, moves = folder / "stepped", [], 0
    while True:
        moves += 1
        start_over(folder, out, overwrites)
        killed = run_until(line(tool, folder / "newer.onnx", out), moves)
        found.append(pair_in(folder, out))
        if not killed:
            break
    start_over(folder, out, False)
    assert len(found) >= (4 if overwrites else 2)
    assert found[-1] == "newer"


class Beside:
    """A command that runs beside one that is stopped. It is no child of this process, which waits for all of its children."""

    def __init__(self, command, log):
        self.log = log
        script = '"$@" > /dev/null 2>&1; echo $? > "$LOG.new"; mv "$LOG.new" "$LOG"'
        subprocess.run(["sh", "-c", f"({script}) &", "sh", *command], check=True, env={**os.environ, "LOG": str(log)})

    def ends_within(self, seconds):
        deadline = time.monotonic() + seconds
        while not self.log.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        return self.log.exists()


@pytest.mark.parametrize("overwrites", [False, True], ids=["new", "overwriting"])
def test_two_commands_that_write_one_name(models, overwrites):
    tool, folder, seconds = models
    out, moves, waited = folder / "both", 0, False
    while True:
        moves += 1
        start_over(folder, out, overwrites)
        log = folder / f"both-{moves}.log"
        other = []

        def start_other(_process):
            other.append(Beside(line(tool, folder / "older.onnx", out), log))
            other[0].ends_within(2 * seconds + 0.5)

        stopped = run_until(line(tool, folder / "newer.onnx", out), moves, start_other)
        if not stopped:
            break
        assert other[0].ends_within(60) and log.read_text() == "0\n"
        with_other = pair_of(folder, out)
        log.unlink()
        assert with_other in ("older", "newer")
        assert sorted(os.listdir(out)) == ["m.bin", "m.xml"]
        waited = True
    start_over(folder, out, False)
    assert waited and moves > 2


def pair_of(folder, out):
    """Which of both models the pair in the folder is, by its content."""
    found = [name for name in ("older", "newer") if all(filecmp.cmp(out / file, folder / name / file, shallow=False) for file in ("m.xml", "m.bin"))]
    return found[0] if found else "a mixture"
