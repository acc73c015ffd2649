#!/usr/bin/env python3
"""Records what TensorFlow computes: graphs of one operation, and networks.

    npm run record -- tf [NAME ...]

Makes .venv-tf with scripts/requirements-tf.txt, builds the graphs of operations/ and networks.py there, runs them, and writes them with
their results to recorded/. NAME: a family ("unary"), a case ("unary/Relu"), "networks", or a network ("networks/keras2_VGG16"); only
those are then recorded again. Numbers depend on names only, so that what is recorded again is what was there.
"""
import importlib
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ENVIRONMENT = os.path.join(ROOT, ".venv-tf")


def in_environment():
    """Goes on as the environment's Python."""
    python = os.path.join(ENVIRONMENT, "bin", "python")
    if not os.path.exists(python):
        subprocess.run(["/usr/bin/python3", "-m", "venv", ENVIRONMENT], check=True)
        requirements = os.path.join(ROOT, "scripts", "requirements-tf.txt")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r", requirements], check=True)
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0", CUDA_VISIBLE_DEVICES="-1")
    if os.path.realpath(sys.prefix) != os.path.realpath(ENVIRONMENT):
        os.execv(python, [python, *sys.argv])


def record_operations(names):
    """Gives the names that it recorded."""
    import graphs
    import store
    for file in sorted(os.listdir(os.path.join(HERE, "operations"))):
        if file.endswith(".py"):
            importlib.import_module("operations." + file[:-3])
    done, failed = [], []
    for family, builders in graphs.FAMILIES.items():
        path = os.path.join(store.RECORDED, family + ".npz")
        known = store.load(path) if os.path.exists(path) else {}
        cases = {}
        for key in builders:
            name = f"{family}/{key}"
            if names and name not in names and family not in names:
                if name in known:
                    cases[name] = known[name]
                continue
            try:
                cases[name] = graphs.record(name)
                done.append(name)
            except Exception as error:
                failed.append(name)
                print(f"{name}: {type(error).__name__}: {str(error)[:600]}", flush=True)
        if any(name.startswith(family + "/") for name in done):
            store.write(path, {name: array for case in cases.values() for name, array in case.members()})
            print(f"{family}: {len(cases)} cases, {os.path.getsize(path)} bytes", flush=True)
    return done, failed


def record_networks(names):
    """Gives the names that it recorded. One after the other, each in a process of its own, since Keras counts the layers it makes."""
    import networks
    done, failed = [], []
    for key in networks.recorders():
        name = f"networks/{key}"
        if names and name not in names and "networks" not in names:
            continue
        code = subprocess.run([sys.executable, os.path.join(HERE, "record.py"), "--network", key]).returncode
        (failed if code else done).append(name)
    return done, failed


def record_network(key):
    import networks
    path = networks.recorders()[key]()
    print(f"networks/{key}: {os.path.getsize(path)} bytes" if path else f"networks/{key}: not in this Keras", flush=True)


def main():
    if sys.argv[1:2] == ["--network"]:
        record_network(sys.argv[2])
        return
    names = set(sys.argv[1:])
    done, failed = record_operations(names)
    more, worse = record_networks(names)
    done, failed = done + more, failed + worse
    if failed:
        sys.exit(f"record: {len(failed)} failed")
    if not done:
        sys.exit(f"record: no such case: {', '.join(sorted(names))}")


if __name__ == "__main__":
    in_environment()
    sys.path.insert(0, HERE)
    main()
