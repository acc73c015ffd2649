#!/usr/bin/env python3
"""Changes one line in each of some files of core/, one after the other, and expects a test to fail.

    mutate.py [--seed N] [--files N] [--only REGEX] [--suites REGEX] [--again] [--list]

The seed chooses the files, and in each a line and a small mistake on it: `<` for `<=`, a condition negated, a call left out. The
mistake is made in a copy of the tree, build/mutation/tree, never in the tree itself. There the file is compiled without optimization
and the test suites run, the cheapest first, until one fails. A mistake that does not compile is replaced by the next one of its file.
A change that no test notices has survived. The exit status is 1 if one survived that tests/mutation/allowed.txt does not list.

--only looks at those of the chosen files whose path matches, --suites runs only these suites, and --again does not first check that
all of them pass without a mistake. --list only prints the mistakes that would be made.

A line of the list is the file, the change, and the reason why no test can see it: `core/a.cpp: BEFORE => AFTER  # reason`.
"""
import argparse
import contextlib
import fcntl
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COPY = os.path.join(ROOT, "build", "mutation", "tree")
TIMES = os.path.join(ROOT, "build", "mutation", "times.json")
ALLOWED = os.path.join(ROOT, "tests", "mutation", "allowed.txt")
LINKED = ("third_party", "node_modules", ".venv", ".venv-2023", ".venv-zoo", "build/models", "build/zoo")
PYTHON = ".venv/bin/python"
PYTEST = [PYTHON, "-m", "pytest", "-q", "-x", "--color=no"]
MEMORY = 8 << 30  # for each process of the tests: a mistake may make it grow without end. Builds have no such limit: Node reserves more

GTEST = ["build/native/mo_tests", "--gtest_fail_fast"]
GTEST_FAILURE = r"\[  FAILED  \] (\S+)"
PYTEST_FAILURE = r"^(?:FAILED|ERROR) (\S+)"
# The suites in rising order of their time: name, targets that they need, command, and what names the first test that fails.
SUITES = [
    ("golden", ["mo"], [PYTHON, "tests/golden/run.py"], r"^FAIL (\S+)"),
    ("cli", ["mo", "mo_extended"], [*PYTEST, "tests/cli", "-k", "not package", "--ignore", "tests/cli/test_large_files.py"],
     PYTEST_FAILURE),
    ("mo_tests", ["mo_tests"], GTEST, GTEST_FAILURE),
    ("frozen", ["mo"], [PYTHON, "tests/frozen/run.py", "--first"], r"^changed: (\S+ \S+)"),
    ("slow mo_tests", ["mo_tests"], GTEST, GTEST_FAILURE),
    ("numeric", ["all", "mo_tables", "mo_transforms"], [*PYTEST, "-k", "not wide_3gb"], PYTEST_FAILURE),  # its weights do not fit in MEMORY
]
# The numeric tests that run first for a file of this folder, beside those that have the file's name in their text.
NUMERIC = {
    "core/front/onnx/microsoft/": ["test_microsoft.py", "test_microsoft_fused.py"],
    "core/front/onnx/ml/": ["test_classic_ml.py"],
    "core/front/onnx/fusions/": ["test_fusions.py"],
    "core/front/fusions/": ["test_fusions.py"],
    "core/front/tf/": ["test_tf.py"],
    "core/front/tflite/": ["test_tflite.py"],
    "core/front/caffe/": ["test_caffe.py"],
    "core/front/paddle/": ["test_paddle.py"],
    "core/front/config/": ["test_yolo.py", "test_detection.py"],
    "core/front/common/": ["test_tf.py", "test_tflite.py"],
    "core/decompose/": ["test_branches.py", "test_tf.py"],
    "core/layout/": ["test_layout.py"],
    "core/middle/": ["test_fusions.py", "test_peepholes.py"],
    "core/back/": ["test_peepholes.py"],
}

# Mistakes --------------------------------------------------------------------------------------------------------------------

SWAPPED = [(" == ", " != "), (" < ", " <= "), (" > ", " >= "), (" && ", " || "), (" + ", " - "), ("true", "false"), ("continue", "break")]
OPERATORS = {**dict(SWAPPED), **{b: a for a, b in SWAPPED}, " * ": " + ", " / ": " * "}
# Not changed: text for people, sizes that only save time, and lines that are not code.
MESSAGE = re.compile(r"\b(?:throw|fail|refuse|warn|cat)\b")
NOT_MUTATED = re.compile(rf"//.*|{MESSAGE.pattern}.*|\b(?:reserve|static_assert|beat)\b.*|^\s*(?:#|using |namespace|template).*")
COMPARES = re.compile(r" (?:==|!=|<|<=|>|>=|&&|\|\|) |^!")


def masked(line):
    """The line with what must not change as blanks: texts, comments, messages."""
    blank = lambda match: "\0" * len(match.group())
    return NOT_MUTATED.sub(blank, re.sub(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'', blank, line))


def closed(text, start):
    """Where the parenthesis that opens at `start` ends, or None."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i


def mistakes(line, starts_statement):
    """All changed forms of a line."""
    code, changed = masked(line), []

    def change(start, end, text):
        changed.append(line[:start] + text + line[end:])

    for before, after in OPERATORS.items():
        for match in re.finditer(rf"\b{before}\b" if before.isalpha() else re.escape(before), code):
            change(*match.span(), after)
    for match in re.finditer(r"(?<![\w.])\d{1,2}(?![\w.'])", code):
        value = int(match.group())
        change(*match.span(), str(1 - value if value < 2 else value + 1))
    for match in re.finditer(r"\b(?:if|while) \(", code):
        end = closed(code, match.end() - 1)
        condition = line[match.end():end] if end else ""
        if condition and ";" not in condition and not re.search(r"[^=!<>]=[^=]", condition):
            change(match.end(), end, f"!({condition})")
    for match in re.finditer(r"\breturn ([^;{}\0]+);", code):
        if COMPARES.search(match.group(1)) and not re.search(r" \? |<<", match.group(1)):
            change(*match.span(1), f"!({match.group(1)})")
    call = re.fullmatch(r"(\s+)(?!return|delete|co_)[\w:.\->\[\]]+\(.*\);\s*", code)
    if call and starts_statement and closed(code, code.index("(")) == len(code.rstrip()) - 2:
        changed.append(f"{call.group(1)};")
    return changed


def mutants(text, chance):
    """(line number, before, after) of all mistakes in a file, shuffled: first the lines, then the mistakes on each."""
    found, starts, in_message = [], True, False
    for number, line in enumerate(text.split("\n"), 1):
        if forms := [] if in_message else mistakes(line, starts):
            found.append([(number, line, form) for form in forms])
        if line.strip():
            starts = bool(re.search(r"[;{}]\s*(?://.*)?$|^\s*//", line))
            in_message = not starts and (in_message or bool(MESSAGE.search(line)))
    for forms in found:
        chance.shuffle(forms)
    chance.shuffle(found)
    return [forms[i] for i in range(max(map(len, found), default=0)) for forms in found if i < len(forms)]


def choose(seed, count):
    """(file, its mutants in the order in which they are tried). A table offers next to nothing to change and is no choice; code for
    Windows is not compiled here."""
    command = ["git", "ls-files", "core/*.cpp", ":!*_windows.cpp"]
    paths = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    chosen = []
    for path in sorted(paths.split(), key=lambda path: (random.Random(f"{seed} {path}").random(), path)):
        with open(os.path.join(ROOT, path)) as file:
            found = mutants(file.read(), random.Random(f"{seed} {path} lines"))
        if len(found) >= 4 and len(chosen) < count:
            chosen.append((path, found))
    return sorted(chosen)


# The copy of the tree --------------------------------------------------------------------------------------------------------


def write(path, content):
    """Only if it differs: ninja compares times."""
    if os.path.exists(path) and open(path, "rb").read() == content:
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)
    shutil.copymode(os.path.join(ROOT, os.path.relpath(path, COPY)), path)


def make_copy():
    """Brings the copy up to date, also after a run that was interrupted."""
    tracked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(tracked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    names = {name for name in names if os.path.isfile(os.path.join(ROOT, name))}
    for folder in ("core", "tests"):
        for place, _, files in os.walk(os.path.join(COPY, folder)):
            for path in (os.path.join(place, file) for file in files):
                if os.path.relpath(path, COPY) not in names:
                    os.remove(path)
    for name in names:
        with open(os.path.join(ROOT, name), "rb") as file:
            write(os.path.join(COPY, name), file.read())
    os.makedirs(os.path.join(COPY, "build"), exist_ok=True)
    for name in LINKED:
        if os.path.exists(os.path.join(ROOT, name)) and not os.path.islink(os.path.join(COPY, name)):
            os.symlink(os.path.join(ROOT, name), os.path.join(COPY, name))


def configure():
    if not os.path.exists(os.path.join(COPY, "build", "native", "build.ninja")):
        flags = [f"-DCMAKE_{language}_FLAGS_RELEASE=-O0 -DNDEBUG" for language in ("C", "CXX")]
        command = ["cmake", "--preset", "native", "-DMO_UNITY=OFF", *flags]
        subprocess.run(command, cwd=COPY, check=True, stdout=subprocess.DEVNULL)


def run(command, limit, memory=MEMORY):
    """(exit code, output) of a command in the copy; the code is None if it took longer than `limit` seconds."""
    bounded = lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    child = subprocess.Popen(command, cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                             start_new_session=True, preexec_fn=bounded)
    try:
        output = child.communicate(timeout=limit)[0]
        return child.returncode, output
    except BaseException as error:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        if isinstance(error, subprocess.TimeoutExpired):
            return None, ""
        raise


def build(*targets):
    return run(["nice", "ninja", "-C", "build/native", "-j2", *targets], 3600, resource.RLIM_INFINITY)


# Verdicts --------------------------------------------------------------------------------------------------------------------


def killer(name, pattern, code, output):
    """What the report says of a suite that failed."""
    if code is None:
        return f"{name}: no end"
    first = re.search(pattern, output, re.M)
    if not first and code < 0:
        running = re.findall(r"\[ RUN      \] (\S+)", output)
        return f"{name}: {running[-1] if running else ''} crashes"
    return f"{name}: {first.group(1) if first else ' '.join(output.split()[-12:])}"


def numeric_tests(path):
    """All files of numeric tests; first those that are most likely to see a mistake in this file."""
    folder = os.path.join(COPY, "tests", "numeric")
    subject = os.path.basename(path).removesuffix(".cpp").removeprefix("Decompose")
    by_folder = [file for start, files in NUMERIC.items() if path.startswith(start) for file in files]

    def distance(file):
        with open(os.path.join(folder, file)) as text:
            return (file not in by_folder and not re.search(rf"{subject}(?![a-z])", text.read()), file)

    files = (file for file in os.listdir(folder) if file.startswith("test_") and file != "test_examples.py")
    return [os.path.join("tests/numeric", file) for file in sorted(files, key=distance)]


def verdict(path, times, suites):
    """Builds the copy and runs the tests: "does not compile", "survived", or what killed the mistake in it."""
    for name, targets, command, pattern in SUITES:
        if not re.search(suites, name):
            continue
        tests = numeric_tests(path) if name == "numeric" else times["filters"].get(name, [])
        if build(*targets)[0] != 0:
            return "does not compile"
        code, output = run([*command, *tests], 60 + 4 * times["seconds"][name])
        if code != 0:
            return killer(name, pattern, code, output)
    return "survived"


def measure():
    """Seconds of each suite without a mistake, and filters that part the slow tests of mo_tests from the others. All have to pass."""
    seconds, filters = {}, {}
    for name, targets, command, _ in SUITES:
        code, output = build(*targets)
        began = time.monotonic()
        tests = numeric_tests("") if name == "numeric" else filters.get(name, [])
        if code == 0:
            code, output = run([*command, *tests], 3600)
        if code != 0:
            sys.exit(f"{output[-3000:]}\nmutate: {name} fails without any mistake")
        seconds[name] = time.monotonic() - began
        print(f"{name} passes in {seconds[name]:.0f} s", flush=True)
        if name == "mo_tests":
            slow = ":".join(test for test, took in re.findall(r"\[       OK \] (\S+) \((\d+) ms\)", output) if int(took) > 300)
            filters = {"mo_tests": [f"--gtest_filter=-{slow}"], "slow mo_tests": [f"--gtest_filter={slow}"]}
    times = {"seconds": seconds, "filters": filters}
    with open(TIMES, "w") as file:
        json.dump(times, file)
    return times


def remembered_times():
    with open(TIMES) as file:
        return json.load(file)


def try_file(path, found, times, suites):
    """The first mutant of a file that compiles, and its verdict."""
    place = os.path.join(COPY, path)
    with open(place) as file:
        text = file.read()
    try:
        for number, before, after in found[:12]:
            lines = text.split("\n")
            lines[number - 1] = after
            write(place, "\n".join(lines).encode())
            result = verdict(path, times, suites)
            if result != "does not compile":
                return (number, before.strip(), after.strip()), result
        return (0, "", ""), "nothing compiles"
    finally:
        write(place, text.encode())


def read_allowed():
    if not os.path.exists(ALLOWED):
        return {}
    with open(ALLOWED) as file:
        return dict(line.rstrip("\n").split("  # ", 1) for line in file if line.strip() and not line.startswith("# "))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--only", default="", help="of the chosen files those whose path matches")
    parser.add_argument("--suites", default="", help="only the suites whose name matches: " + ", ".join(suite[0] for suite in SUITES))
    parser.add_argument("--again", action="store_true", help="takes for granted that all suites pass without a mistake, as they did last time")
    parser.add_argument("--list", action="store_true", help="only prints the first mistake of each file")
    given = parser.parse_args()
    chosen = [(path, found) for path, found in choose(given.seed, given.files) if re.search(given.only, path)]
    if given.list:
        for path, found in chosen:
            print(f"{path}:{found[0][0]}: {found[0][1].strip()} => {found[0][2].strip()}")
        return 0
    os.makedirs(COPY, exist_ok=True)
    with open(os.path.join(COPY, "..", "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        make_copy()
        configure()
        times = remembered_times() if given.again else measure()
        allowed, rows = read_allowed(), []
        for path, found in chosen:
            began = time.monotonic()
            (number, before, after), result = try_file(path, found, times, given.suites)
            if reason := result == "survived" and allowed.get(f"{path}: {before} => {after}"):
                result = f"allowed: {reason}"
            rows.append(result)
            print(f"{path}:{number}: `{before}` => `{after}`: {result} ({time.monotonic() - began:.0f} s)", flush=True)
    survived = rows.count("survived")
    print(f"{len(rows) - survived} passed, {survived} failed")
    return 1 if survived or not rows else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # an exception, so that the running suite ends, too
    if "--typescript" in sys.argv:
        import mutate_typescript

        sys.exit(mutate_typescript.main())
    sys.exit(main())
