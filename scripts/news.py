#!/usr/bin/env python3
"""What a new release of a package that this project follows brings, compared with the release that its tests use.

    npm run news -- onnx [VERSION]        also openvino, tensorflow, ai-edge-litert, paddlepaddle and mxnet; the newest version without one

The release is installed into build/news/, beside the pinned one. Operations that are new, changed and gone are printed; for frameworks with what
the tables of the loaders say of them. docs/maintaining.md says what to do with the list.
"""
import json
import os
import subprocess
import sys
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

#: Of each package: the environment with the pinned release, and the framework whose rows are looked up.
FOLLOWED = {"onnx": ("", "onnx"), "openvino": ("", None), "tensorflow": ("tf", "tf"), "ai-edge-litert": ("tf", "tflite"), "paddlepaddle": ("paddle3", "paddle"), "mxnet": ("mxnet", "mxnet")}


def of_onnx():
    import onnx
    return {f"{one.domain or 'ai.onnx'} {one.name} {one.since_version}": "deprecated" if one.deprecated else "defined as a function" if one.has_function else ""
            for one in onnx.defs.get_all_schemas_with_history()}


def of_openvino():
    import importlib
    import inspect
    import pkgutil

    import openvino
    names = [one.name for one in pkgutil.iter_modules(openvino.__path__) if one.name.startswith("opset")]
    modules = {name: importlib.import_module("openvino." + name) for name in names}
    return {f"{name} {function}": f"({', '.join(inspect.signature(made).parameters)})" for name, module in modules.items()
            for function, made in vars(module).items() if inspect.isfunction(made) and not function.startswith("_")}


def of_tensorflow():
    import tensorflow as tf
    from tensorflow.python.framework import op_def_registry
    found = {}
    for name in dir(tf.raw_ops):
        definition = op_def_registry.get(name)
        if definition:
            inputs, attributes = ([one.name for one in group] for group in (definition.input_arg, definition.attr))
            found[name] = f"({', '.join(inputs)}) {{{', '.join(attributes)}}}"
    return found


def of_litert():
    from ai_edge_litert import schema_py_generated as schema
    return {name: "" for name in vars(schema.BuiltinOperator) if name.isupper()}


def of_paddle():
    import paddle
    from paddle.base import core
    found = {one.type: f"({', '.join(i.name for i in one.inputs)}) {{{', '.join(a.name for a in one.attrs)}}}" for one in map(parsed(core), core.get_all_op_protos())}
    return found | {f"pd_op.{name}": "" for name in dir(paddle._C_ops) if not name.startswith("_")}


def parsed(core):
    from paddle.base.proto import framework_pb2

    def parse(text):
        proto = framework_pb2.OpProto()
        proto.ParseFromString(bytes(text))
        return proto
    return parse


def of_mxnet():
    import mxnet
    return {name: "" for name in mxnet.operator.get_all_registered_operators()}


FACTS = {"onnx": of_onnx, "openvino": of_openvino, "tensorflow": of_tensorflow, "ai-edge-litert": of_litert, "paddlepaddle": of_paddle, "mxnet": of_mxnet}


def version_of(package):
    from importlib.metadata import distributions
    return next(one.version for one in distributions() if one.metadata["Name"].replace("_", "-") in (package, package + "-cpu"))


def facts(python, package):
    """[version, {operation: what is said of it}] by this Python's package."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1", "GLOG_minloglevel": "3"}
    told = subprocess.run([python, __file__, "--facts", package], check=True, capture_output=True, text=True, env={**os.environ, **quiet})
    return json.loads(told.stdout.splitlines()[-1])


def pinned(name):
    if not name:
        subprocess.run([os.path.join(ROOT, "scripts", "setup.sh"), "tests"], check=True)
        return os.path.join(ROOT, ".venv", "bin", "python")
    sys.path.insert(0, os.path.join(ROOT, "tests", "recorded"))
    import environment
    return environment.named(name)[1]


def released(package, version):
    folder = os.path.join(ROOT, "build", "news", f"{package}-{version or 'newest'}")
    python = os.path.join(folder, "bin", "python")
    if not os.path.exists(python):
        venv.create(folder, with_pip=True)
    wanted = f"{package}=={version}" if version else package
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", wanted], check=True)
    return python


def rows_of(framework):
    """The names of operations that have a row, as the framework spells them."""
    subprocess.run([os.path.join(ROOT, "scripts", "build.sh"), "native", "mo_tables"], check=True, stdout=subprocess.DEVNULL)
    tables = json.loads(subprocess.run([os.path.join(ROOT, "build", "native", "mo_tables")], check=True, capture_output=True, text=True).stdout)
    return {row["name"] for row in tables["operators"] if row["framework"] == framework}


def main(package, version=None):
    if package not in FOLLOWED:
        sys.exit(f"news: {package} is not followed; these are: {', '.join(FOLLOWED)}")
    environment, framework = FOLLOWED[package]
    (old_version, old), (new_version, new) = facts(pinned(environment), package), facts(released(package, version), package)
    rows = rows_of(framework) if framework else set()

    def name_of(operation):
        return operation.split()[1] if package == "onnx" else operation.removeprefix("pd_op.")

    def list_all(title, operations):
        print(f"\n## {title}: {len(operations)}\n")
        for operation in sorted(operations):
            row = "" if not framework else ", has a row" if name_of(operation) in rows else ", has no row"
            said = new.get(operation, old.get(operation))
            print(f"- {operation}{row}{', ' if said else ''}{said}")

    print(f"# {package} {old_version} and {new_version}")
    list_all("New", new.keys() - old.keys())
    list_all("Changed", {one for one in new.keys() & old.keys() if new[one] != old[one]})
    list_all("Gone", old.keys() - new.keys())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--facts"]:
        print(json.dumps([version_of(sys.argv[2]), FACTS[sys.argv[2]]()]))
    elif len(sys.argv) in (2, 3):
        main(*sys.argv[1:])
    else:
        sys.exit(__doc__)
