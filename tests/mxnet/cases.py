"""Records a case: builds its symbol, runs it and keeps what MXNet answered."""
import contextlib
import json
import os
import signal

import mxnet as mx
import numpy as np

import models
import programs
import stored_mxnet
from drawing import draw


def limits(name, shape, given):
    """The limits between which a parameter lies, which keep the size of the numbers that pass through."""
    for part, found in given.items():
        if part in name:
            return found
    if name.endswith(("gamma", "var")):
        return 0.8, 1.2
    if len(shape) <= 1:
        return (0.1, 0.4) if "alpha" in name else (-0.1, 0.1)
    if "embedding" in name:
        return -1, 1
    limit = (6 / max(np.prod(shape[1:]), 1)) ** 0.5
    return -limit, limit


def drawn(building, case, name, shape, dtype):
    """A parameter that an operator has made."""
    low, high = limits(name, shape, case.limits)
    recipe = {"seed": f"{building.name}/{name}", "shape": list(shape), "low": float(np.float32(low)), "high": float(np.float32(high))}
    array = draw(recipe)
    dtype = next((kind for part, kind in case.types.items() if part in name), dtype)
    if dtype == np.float32 and array.nbytes > 64:
        building.recipes[name] = recipe
    return array.astype(dtype)


def label(name, building):
    """What training compares with is neither fed nor a parameter."""
    return name.endswith("label") and name not in building.feeds and name not in building.parameters


def symbol_of(building, case):
    if not case.block:
        outputs = list(case.build(building))
    else:
        block = case.block()
        block.hybridize()
        outputs = block(*[building.fed(name, spec) for name, spec in case.specs.items()])
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
    return outputs[0] if len(outputs) == 1 else mx.sym.Group(outputs)


def scope(case):
    return mx.util.np_shape(True) if case.numpy else contextlib.nullcontext()


def heads(symbol):
    """The names of nodes and the numbers of their outputs."""
    text = json.loads(symbol.tojson())
    return [f"{text['nodes'][node]['name']}:{number}" for node, number, *_ in text["heads"]]


def said(wanted, shapes, by_data):
    """The shapes of outputs: sizes are open that another run changes. MXNet's own inference of open sizes is not to be trusted."""
    if by_data or None in shapes or len(wanted) == 1 and any(-1 in shape for shape in shapes):
        return [None for _ in wanted[0]]
    if len(wanted) == 1:
        return [list(array.shape) for array in wanted[0]]
    return [[one if one == other else -1 for one, other in zip(first.shape, second.shape)] for first, second in zip(*wanted)]


def bound(symbol, building, feeds):
    """All arrays of the symbol for these feeds: shapes of labels depend on them."""
    given = {name: array.shape for name, array in {**building.parameters, **feeds}.items()}
    arguments, auxiliary = symbol.list_arguments(), symbol.list_auxiliary_states()
    if not any(label(name, building) for name in [*arguments, *auxiliary]):
        return {}  # shapes behind sub-graphs are not always known
    shapes = symbol.infer_shape(**{name: shape for name, shape in given.items() if name in arguments})
    found = dict(zip([*arguments, *auxiliary], [*shapes[0], *shapes[2]]))
    return {name: shape for name, shape in found.items() if label(name, building)}


def make_parameters(symbol, building, case):
    arguments, auxiliary = symbol.list_arguments(), symbol.list_auxiliary_states()
    given = {**building.parameters, **building.feeds}
    if all(name in given or label(name, building) for name in [*arguments, *auxiliary]):
        return
    shapes = symbol.infer_shape(**{name: array.shape for name, array in given.items() if name in arguments})
    assert shapes[0] is not None, "shapes are not known"
    types = symbol.infer_type(**{name: array.dtype for name, array in given.items() if name in arguments})
    for name, shape, dtype in [*zip(arguments, shapes[0], types[0] or [np.float32] * len(arguments)), *zip(auxiliary, shapes[2], types[2] or [np.float32] * len(auxiliary))]:
        if name not in given and not label(name, building):
            building.parameters[name] = drawn(building, case, name, shape, np.dtype(dtype or np.float32))


def run(symbol, building, case, feeds):
    if case.expected:
        return [np.asarray(one) for one in case.expected(**feeds)]
    with scope(case):
        arrays = {name: mx.nd.array(array, dtype=np.float32 if case.types and array.dtype == np.float16 else array.dtype) for name, array in {**building.parameters, **feeds}.items()}
        arrays |= {name: mx.nd.zeros(shape) for name, shape in bound(symbol, building, feeds).items()}
        bind = symbol.bind(mx.cpu(), {name: arrays[name] for name in symbol.list_arguments()}, grad_req="null", aux_states={name: arrays[name] for name in symbol.list_auxiliary_states()})
        return [np.array(one.asnumpy()) for one in bind.forward(is_train=False)]


def surely(symbol, building, case, feeds):
    """The outputs, which are the same each time unless memory is read that nothing has written."""
    found = run(symbol, building, case, feeds)
    for first, second in zip(found, run(symbol, building, case, feeds)):
        assert case.random or np.array_equal(first, second, equal_nan=first.dtype.kind == "f"), "it answers differently each time"
    return found


def runs_of(symbol, building, case, signatures):
    """What is fed, and the answers: a second time with larger inputs where they are open, if the symbol takes these."""
    feeds = building.feeds
    runs, wanted = [feeds], [surely(symbol, building, case, feeds)]
    again = {**feeds, **case.more} if case.more else programs.larger(feeds, signatures) if None not in signatures.values() else feeds
    if case.more or any(again[name].shape != array.shape for name, array in feeds.items()):
        try:
            wanted.append(surely(symbol, building, case, again))
            runs.append(again)
        except mx.MXNetError:
            assert not case.more
    return runs, wanted


def record(name):
    signal.alarm(300)  # ends this process if an operator does not
    family, key = name.split("/", 1)
    case = models.FAMILIES[family][key]
    os.environ["MXNET_MKLDNN_ENABLED"] = "0" if case.plain else "1"
    building = models.Building(name, case.unknown, case.said, case.numpy)
    with scope(case):
        symbol = symbol_of(building, case)
        text = json.loads(symbol.tojson())
        make_parameters(symbol, building, case)
    if case.picture:
        first = next(iter(building.feeds))
        building.recipes[first] = {"seed": f"{name}/{first}", "shape": list(building.feeds[first].shape), "low": -1.0, "high": 1.0, "picture": True}
    building.feeds = {key: programs.drawn(building.recipes[key]) if key in building.recipes else array for key, array in building.feeds.items()}
    inputs, parameters = list(building.feeds), dict(building.parameters)
    in_shapes = {key: [-1 if at in building_open(building, key) else size for at, size in enumerate(array.shape)] if case.said else None for key, array in building.feeds.items()}
    runs, wanted = ([building.feeds], []) if case.refused else runs_of(symbol, building, case, in_shapes)
    if case.random:
        wanted = [[np.zeros_like(array) for array in results] for results in wanted]
    for array in (array for results in wanted for array in results):
        assert array.dtype.kind != "f" or np.isfinite(array).any() or not array.size, (name, array)
    prefixes = {key: "aux:" if key in symbol.list_auxiliary_states() else "arg:" for key in parameters} if case.prefix else {}
    about = {"inputs": inputs, "outputs": heads(symbol), "in_shapes": list(in_shapes.values()), "out_shapes": said(wanted, list(in_shapes.values()), case.by_data) if wanted else [], "refused": case.refused, "random": case.random,
             "parameters": list(parameters), "recipes": {key: recipe for key, recipe in building.recipes.items() if key in parameters or key in inputs},
             "version": case.version, "prefixes": prefixes, "storages": case.storages, "options": case.options, "runs": len(runs), "larger": len(runs) > 1 and not case.more}
    if case.change:
        text = case.change(text) or text
    content = json.dumps(text, indent=2).encode()
    return stored_mxnet.Case(name, content, about, {key: array for key, array in parameters.items() if key not in about["recipes"]}, runs, wanted)


def building_open(building, name):
    """The dimensions of an input that the symbol does not say."""
    return building.unknown.get(name, ()) if isinstance(building.unknown, dict) else building.unknown if name == next(iter(building.feeds)) else ()
