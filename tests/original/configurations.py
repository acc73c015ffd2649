"""The values of Model Optimizer's configurations, as digests: configurations.py FOLDER > configurations.json.

FOLDER is openvino/tools/mo/front of an environment with the original (scripts/requirements-original.txt). A digest is that of the
parsed JSON, so it says nothing of the layout of a file and the order of its keys.
"""
import glob
import hashlib
import json
import os
import sys


def digests(folder):
    """"framework/name.json" → digest."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "*", "*.json"))):
        with open(path, encoding="utf-8") as file:
            values = json.dumps(json.load(file), sort_keys=True, separators=(",", ":"))
        found["/".join(path.split(os.sep)[-2:])] = hashlib.sha256(values.encode()).hexdigest()
    return found


if __name__ == "__main__":
    json.dump(digests(sys.argv[1]), sys.stdout, indent=1)
    print()
