#!/usr/bin/env python3
"""Records what TensorFlow computes: graphs of one operation, networks, SavedModels, checkpoints.

    npm run record -- tf [NAME ...]

Makes .venv-tf with scripts/requirements-tf.txt, builds the graphs of operations/, networks.py and saved.py there, runs them, and writes
them with their results to recorded/. NAME: a family ("unary", "networks", "saved") or a case ("unary/Relu", "networks/keras2_VGG16"); only
those are then recorded again. Numbers depend on names only, so that what is recorded again is what was there.
"""
import importlib
import os
import subprocess
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ENVIRONMENT = os.path.join(ROOT, ".venv-tf")


def make_environment(again=False):
    """The environment's Python. `again`: something may have been added to the requirements since."""
    python = os.path.join(ENVIRONMENT, "bin", "python")
    made = os.path.exists(python)
    if not made:
        subprocess.run(["/usr/bin/python3", "-m", "venv", ENVIRONMENT], check=True)
    if again or not made:
        requirements = os.path.join(ROOT, "scripts", "requirements-tf.txt")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r", requirements], check=True)
    return python


def in_environment():
    """Goes on as the environment's Python."""
    python = make_environment()
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", TF_ENABLE_ONEDNN_OPTS="0", PYTHONHASHSEED="0", CUDA_VISIBLE_DEVICES="-1")
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


def size(path):
    return sum(map(size, (os.path.join(path, name) for name in os.listdir(path)))) if os.path.isdir(path) else os.path.getsize(path)


def record_apart(group, recorders, names):
    """Gives the names that it recorded. Each in a copy of this process, which must not have used TensorFlow yet: Keras counts the layers it makes."""
    done, failed = [], []
    for key, record in recorders.items():
        name = f"{group}/{key}"
        if names and name not in names and group not in names:
            continue
        child = os.fork()
        if child == 0:
            code = 1
            try:
                path = record()
                print(f"{name}: {size(path)} bytes" if path else f"{name}: not in this Keras", flush=True)
                code = 0
            except Exception:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(code)
        (failed if os.waitpid(child, 0)[1] else done).append(name)
    return done, failed


def main():
    names = set(sys.argv[1:])
    import networks
    import saved
    done, failed = [], []
    for recorded, worse in (record_apart("networks", networks.recorders(), names), record_apart("saved", saved.recorders(), names), record_operations(names)):
        done += recorded
        failed += worse
    if failed:
        sys.exit(f"record: {len(failed)} failed")
    if not done:
        sys.exit(f"record: no such case: {', '.join(sorted(names))}")


if __name__ == "__main__":
    in_environment()
    sys.path.insert(0, HERE)
    main()
