"""What the native command leaves when a signal ends it, and what it takes away of others: drafts are locked, have names that nobody can
guess, and follow no link."""
import ctypes
import fcntl
import os
import shutil
import signal
import stat
import struct
import subprocess
import time

import pytest

from test_large_files import NODE, write_model
from test_output import MO

libc = ctypes.CDLL(None, use_errno=True)
NO_NEW_PRIVS, SET_SECCOMP, FILTER = 38, 22, 2
OPENAT, UNNAMED, REFUSED = 257, 0x400000, 0x50000 | 95  # of x86-64; the bit of O_TMPFILE; EOPNOTSUPP
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
DIGITS = "0123456789abcdef" * 2


def without_unnamed_files():
    """From here on the process can only create files with names, as on some file systems."""
    steps = [(0x20, 0, 0, 0), (0x15, 0, 3, OPENAT), (0x20, 0, 0, 32), (0x45, 0, 1, UNNAMED), (0x06, 0, 0, REFUSED), (0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)))
    assert libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) == 0 and libc.prctl(SET_SECCOMP, FILTER, program, 0, 0) == 0


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("interrupted")
    write_model(folder / "m.onnx", 50000, 1024, False)
    yield folder / "m.onnx"
    os.remove(folder / "m.onnx")


@pytest.fixture(params=[None, without_unnamed_files], ids=["unnamed", "named"])
def files(request):
    return request.param


def start(model, out, *more, files=None, **how):
    return subprocess.Popen([MO, str(model), "--model_name", "m", "--output_dir", str(out), *more], preexec_fn=files,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **how)


def convert(model, out):
    return subprocess.run([MO, str(model), "--model_name", "m", "--output_dir", str(out)], capture_output=True, text=True, timeout=60)


def drafts(out):
    return [name for name in (os.listdir(out) if os.path.exists(out) else []) if name.endswith(".part")]


def wait_until(look, process):
    while process.poll() is None and not look():
        time.sleep(0.001)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_leaves_nothing(model, tmp_path, files, number):
    began = time.monotonic()
    assert start(model, tmp_path / "timed", files=files).wait(60) == 0
    seconds, ended = time.monotonic() - began, 0
    os.remove(tmp_path / "timed" / "m.bin")
    for i in range(24):
        out = tmp_path / "new" / "folder"
        process = start(model, out, files=files)
        time.sleep(seconds * (i % 12) / 12)
        process.send_signal(number)
        code = process.wait(60)
        assert code in (0, -number)
        if code == 0:
            seconds *= 0.8  # another run may be faster than the one that was timed
        if code == 0 or (tmp_path / "new").exists():  # the signal came when everything was written
            assert sorted(os.listdir(out)) == ["m.bin", "m.xml"]
            shutil.rmtree(tmp_path / "new")
        else:
            ended += 1
    assert ended > 2


def test_a_signal_leaves_the_older_pair_or_the_new_one(model, tmp_path, files):
    for name in ("m.xml", "m.bin"):
        (tmp_path / name).write_text("older")
    for i in range(8):
        process = start(model, tmp_path, files=files)
        time.sleep(0.02 * (i + 1))
        process.terminate()
        process.wait(60)
        assert sorted(os.listdir(tmp_path)) == ["m.bin", "m.xml"]
        # The signal may come when everything is written.
        assert len({(tmp_path / name).read_bytes() == b"older" for name in ("m.xml", "m.bin")}) == 1


def test_signals_that_are_ignored_stay_so(model, tmp_path, files):
    def nohup():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        if files:
            files()

    process = start(model, tmp_path, files=nohup)
    wait_until(lambda: drafts(tmp_path) or not files, process)
    process.send_signal(signal.SIGHUP)
    assert process.wait(60) == 0


def leaves_nothing_of_the_standard_input(start, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = start("-", tmp_path / "out", stdin=subprocess.PIPE, env={**os.environ, "TMPDIR": str(temporary)})
    process.stdin.write(b"\x08\x07" * 500_000)
    process.stdin.flush()
    assert os.listdir(temporary) == []
    process.kill()
    process.wait()
    assert os.listdir(temporary) == []


def test_a_model_of_the_standard_input_leaves_nothing(tmp_path):
    leaves_nothing_of_the_standard_input(start, tmp_path)


def test_the_next_run_removes_what_a_killed_one_has_left(model, tmp_path):
    process = start(model, tmp_path, files=without_unnamed_files)
    wait_until(lambda: drafts(tmp_path), process)
    process.kill()
    process.wait()
    assert drafts(tmp_path)
    assert convert(model, tmp_path).returncode == 0
    assert sorted(os.listdir(tmp_path)) == ["m.bin", "m.xml"]


def test_the_next_run_removes_nothing_else(model, tmp_path):
    kept = [f"mo-{DIGITS}.xml", f"mo-{DIGITS[1:]}.part", f"mo-{DIGITS.upper()}.part", f"x-mo-{DIGITS}.part", f"mo-{DIGITS}.part.txt"]
    for name in kept:
        (tmp_path / name).write_text("")
    locked = tmp_path / f"mo-{DIGITS[::-1]}.part"
    with open(locked, "w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        link, folder, pipe = (tmp_path / f"mo-{d * 32}.part" for d in "abc")
        link.symlink_to(tmp_path / kept[0]), folder.mkdir(), os.mkfifo(pipe)
        assert convert(model, tmp_path).returncode == 0
        assert all((tmp_path / name).exists() for name in [*kept, locked.name, link.name, folder.name, pipe.name])
    assert convert(model, tmp_path).returncode == 0
    assert not locked.exists()


def test_two_runs_into_a_folder_do_not_disturb_each_other(model, tmp_path, files):
    first = start(model, tmp_path, files=files)
    wait_until(lambda: drafts(tmp_path) or not files, first)
    second = subprocess.run([MO, str(model), "--model_name", "n", "--output_dir", str(tmp_path)], capture_output=True, timeout=60)
    assert (first.wait(60), second.returncode) == (0, 0)
    assert sorted(os.listdir(tmp_path)) == ["m.bin", "m.xml", "n.bin", "n.xml"]


def test_a_planted_link_is_not_followed(model, tmp_path, files):
    """A draft once had a name that could be guessed: a link of that name led the .xml to another file."""
    other = tmp_path / "other"
    other.write_text("kept")
    out = tmp_path / "out"
    out.mkdir()

    def plant():
        for ending in ("xml.part", "bin.part", "xml.old"):
            os.symlink(other, out / f"m.{ending}{os.getpid()}")
        os.symlink(other, out / "m.xml"), os.symlink(other, out / "m.bin")
        if files:
            files()

    assert start(model, out, files=plant).wait(60) == 0
    assert other.read_text() == "kept"
    assert not (out / "m.xml").is_symlink() and not (out / "m.bin").is_symlink()


@pytest.mark.parametrize("ending", ["xml", "bin"])
def test_pipes_and_devices_are_not_replaced(model, tmp_path, ending):
    os.mkfifo(tmp_path / f"m.{ending}")
    run = convert(model, tmp_path)
    assert run.returncode == 1
    assert f'MO7002 a file could not be written: not a regular file (file "{tmp_path}/m.{ending}")' in run.stderr
    assert os.listdir(tmp_path) == [f"m.{ending}"] and stat.S_ISFIFO(os.stat(tmp_path / f"m.{ending}").st_mode)


def test_signals_end_all_jobs_and_leave_nothing(model, tmp_path, files):
    for i in range(4):
        out = tmp_path / "out"
        process = start_jobs(model, out, files)
        time.sleep(0.05 * (i + 1))
        process.send_signal(SIGNALS[i % 3])
        code = process.wait(60)
        assert code in (0, -SIGNALS[i % 3])
        left = os.listdir(out) if out.exists() else []
        assert all(name.endswith((".xml", ".bin")) for name in left), left
        for name in left:
            os.remove(out / name)


def start_jobs(model, out, files):
    for name in ("a", "b", "c"):
        if not os.path.exists(model.parent / f"{name}.onnx"):
            os.link(model, model.parent / f"{name}.onnx")
    return subprocess.Popen([MO, *(str(model.parent / f"{name}.onnx") for name in "abc"), "--jobs", "2", "--output_dir", str(out)],
                            preexec_fn=files, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class TestPackage:
    """The command of the package. Node locks no files and has none without a name, so the names have the process."""

    @staticmethod
    def start(model, out, **how):
        return subprocess.Popen([*NODE, str(model), "--model_name", "m", "--output_dir", str(out)], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, **how)

    def writing(self, model, out):
        process = self.start(model, out)
        wait_until(lambda: drafts(out), process)
        return process

    @pytest.mark.parametrize("number", SIGNALS)
    def test_a_signal_leaves_nothing(self, model, tmp_path, number):
        process = self.writing(model, tmp_path / "new" / "folder")
        process.send_signal(number)
        assert process.wait(60) == -number
        assert os.listdir(tmp_path) == []

    def test_a_signal_leaves_the_older_pair(self, model, tmp_path):
        for name in ("m.xml", "m.bin"):
            (tmp_path / name).write_text("older")
        process = self.writing(model, tmp_path)
        process.terminate()
        assert process.wait(60) == -signal.SIGTERM
        assert {name: (tmp_path / name).read_text() for name in os.listdir(tmp_path)} == {"m.xml": "older", "m.bin": "older"}

    def test_a_model_of_the_standard_input_leaves_nothing(self, tmp_path):
        leaves_nothing_of_the_standard_input(self.start, tmp_path)

    def test_the_next_run_removes_what_a_killed_one_has_left_and_nothing_else(self, model, tmp_path):
        process = self.writing(model, tmp_path)
        process.kill()
        process.wait()
        [left, *_] = drafts(tmp_path)
        of_process, of_machine = left.split("-")[2:4]
        kept = [left.replace(f"-{of_process}-", f"-{os.getpid()}-"), left.replace(of_machine, "0" * 8), f"mo-{DIGITS}.part", f"{left}.txt"]
        for name in kept:
            (tmp_path / name).write_text("")
        assert self.start(model, tmp_path).wait(60) == 0
        assert sorted(os.listdir(tmp_path)) == sorted({"m.bin", "m.xml", *kept})

    @pytest.mark.parametrize("ending", ["xml", "bin"])
    def test_pipes_and_devices_are_not_replaced(self, model, tmp_path, ending):
        os.mkfifo(tmp_path / f"m.{ending}")
        run = subprocess.run([*NODE, str(model), "--model_name", "m", "--output_dir", str(tmp_path)], capture_output=True, text=True, timeout=60)
        assert run.returncode == 1
        assert f'MO7002 a file could not be written: not a regular file (file "{tmp_path}/m.{ending}")' in run.stderr
        assert os.listdir(tmp_path) == [f"m.{ending}"] and stat.S_ISFIFO(os.stat(tmp_path / f"m.{ending}").st_mode)
