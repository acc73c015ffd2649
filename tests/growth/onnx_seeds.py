"""Small valid models: ONNX's own test of every operation, those of onnx_nodes.py, and the golden cases of every rewrite."""
import glob
import os
import re

import onnx
import onnx.backend.test
import onnx.parser
import onnx_nodes
from onnx_graphs import Seed

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = os.path.join(os.path.dirname(onnx.backend.test.__file__), "data", "node")


def signature(model):
    """Cases with the same operations and names of attributes are one seed."""
    parts = [(n.op_type, n.domain, tuple(sorted(a.name for a in n.attribute))) for n in model.graph.node]
    kinds = [v.type.WhichOneof("value") for v in list(model.graph.input) + list(model.graph.output)]
    return tuple(parts), tuple(kinds)


def with_constants(model, folder):
    """The model whose inputs are constants, except the first."""
    known = onnx.ModelProto()
    known.CopyFrom(model)
    kept = []
    for at, value in enumerate(model.graph.input):
        path = os.path.join(folder, "test_data_set_0", f"input_{at}.pb")
        if at == 0 or value.type.WhichOneof("value") != "tensor_type" or not os.path.exists(path):
            kept.append(value)
            continue
        tensor = onnx.TensorProto()
        with open(path, "rb") as f:
            tensor.ParseFromString(f.read())
        tensor.name = value.name
        known.graph.initializer.append(tensor)
    del known.graph.input[:]
    known.graph.input.extend(kept)
    return known


def operations():
    seen = set()
    for folder in sorted(glob.glob(os.path.join(CASES, "*"))):
        model = onnx.load(os.path.join(folder, "model.onnx"))
        name = os.path.basename(folder).removeprefix("test_")
        if signature(model) in seen or "_expanded" in name:
            continue
        seen.add(signature(model))
        yield Seed(name, model)
        known = with_constants(model, folder)
        if len(known.graph.initializer) > len(model.graph.initializer):
            yield Seed(name + "+constants", known)
    yield from onnx_nodes.seeds()


def rewrites():
    """With the options of the case."""
    for path in sorted(glob.glob(os.path.join(ROOT, "tests", "golden", "*", "*.txt"))):
        with open(path) as f:
            head = f.read().partition("---\n")[0]
        if re.search(r"^(?!options:)[a-z]+:|^file ", head, re.M):
            continue
        options = re.search(r"^options:(.*)$", head, re.M)
        try:
            model = onnx.parser.parse_model(re.sub(r"^(#|options:).*\n?", "", head, flags=re.M))
        except Exception:
            continue
        seed = Seed("/".join(path[:-4].split(os.sep)[-2:]), model)
        seed.options = options.group(1).split() if options else []
        yield seed
