"""Each operation of PIR is an operator that a ProgramDesc has, once, and its renamed attributes and operands are written as the table says."""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PADDLE = os.path.join(ROOT, "core", "front", "paddle")


def text(*path):
    with open(os.path.join(PADDLE, *path), encoding="utf-8") as file:
        return file.read()


ROWS = re.findall(r'^PADDLE_PIR\((\w+), (\w+), "(.*)", "(.*)", "(.*)"\)$', text("pir", "operations.def"), re.M)
TYPES = set(re.findall(r"^PADDLE_[A-Z]+\((\w+),", text("extract", "operators.def"), re.M))


def test_every_row_is_read():
    assert len(ROWS) == len(re.findall(r"^PADDLE_PIR\(", text("pir", "operations.def"), re.M)) >= 400


def test_types_are_operators():
    assert sorted({kind for _, kind, *_ in ROWS} - TYPES) == []


def test_names_are_there_once():
    names = [name for name, *_ in ROWS]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


def test_words():
    for name, _, operands, results, attributes in ROWS:
        assert all(re.fullmatch(r"-!?|\w+!?|\w+:(-|\w*(,\w+)?)", word) for word in operands.split()), name
        assert all(re.fullmatch(r"-|\w+", word) for word in results.split()), name
        assert all(re.fullmatch(r"\w+(>\w*|=-?\w+)", word) for word in attributes.split()), name
