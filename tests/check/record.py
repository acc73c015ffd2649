#!/usr/bin/env python3
"""Records what the scripts of --emit_check print where TensorFlow, LiteRT or PyTorch runs the model.

    npm run record -- check

Makes .venv-tf with scripts/requirements-tf.txt and .venv-torch with scripts/requirements-torch.txt, and runs each script there, beside its IR and beside one with other weights. Scripts are
recorded as hashes: tests/cli/test_check.py fails if a script differs from the one that ran.
"""
import json
import os
import sys
import tempfile

import scripts

sys.path.append(os.path.join(scripts.ROOT, "tests", "recorded"))
import environment  # noqa: E402


def main():
    out = {}
    for name in scripts.NAMES + scripts.LITE + scripts.TORCH:
        with tempfile.TemporaryDirectory() as folder:
            script = scripts.convert(name, folder)
            out[name] = {"script": scripts.digest(script), **scripts.run_both(script, name)}
        print(f"{name}: exit codes {out[name]['agrees']['exit']} and {out[name]['differs']['exit']}", flush=True)
    with open(scripts.RECORDED, "w", encoding="utf-8", newline="\n") as file:
        json.dump(out, file, indent=1)
        file.write("\n")
    if any((one["agrees"]["exit"], one["differs"]["exit"]) != (0, 1) for one in out.values()):
        sys.exit("record: a script does not find what is the same, or what is not")


if __name__ == "__main__":
    environment.in_environment()
    environment.named("torch")
    main()
