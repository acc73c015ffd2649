"""Runs recorders: each in a copy of this process, so that names that a library counts do not depend on what was recorded before."""
import os
import pickle
import sys
import traceback

import archive


def apart(work):
    """What `work()` gives, done in a copy of this process; None if it failed, which it has printed. The process itself must not have used the library yet."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            with os.fdopen(writing, "wb") as file:
                pickle.dump(work(), file)
            code = 0
        except Exception:
            print(traceback.format_exc(-3), flush=True)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        content = file.read()
    return pickle.loads(content) if os.waitpid(child, 0)[1] == 0 else None


class Outcome:
    """The names of the cases that were recorded, and of those that failed."""

    def __init__(self):
        self.done, self.failed = [], []

    def finish(self, names):
        if self.failed:
            sys.exit(f"record: {len(self.failed)} failed: {' '.join(self.failed)}")
        if not self.done:
            sys.exit(f"record: no such case: {', '.join(sorted(names))}")


def by_case(cases):
    """Members of a file: those of each case."""
    return {member: array for case in cases for member, array in case.members()}


def family(outcome, path, keys, names, load, record, pack=by_case):
    """Writes the file of a family. The cases that are named, or all, are recorded again; the others stay as they are in the file."""
    group = os.path.splitext(os.path.basename(path))[0]
    known, cases, before = load(path) if os.path.exists(path) else {}, {}, len(outcome.done)
    for key in keys:
        name = f"{group}/{key}"
        if names and name not in names and group not in names:
            if name in known:
                cases[name] = known[name]
            continue
        case = apart(lambda: record(name))
        if case is None:
            print(f"{name} failed", flush=True)
        else:
            cases[name] = case
        (outcome.failed if case is None else outcome.done).append(name)
    if len(outcome.done) > before:
        archive.write(path, pack(cases.values()))
        print(f"{group}: {len(cases)} cases, {os.path.getsize(path)} bytes", flush=True)


def files(outcome, group, recorders, names, size):
    """Runs those that are named, or all. Each writes what it records and gives its path, or None if there is nothing to record."""
    for key, record in recorders.items():
        name = f"{group}/{key}"
        if names and name not in names and group not in names:
            continue
        answer = apart(lambda: (record(),))
        (outcome.failed if answer is None else outcome.done).append(name)
        if answer:
            print(f"{name}: {size(answer[0])} bytes" if answer[0] else f"{name}: nothing", flush=True)
