"""Programs of PaddlePaddle 3: names, shapes and numbers of their IR against what PaddlePaddle recorded (tests/paddle3/record.py).

tests/paddle3/passing.txt lists the cases that must pass; UPDATE=1 rewrites it. The others are counted by what stops them.
"""
import os
import sys

import pytest

import judge
import test_paddle as before
import verdicts
from verdicts import REFERENCE

FOLDER = os.path.join(judge.ROOT, "tests", "paddle3")
sys.path.insert(0, FOLDER)
import kept  # noqa: E402

pytestmark = pytest.mark.skipif(REFERENCE, reason="other converters do not read these programs")
CASES = {name: before.in_pairs(case) for name, case in kept.everything().items()}
VERDICTS = verdicts.Verdicts(FOLDER, CASES.keys(), ())


@pytest.fixture(scope="module", autouse=True)
def update():
    yield
    VERDICTS.update()


@pytest.mark.parametrize("name", CASES)
def test_program(name, tmp_path):
    case, folder = CASES[name], str(tmp_path)
    VERDICTS.settle(name, lambda: before.judged(case, before.converted(case, folder)), folder)


def test_the_list_names_cases():
    VERDICTS.check_lists()
    assert len(CASES) >= 100
