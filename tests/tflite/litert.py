"""LiteRT's interpreter with its reference kernels, which compute in the order in which an operator is defined; with its usual ones for a model with
an operator that has no reference kernel."""
import contextlib
import os
import sys

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

import models


def interpreter(content, shapes=None, keep=False, usual=False):
    """Ready to be fed; `shapes`: other sizes of inputs by name, `keep`: every tensor is there afterwards, `usual`: with the usual kernels."""
    try:
        resolver = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES if usual else OpResolverType.BUILTIN_REF
        made = Interpreter(model_content=content, num_threads=1, experimental_op_resolver_type=resolver, experimental_preserve_all_tensors=keep)
    except ValueError:
        made = Interpreter(model_content=content, num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES, experimental_preserve_all_tensors=keep)
    for detail in made.get_input_details():
        if shapes and detail["name"] in shapes and list(shapes[detail["name"]]) != list(detail["shape"]):
            made.resize_tensor_input(detail["index"], shapes[detail["name"]])
    made.allocate_tensors()
    return made


def invoke(made, feeds):
    for detail in made.get_input_details():
        made.set_tensor(detail["index"], feeds[detail["name"]])
    made.invoke()
    # An output may be listed twice.
    return [made.get_tensor(at) for at in made._interpreter.OutputIndices()]


def run(content, runs, usual=False):
    """The outputs in their order, of one run after the other. All runs are made twice: a kernel may read memory that was not written."""
    found = []
    for _ in range(2):
        made = interpreter(content, {name: array.shape for name, array in runs[0].items()}, usual=usual)
        found.append([invoke(made, feeds) for feeds in runs])
    for results, others in zip(*found):
        assert all(np.array_equal(one, other, equal_nan=one.dtype.kind == "f") for one, other in zip(results, others)), "two results for the same numbers"
    return found[0]


def tensor_shapes(content, feeds, graphs):
    """The shapes of all tensors of each graph, as LiteRT has them after a run."""
    made = interpreter(content, {name: array.shape for name, array in feeds.items()}, keep=True)
    invoke(made, feeds)
    return [{detail["index"]: [int(size) for size in detail["shape"]] for detail in made.get_tensor_details(subgraph_index=at)} for at in range(graphs)]


def larger(feeds, signatures, more):
    """Other feeds, with `more` in each dimension that is unknown."""
    return {name: np.pad(array, [(0, more * (size == -1)) for size in signatures.get(name, array.shape)], mode="edge") if array.ndim else array for name, array in feeds.items()}


def with_shapes(model, feeds):
    """Gives each tensor of a ModelT its shape, and a shape signature if the shape depends on an unknown size of an input."""
    main = model.subgraphs[0]
    signatures = {main.tensors[at].name.decode(): list(main.tensors[at].shapeSignature) for at in main.inputs if main.tensors[at].shapeSignature is not None}
    content = models.serialised(model)
    first = tensor_shapes(content, feeds, len(model.subgraphs))
    # One more alone may give the same size where a stride is larger.
    others = [tensor_shapes(content, larger(feeds, signatures, more), len(model.subgraphs)) for more in ((1, 6) if signatures else ())]
    for number, (graph, shapes) in enumerate(zip(model.subgraphs, first)):
        for at, tensor in enumerate(graph.tensors):
            if at not in shapes or tensor.buffer or tensor.isVariable or at in graph.inputs:
                continue
            if len(tensor.shape) == 0:
                tensor.shape = np.asarray(shapes[at], np.int32)
            changes = [size != other for seen in others for size, other in zip(shapes[at], seen[number][at])]
            changes = [any(changes[axis::len(shapes[at])]) for axis in range(len(shapes[at]))] if all(len(seen[number][at]) == len(shapes[at]) for seen in others) else []
            if any(changes) and tensor.shapeSignature is None:
                tensor.shapeSignature = np.asarray([-1 if is_ else size for size, is_ in zip(shapes[at], changes)], np.int32)
    # As a converter writes it: a size that may change is 1.
    for graph in model.subgraphs:
        for tensor in graph.tensors:
            if tensor.shapeSignature is not None and len(tensor.shapeSignature):
                tensor.shape = np.asarray([1 if size == -1 else size for size in tensor.shapeSignature], np.int32)
    return model


@contextlib.contextmanager
def quiet():
    """Discards text that libraries print on stderr."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
