"""Records a case: exports it, runs it and keeps what PyTorch answered."""
import inspect
import io
import json
import logging
import os
import warnings
import zipfile
import zlib

import numpy as np
import torch

import models
import programs
import stored_torch
from drawing import draw

HERE = os.path.dirname(os.path.abspath(__file__))
torch.set_num_threads(1)
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
torch.backends.mkldnn.enabled = False


class Function(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *args):
        return self.function(*args)


def drawn(name, module):
    """Large parameters are drawn by recipes, which keep the size of the numbers that pass through."""
    recipes = {}
    for key, tensor in list(module.named_parameters()) + list(module.named_buffers()):
        if tensor.dtype != torch.float32 or tensor.numel() <= 64 or not tensor.is_contiguous():
            continue
        if not isinstance(tensor, torch.nn.Parameter) and "running" not in key:
            continue
        last = key.rpartition(".")[2]
        if last == "running_var" or (last == "weight" and tensor.dim() == 1):
            low, high = 0.8, 1.2
        elif tensor.dim() <= 1:
            low, high = -0.1, 0.1
        else:
            high = (3 / np.prod(tensor.shape[1:])) ** 0.5
            low = -high
        recipe = {"seed": f"{name}/{key}", "shape": list(tensor.shape), "low": float(np.float32(low)), "high": float(np.float32(high))}
        with torch.no_grad():
            tensor.copy_(torch.from_numpy(draw(recipe)))
        recipes[key] = recipe
    return recipes


def slim(value):
    """Without metadata but for the path of the module."""
    if isinstance(value, dict):
        out = {}
        for key, one in value.items():
            if key == "metadata" and isinstance(one, dict):
                one = {"nn_module_stack": one["nn_module_stack"]} if "nn_module_stack" in one else {}
            if key not in ("guards_code", "treespec_namedtuple_fields"):
                out[key] = slim(one)
        return out
    return [slim(one) for one in value] if isinstance(value, list) else value


def exported(module, arrays, case):
    inputs = tuple(torch.from_numpy(array) for array in arrays)
    shapes = None
    if case.unknown:
        shapes = tuple({axis: torch.export.Dim.DYNAMIC for axis in case.unknown.get(at, ())} for at in range(len(inputs)))
        if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in inspect.signature(module.forward).parameters.values()):
            shapes = (shapes,)
    program = torch.export.export(module, inputs, dynamic_shapes=shapes)
    return program.run_decompositions() if case.decomposed else program


def warm():
    """An export, after which others are fast."""
    x = torch.ones(2, 3)
    torch.export.export(Function(lambda x: x + 1), (x,), dynamic_shapes=(({0: torch.export.Dim.DYNAMIC},),)).run_decompositions()


def sizes_of(meta):
    return [size.get("as_int", -1) for size in meta["sizes"]]


def record(name):
    family, _, key = name.partition("/")
    case = models.families(HERE)[family][key]
    torch.manual_seed(zlib.crc32(name.encode()))
    built = case.build()
    module = built if isinstance(built, torch.nn.Module) else Function(built)
    module.eval()
    own = name.removesuffix("_core")
    recipes_by_key = drawn(own, module)
    arrays = [spec.array(zlib.crc32(f"{own}/{at}".encode())) for at, spec in enumerate(case.inputs)]
    content = io.BytesIO()
    torch.export.save(exported(module, [array.copy() for array in arrays], case), content)
    with zipfile.ZipFile(content) as archive:
        def read(path):
            return archive.read(next(entry for entry in archive.namelist() if entry.partition("/")[2] == path))
        program = slim(json.loads(read("models/model.json")))
        parts = {"program": program}
        recorded, recipes, parameters = {}, {}, []
        for kind in ("weights", "constants"):
            parts[kind] = json.loads(read(f"data/{kind}/model_{kind}_config.json"))["config"]
            for fqn, weight in parts[kind].items():
                path = f"{kind}/{weight['path_name']}"
                if path in parameters:
                    continue
                parameters.append(path)
                payload = read(f"data/{path}")
                if fqn in recipes_by_key and len(payload) == 4 * np.prod(recipes_by_key[fqn]["shape"]):
                    recipes[path] = recipes_by_key[fqn]
                else:
                    recorded[path] = np.frombuffer(payload, np.uint8)
    graph = program["graph_module"]["graph"]
    users = [spec["user_input"]["arg"]["as_tensor"]["name"] for spec in program["graph_module"]["signature"]["input_specs"] if "user_input" in spec]
    feeds = dict(zip(users, arrays))
    in_shapes = [sizes_of(graph["tensor_values"][user]) for user in users]
    results = [spec["user_output"]["arg"] for spec in program["graph_module"]["signature"]["output_specs"] if "user_output" in spec]
    results = [arg["as_tensor"]["name"] for arg in results if "as_tensor" in arg]
    larger = any(-1 in shape for shape in in_shapes)
    runs = [feeds] + ([programs.larger(feeds, dict(zip(users, in_shapes)))] if larger else [])
    runs += [dict(zip(users, [spec.array(0) for spec in step])) for step in case.steps]

    def answer(feeds):
        with torch.no_grad():
            outputs = module(*[torch.from_numpy(np.array(array)) for array in feeds.values()])
        leaves = [leaf for leaf in torch.utils._pytree.tree_leaves(outputs) if isinstance(leaf, torch.Tensor)]
        return [np.array(leaf.detach().resolve_conj().resolve_neg().contiguous().numpy()) for leaf in leaves]

    about = {"inputs": users, "in_shapes": in_shapes, "outputs": results, "out_shapes": [sizes_of(graph["tensor_values"][result]) for result in results],
             "parameters": parameters, "recipes": recipes, "runs": len(runs), "larger": larger, "refused": case.refused, "random": case.random}
    wanted = [] if case.refused else [answer(feeds) for feeds in runs]
    return stored_torch.Case(name, json.dumps(parts, separators=(",", ":")).encode(), about, recorded, runs, wanted)
