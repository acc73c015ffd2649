"""A plugin of pytest, which runs each test without a decomposition: WITHOUT is a JSON file with {FILE::TEST: decomposition}. What the failed tests say is written to FAILED,
as {FILE::TEST: text}. Of a test with parameters nothing more is run once one has failed.
"""
import json
import os

import pytest

with open(os.environ["WITHOUT"]) as file:
    DECOMPOSITIONS = json.load(file)
FAILED = {}


def row_of(item):
    name = f"{item.path.name}::{item.nodeid.partition('::')[2]}"
    return name if name in DECOMPOSITIONS else name.partition("[")[0]


def pytest_runtest_setup(item):
    if row_of(item) in FAILED:
        pytest.skip("another one has failed")
    os.environ["MO_DISABLED_TRANSFORMS"] = DECOMPOSITIONS[row_of(item)]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed and report.when == "call":
        FAILED[row_of(item)] = report.longreprtext


def pytest_sessionfinish():
    with open(os.environ["FAILED"], "w") as file:
        json.dump(FAILED, file)
