"""Each operation that a format reads has a case: its name is in a test, in a list of cases, or in a recorded model.

Rows without one are in tests/rows_without_case.txt, where no new ones come in; UPDATE=1 takes out those that have a case now."""
import glob
import os
import re
import zipfile

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIST = os.path.join(ROOT, "tests", "rows_without_case.txt")


def text(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


FORMATS = re.findall(r"^MO_FORMAT\((\w+),", text("core", "front", "formats.def"), re.M)


def rows(framework):
    """The rows of a format that are not refused."""
    return re.findall(r"^[A-Z]+_(?!REFUSED)[A-Z]+\((?:\d+, )?(\w+),", text("core", "front", framework, "extract", "operators.def"), re.M)


@pytest.fixture(scope="module")
def words():
    """Words of tests and of models: of a word with underscores each beginning and end, too, as in MEAN_of_int8."""
    found = set()
    for path in glob.glob(os.path.join(ROOT, "tests", "**", "*"), recursive=True):
        if path.endswith(".npz"):
            with zipfile.ZipFile(path) as archive:
                contents = [archive.read(name) for name in archive.namelist() if name.endswith(("model.npy", "models.npy"))]
        elif os.path.isfile(path) and os.path.basename(path) != os.path.basename(LIST):  # tests/growth has such a list, too
            with open(path, "rb") as file:
                contents = [file.read()]
        else:
            continue
        for content in contents:
            found.update(re.findall(rb"[A-Za-z_]\w*", content))
    for word in list(found):
        parts = word.split(b"_")
        found.update(b"_".join(parts[:count]) for count in range(1, len(parts)))
    return found


def known():
    return [tuple(line.split()) for line in text("tests", "rows_without_case.txt").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("framework", FORMATS)
def test_each_row_has_a_case(framework, words):
    names, listed = rows(framework), [name for of, name in known() if of == framework]
    without = [name for name in names if not words & {name.encode(), name.lstrip("_").encode()}]
    assert names
    if os.environ.get("UPDATE"):
        lines = text("tests", "rows_without_case.txt").splitlines()
        with open(LIST, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines if not line.startswith(framework + " ") or line.split()[1] in without)
        listed = [name for name in listed if name in without]
    assert [name for name in without if name not in listed] == []
    assert [name for name in listed if name not in without] == [], "these have a case now: UPDATE=1"
