"""What SECURITY.md and the table of attacks say is there."""
import json
import os
import re

import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hosts import ROOT  # noqa: E402


def test_each_point_has_tests():
    with open(os.path.join(ROOT, "tests", "attack", "points.json")) as file:
        points = json.load(file)
    assert all(points.values())
    assert [name for names in points.values() for name in names if not os.path.exists(os.path.join(ROOT, name))] == []


def test_security_names_files_that_are_there():
    with open(os.path.join(ROOT, "SECURITY.md")) as file:
        text = file.read()
    links = [link.split("#")[0] for link in re.findall(r"\]\((?!https?:)([^)]+)\)", text)]
    assert len(links) > 40 and [link for link in links if link and not os.path.exists(os.path.join(ROOT, link))] == []


def test_each_limit_has_a_number_and_a_test():
    with open(os.path.join(ROOT, "SECURITY.md")) as file:
        limits = file.read().split("## Limits")[1].split("\n## ")[0]
    rows = [row for row in limits.splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 10
    for row in rows:
        _, _, limit, _, test, _ = row.split("|")
        assert re.search(r"\d", limit) and re.search(r"\]\([^)]*test[^)]*\)", test), row
