"""mutate.py --typescript: changes one line in each of some files of web/ and wasm/, and expects a test of tests/js to fail.

    mutate.py --typescript [--seed N] [--files N] [--only REGEX] [--tests N] [--page] [--list]

Needs the built package and page (scripts/build.sh page). Of web/ the files are tried that tests in
tests/js import, by those tests. Of
wasm/ the package is compiled anew, and the tests that FOR names for the file's folder run, and those that have its name in their text.
--page tries those files of web/ that only the page has: it is built anew, and the tests in tests/page that FOR names run.
The compiler's verdict on the types is asked only where no test fails: what it refuses is no mistake that could survive.
"""
import argparse
import contextlib
import fcntl
import os
import random
import re
import shutil
import subprocess
import sys
import time

import mutate
from mutate import ROOT, read_allowed

VITEST = ["node_modules/.bin/vitest", "run", "--bail=1", "--reporter=dot"]
TSC = ["node_modules/.bin/tsc", "--noEmit", "-p"]
FAILURE = r"FAIL\s+(tests/\S+(?: > .*)?)"
LIMIT = 600
PATHS = ["web/*.ts", "wasm/library/*.ts", "wasm/extension/*.ts", ":!*.d.ts", ":!web/language/zh-Hans/*"]
# Built parts that the tests use, beside what mutate.py links.
LINKED = ("build/native", "build/wasm", "build/runtimes", "build/toy")
COPIED = ("dist", "build/web", "THIRD_PARTY_NOTICES")

# The tests of a folder.
FOR = {
    "wasm/extension/": ["extension_graph", "extension_phases", "extension_ops", "extension_transformations", "extension_loader", "extension_config",
                        "extension_layout", "extension_contracts", "extension_tf", "extension_tflite", "extension_frameworks",
                        "extension_typescript", "native_extensions", "examples"],
    "wasm/library/shared/": ["api", "options", "option_rows", "python_call", "quoting", "report", "printable", "meter", "next", "inspect", "irs",
                             "layouts", "wishes", "files", "archives", "many_models", "command", "weights", "threads", "archive_paths"],
    "wasm/library/node/cli/": ["command", "cli", "many_models", "command_lines", "interrupted", "next", "archives", "given"],
    "wasm/library/node/archive/": ["archives", "archive_paths", "inflate", "many_models"],
    "wasm/library/node/": ["api", "files", "command", "inspect", "irs", "memory", "threads", "interrupted", "archives", "many_models", "given",
                           "next", "cli"],
    "wasm/library/browser/": ["threads_browser", "memory_browser", "bundlers", "imports"],
}  # fmt: skip
OF_PAGE = {
    "web/archive/": ["archive", "tar", "bounds"], "web/bring/": ["taken", "several", "extensions", "example"], "web/card/": ["card", "places"],
    "web/convert/": ["page", "several"], "web/graph/": ["graph", "graph_layout"], "web/ir/": ["irs"], "web/language/": ["language"],
    "web/options/": ["own_options", "card", "kept", "bridge"], "web/page/": ["page", "accessible"], "web/proof/": ["proof"],
    "web/report/": ["help"], "web/result/": ["page", "small_weights"], "web/save/": ["save"], "web/skeleton/": ["help"],
    "web/worker/": ["offline", "page"], "web/single/": ["single"],
}  # fmt: skip

# Tests of tests/js import these for a word or two; what they draw is tested on the page.
DRAWN = ("web/card/", "web/graph/", "web/page/", "web/ir/", "web/language/shown.ts")

IMPORT = re.compile(r"(?:from|import\()\s*'(\.[^']+)'|^import '(\.[^']+)'", re.M)
BLANKED = [r"\"(?:[^\"\\]|\\.)*\"", r"'(?:[^'\\]|\\.)*'", r"`(?:[^`\\]|\\.)*`", r"(?<=[(,=:!&|?;])\s*/(?![*/])(?:[^/\\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+/[a-z]*",
           r"^\s*(?:\*|/\*).*", r"/\*.*?\*/", r"^(?:export )?const [A-Z_\d]+ = [\d_ <*]+;.*", r"<[\w\s,.|&\[\]'\"<>]*>(?=\()", r"^\s*(?:import|export type|type|interface|declare|export \{|readonly \w+\??:) ?.*"]  # fmt: skip
_plain_mistakes, _plain_masked = mutate.mistakes, mutate.masked
SWAPPED = {" === ": " !== ", " !== ": " === ", " ?? ": " && ", "?.": "."}


def masked(line):
    for pattern in BLANKED:
        line = re.sub(pattern, lambda match: "\0" * len(match.group()), line)
    return re.sub(mutate.NOT_MUTATED, lambda match: "\0" * len(match.group()), line)


def mistakes(line, starts_statement):
    code = masked(line)
    mutate.masked = masked
    try:
        changed = _plain_mistakes(line, starts_statement)
    finally:
        mutate.masked = _plain_masked
    for before, after in SWAPPED.items():
        for match in re.finditer(re.escape(before), code):
            changed.append(line[: match.start()] + after + line[match.end():])
    for match in re.finditer(r"(?<=[(\s])!(?=[\w(])", code):
        changed.append(line[: match.start()] + line[match.end():])
    return [form for form in changed if form != line]


def resolved(path, name):
    return os.path.normpath(os.path.join(os.path.dirname(path), name)).removesuffix(".js").removesuffix(".ts") + ".ts"


def importers():
    """Which tests of tests/js reach a file of web/, by its path."""
    found = {}
    names = subprocess.run(["git", "ls-files", "tests/js/*.test.ts"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    texts = {}

    def imports(path):
        if path not in texts:
            with contextlib.suppress(FileNotFoundError), open(os.path.join(ROOT, path), encoding="utf-8") as file:
                texts[path] = [resolved(path, one or two) for one, two in IMPORT.findall(file.read())]
        return texts.get(path, [])

    for test in names:
        seen, waiting = set(), [test]
        while waiting:
            for path in imports(waiting.pop()):
                if path not in seen:
                    seen.add(path)
                    waiting.append(path)
        for path in seen:
            found.setdefault(path, []).append(test)
    return found


def existing(names, folder):
    paths = [f"tests/{folder}/{name}.test.ts" for name in names]
    return [path for path in paths if os.path.exists(os.path.join(ROOT, path))]


def tests_of(path, reached, page):
    """The tests of a file, those first that name it."""
    if page:
        return existing(next((names for start, names in OF_PAGE.items() if path.startswith(start)), ["page"]), "page")
    tests = reached.get(path, []) or existing(next((names for start, names in FOR.items() if path.startswith(start)), []), "js")
    name = os.path.basename(path).removesuffix(".ts")

    def strangeness(test):
        with open(os.path.join(ROOT, test), encoding="utf-8") as file:
            return name not in file.read()

    return sorted(tests, key=strangeness)


def choose(seed, count, reached, page):
    listed = subprocess.run(["git", "ls-files", *PATHS], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    is_of_page = lambda path: path.startswith("web/") and (path not in reached or path.startswith(DRAWN))
    is_chosen = lambda path: is_of_page(path) == page
    chosen = []
    for path in sorted(filter(is_chosen, listed), key=lambda path: (random.Random(f"{seed} {path}").random(), path)):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            text = file.read()
        if text.startswith("// Generated"):
            continue
        found = mutants(text, random.Random(f"{seed} {path} lines"))
        if len(found) >= 4 and len(chosen) < count:
            chosen.append((path, found))
    return sorted(chosen)


def mutants(text, chance):
    """As mutate.mutants(), with the mistakes of this language."""
    mutate.mistakes = mistakes
    try:
        return mutate.mutants(text, chance)
    finally:
        mutate.mistakes = _plain_mistakes


def prepare():
    mutate.COPY = os.path.join(ROOT, "build", "mutation", "typescript")
    os.makedirs(mutate.COPY, exist_ok=True)
    mutate.make_copy()
    for name in LINKED:
        place = os.path.join(mutate.COPY, name)
        if os.path.exists(os.path.join(ROOT, name)) and not os.path.islink(place):
            os.symlink(os.path.join(ROOT, name), place)
    for name in COPIED:
        place = os.path.join(mutate.COPY, name)
        if os.path.isdir(place):
            shutil.rmtree(place)
        if os.path.exists(os.path.join(ROOT, name)):
            os.makedirs(os.path.dirname(place), exist_ok=True)
            subprocess.run(["cp", "-a", os.path.join(ROOT, name), place], check=True)


def run(command, limit=LIMIT):
    return mutate.run(command, limit, mutate.resource.RLIM_INFINITY)


def failing(tests):
    """Which files of tests fail without a mistake, as those do that need the tree to be no copy. They would say nothing about one."""
    _, output = run([*(word for word in VITEST if word != "--bail=1"), *tests], 20 * LIMIT)
    return set(re.findall(r"FAIL\s+(tests/\S+\.test\.ts)", re.sub(r"\x1b\[[\d;]*m", "", output)))


def built(path, page):
    """Whether the file's part of the product compiles."""
    if path.startswith("wasm/"):
        return run(["node_modules/.bin/tsc", "-p", "wasm"])[0] == 0
    return not page or run(["node", "scripts/build-web.mjs"])[0] == 0


def verdict(path, tests, page):
    if not built(path, page):
        return "does not compile"
    code, output = run([*VITEST, *tests])
    if code != 0:
        first = re.search(FAILURE, re.sub(r"\x1b\[[\d;]*m", "", output))
        return "no end" if code is None else first.group(1)[:160] if first else " ".join(output.split()[-12:])
    if path.startswith("web/") and run([*TSC, "web"])[0] != 0:
        return "does not compile"
    return "survived"


def try_file(path, found, tests, page):
    place = os.path.join(mutate.COPY, path)
    with open(place, encoding="utf-8") as file:
        text = file.read()
    try:
        for number, before, after in found[:8]:
            lines = text.split("\n")
            lines[number - 1] = after
            mutate.write(place, "\n".join(lines).encode())
            result = verdict(path, tests, page)
            if result != "does not compile":
                return (number, before.strip(), after.strip()), result
        return (0, "", ""), "nothing compiles"
    finally:
        mutate.write(place, text.encode())
        if path.startswith("wasm/"):
            built(path, page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--typescript", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=60)
    parser.add_argument("--only", default="", help="of the chosen files those whose path matches")
    parser.add_argument("--page", action="store_true", help="files that only the page has")
    parser.add_argument("--tests", type=int, default=100, help="at most so many files of tests for each mistake: those that name its file come first")
    parser.add_argument("--list", action="store_true", help="only prints the first mistake of each file, and its tests")
    given = parser.parse_args()
    reached = importers()
    chosen = [(path, found) for path, found in choose(given.seed, given.files, reached, given.page) if re.search(given.only, path)]
    if given.list:
        for path, found in chosen:
            tests = " ".join(os.path.basename(test).removesuffix(".test.ts") for test in tests_of(path, reached, given.page)[: given.tests])
            print(f"{path}:{found[0][0]}: {found[0][1].strip()} => {found[0][2].strip()}  [{tests}]")
        return 0
    os.makedirs(os.path.join(ROOT, "build", "mutation"), exist_ok=True)
    with open(os.path.join(ROOT, "build", "mutation", "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        prepare()
        allowed, rows = read_allowed(), []
        tests = {path: tests_of(path, reached, given.page)[: given.tests] for path, _ in chosen}
        broken = failing(sorted(set(sum(tests.values(), []))))
        print(f"left out, because they fail without a mistake: {', '.join(sorted(broken)) or 'none'}", flush=True)
        for path, found in chosen:
            began = time.monotonic()
            (number, before, after), result = try_file(path, found, [test for test in tests[path] if test not in broken], given.page)
            if reason := result == "survived" and allowed.get(f"{path}: {before} => {after}"):
                result = f"allowed: {reason}"
            rows.append(result)
            print(f"{path}:{number}: `{before}` => `{after}`: {result} ({time.monotonic() - began:.0f} s)", flush=True)
    survived = rows.count("survived")
    print(f"{len(rows) - survived} passed, {survived} failed")
    return 1 if survived or not rows else 0
