"""LiteRT's interpreter with its reference kernels, which compute in the order in which an operator is defined; with its usual ones for a model with
an operator that has no reference kernel."""
import contextlib
import os
import sys

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

import models


def interpreter(content, shapes=None, keep=False):
    """Ready to be fed; `shapes`: other sizes of inputs by name, `keep`: every tensor is there afterwards."""
    try:
        made = Interpreter(model_content=content, num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_REF, experimental_preserve_all_tensors=keep)
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


def run(content, runs):
    """The outputs in their order, of one run after the other."""
    made = interpreter(content, {name: array.shape for name, array in runs[0].items()})
    return [invoke(made, feeds) for feeds in runs]


def tensor_shapes(content, feeds, graphs):
    """The shapes of all tensors of each graph, as LiteRT has them after a run."""
    made = interpreter(content, {name: array.shape for name, array in feeds.items()}, keep=True)
    invoke(made, feeds)
    return [{detail["index"]: [int(size) for size in detail["shape"]] for detail in made.get_tensor_details(subgraph_index=at)} for at in range(graphs)]


def larger(feeds, signatures):
    """Other feeds, one more in each dimension that is unknown."""
    return {name: np.pad(array, [(0, int(size == -1)) for size in signatures.get(name, array.shape)], mode="edge") if array.ndim else array for name, array in feeds.items()}


def with_shapes(model, feeds):
    """Gives each tensor of a ModelT its shape, and a signature where that depends on a size of an input which is unknown."""
    main = model.subgraphs[0]
    signatures = {main.tensors[at].name.decode(): list(main.tensors[at].shapeSignature) for at in main.inputs if main.tensors[at].shapeSignature is not None}
    content = models.serialised(model)
    first = tensor_shapes(content, feeds, len(model.subgraphs))
    other = tensor_shapes(content, larger(feeds, signatures), len(model.subgraphs)) if signatures else first
    for graph, shapes, others in zip(model.subgraphs, first, other):
        for at, tensor in enumerate(graph.tensors):
            if at not in shapes or tensor.buffer or tensor.isVariable or at in graph.inputs:
                continue
            dynamic = tensor.shapeSignature is not None and -1 in tensor.shapeSignature
            if len(tensor.shape) == 0:
                tensor.shape = np.asarray(shapes[at], np.int32)
            if shapes[at] != others[at] and len(shapes[at]) == len(others[at]) and not dynamic:
                tensor.shapeSignature = np.asarray([size if size == second else -1 for size, second in zip(shapes[at], others[at])], np.int32)
    # As a converter writes it: a size that may change is 1.
    for graph in model.subgraphs:
        for tensor in graph.tensors:
            if tensor.shapeSignature is not None and len(tensor.shapeSignature):
                tensor.shape = np.asarray([1 if size == -1 else size for size in tensor.shapeSignature], np.int32)
    return model


@contextlib.contextmanager
def quiet():
    """What libraries print on their own goes nowhere."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
