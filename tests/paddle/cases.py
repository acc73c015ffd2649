"""Records a case: builds its program, runs it and keeps what PaddlePaddle answered."""
import os
import signal
import tempfile
import warnings

import numpy as np
import paddle
from paddle.base import core

import models
import program as wire
import stored
from drawing import draw

CALLED = ['  File "program.py", line 1, in main', "    run()"]


def limits(name, shape, given):
    """The limits between which a parameter lies, which keep the size of the numbers that pass through."""
    for part, found in given.items():
        if part in name:
            return found
    ending = name.rpartition(".")[2]
    if "batch_norm" in name and ending == "w_2":
        return 0.8, 1.2
    if len(shape) <= 1:
        return (0.8, 1.2) if ending == "w_0" and "_norm" in name else (0.1, 0.4) if "prelu" in name else (-0.1, 0.1)
    if "embedding" in name:
        return -1, 1
    limit = (6 / max(shape[0] if len(shape) == 2 else np.prod(shape[1:]), 1)) ** 0.5
    return -limit, limit


def own_values(building, case, main, startup):
    """Values of the parameters that layers have made: drawn anew, unless the layer gave them."""
    exe = paddle.static.Executor(paddle.CPUPlace())
    paddle.seed(7)
    exe.run(startup)
    given = {name for op in startup.global_block().ops if op.type == "assign_value" for name in op.output_arg_names}
    for var in main.list_vars():
        if not var.persistable or var.name in building.parameters or var.name in ("feed", "fetch"):
            continue
        array = np.array(paddle.static.global_scope().find_var(var.name).get_tensor())
        building.parameters[var.name] = redrawn(building, case, var.name, array) if array.dtype == np.float32 and var.name not in given else array


def redrawn(building, case, name, array):
    low, high = limits(name, array.shape, case.limits)
    recipe = {"seed": f"{building.name}/{name}", "shape": list(array.shape), "low": float(np.float32(low)), "high": float(np.float32(high))}
    if array.nbytes > 64:
        building.recipes[name] = recipe
    return draw(recipe)


def as_picture(building, case):
    """The first input is drawn as a picture, if the case says so."""
    if case.picture:
        first = next(iter(building.feeds))
        building.recipes[first] = {"seed": f"{building.name}/{first}", "shape": list(building.feeds[first].shape), "low": -1.0, "high": 1.0, "picture": True}


def put(arrays):
    for name, array in arrays.items():
        paddle.static.global_scope().var(name).get_tensor().set(array, paddle.CPUPlace())


def built(name, case, path):
    """Writes the program of functions and operators."""
    paddle.enable_static()
    main, startup, building = paddle.static.Program(), paddle.static.Program(), models.Building(name, case.unknown)
    with paddle.static.program_guard(main, startup):
        outputs = list(case.build(building))
    main = main.clone(for_test=True)
    own_values(building, case, main, startup)
    as_picture(building, case)
    put(building.parameters)
    outputs = [main.global_block().var(out.name) for out in outputs]
    inputs = [main.global_block().var(one.name) for one in building.inputs]
    exe = paddle.static.Executor(paddle.CPUPlace())
    paddle.static.save_inference_model(path, inputs, outputs, exe, program=main, clip_extra=not case.extra, skip_prune_program=case.unpruned)
    return building


def traced(name, case, path):
    """Writes the program that paddle.jit makes of a layer."""
    paddle.disable_static()
    building = models.Building(name)
    layer = case.layer()
    layer.eval()
    specs = []
    for key, spec in case.specs.items():
        building.feeds[key] = array = spec.draw(building.rng)
        open_ones = case.unknown.get(key, ()) if isinstance(case.unknown, dict) else () if specs else case.unknown
        specs.append(paddle.static.InputSpec([None if at in open_ones else size for at, size in enumerate(array.shape)], array.dtype.name, name=key))
    for parameter in layer.parameters():
        array = redrawn(building, case, parameter.name, parameter.numpy())
        building.parameters[parameter.name] = array
        parameter.set_value(array)
    for buffer in layer.buffers():
        array = buffer.numpy()
        if array.dtype == np.float32 and "norm" in buffer.name:
            array = redrawn(building, case, buffer.name, array)
            buffer.set_value(array)
        building.parameters[buffer.name] = array
    as_picture(building, case)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        paddle.jit.save(layer, path, specs)
    paddle.enable_static()
    return building


def same_on_every_machine(desc):
    for block in desc["blocks"]:
        for op in block.get("ops", []):
            for attr in op.get("attrs", []):
                if attr["name"] == "op_callstack":
                    attr["strings"] = CALLED


def shapes(desc, names):
    found = {}
    for block in desc["blocks"][::-1]:
        for var in block.get("vars", []):
            found[var["name"]] = var["type"].get("lod_tensor", {}).get("tensor", {}).get("dims", [])
    return [found[name] for name in names]


def ends(desc, kind, side, slot):
    """The variables that operators feed or fetch, in the order of their columns."""
    ops = [op for op in desc["blocks"][0]["ops"] if op["type"] == kind]
    return [wire.arguments(op, side, slot)[0] for op in sorted(ops, key=lambda op: wire.attributes(op)["col"])]


def given(array, lod):
    if lod:
        return paddle.base.create_lod_tensor(array, lod, paddle.CPUPlace())
    made = core.LoDTensor()
    made.set(array, paddle.CPUPlace())
    return made


def run(content, parameters, feeds, lods, outputs):
    read = paddle.static.deserialize_program(content)
    put(parameters)
    exe = paddle.static.Executor(paddle.CPUPlace())
    found = exe.run(read, feed={key: given(array, lods.get(key)) for key, array in feeds.items()}, fetch_list=[read.global_block().var(key) for key in outputs], return_numpy=False)
    return [np.array(one) for one in found]


def surely(case, answer, feeds):
    """The outputs, which are the same each time unless memory is read that nothing has written."""
    found = answer(feeds)
    for first, second in zip(found, answer(feeds)):
        assert case.random or np.array_equal(first, second, equal_nan=first.dtype.kind == "f"), "it answers differently each time"
    return found


def runs_of(case, answer, feeds, signatures, lods):
    """What is fed, and the answers: a second time with larger inputs where they are open, if the program takes these."""
    runs, wanted = [feeds], [surely(case, answer, feeds)]
    again = {**feeds, **case.more} if case.more else stored.larger(feeds, signatures)
    assert all(again[name].dtype == array.dtype for name, array in feeds.items())
    possible = all(size in (-1, is_) for name, array in again.items() for size, is_ in zip(signatures[name], array.shape))
    if possible and (not lods and any(again[name].shape != array.shape for name, array in feeds.items()) or case.more):
        try:
            wanted.append(surely(case, answer, again))
            runs.append(again)
        except (ValueError, RuntimeError, OSError):
            pass
    return runs, wanted


def written(name, case):
    """What was built, and its program."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = os.path.join(folder, "model")
        with paddle.utils.unique_name.guard():
            building = traced(name, case, path) if case.layer else built(name, case, path)
        with open(path + ".pdmodel", "rb") as file:
            content = file.read()
        files = sorted(os.listdir(folder))
        parameters = open(path + ".pdiparams", "rb").read() if "model.pdiparams" in files else b""
    desc = wire.parse(content)
    assert wire.serialise(desc) == content, "it is read or written wrongly"
    assert wire.combined(kept(building, desc)) == parameters, "the parameters are written otherwise"
    same_on_every_machine(desc)
    return building, (case.change(desc) or desc) if case.change else desc


def kept(building, desc):
    return {key: building.parameters[key] for key in wire.parameters_of(desc)}


def answers(name, case, building, desc):
    """The function that computes the outputs of feeds: by numpy, by the twin, or by the program."""
    if case.expected:
        return lambda feeds: case.expected(**feeds)
    if case.twin:
        building, desc = written(name, models.Case(case.twin, case.unknown))
    content, parameters, outputs = wire.serialise(desc), kept(building, desc), ends(desc, "fetch", "inputs", "X")
    return lambda feeds: run(content, parameters, feeds, building.lods, outputs)


def record(name):
    signal.alarm(60)  # ends this process if an operator does not
    family, key = name.split("/", 1)
    case = models.FAMILIES[family][key]
    building, desc = written(name, case)
    parameters, inputs, outputs = kept(building, desc), ends(desc, "feed", "outputs", "Out"), ends(desc, "fetch", "inputs", "X")
    recipes = {key: recipe for key, recipe in building.recipes.items() if key in parameters or key in inputs}
    feeds = {key: stored.drawn(recipes[key]) if key in recipes else building.feeds[key] for key in inputs}
    about = {"inputs": inputs, "outputs": outputs, "in_shapes": shapes(desc, inputs), "out_shapes": shapes(desc,
            outputs), "lods": {key: building.lods[key] for key in inputs if key in building.lods},
             "refused": case.refused, "random": case.random, "parameters": list(parameters), "recipes": recipes}
    runs, wanted = [feeds], []
    if not case.refused:
        runs, wanted = runs_of(case, answers(name, case, building, desc), feeds, dict(zip(inputs, about["in_shapes"])), about["lods"])
    about |= {"runs": len(runs), "larger": len(runs) > 1 and not case.more, "by": "numpy" if case.expected else "PaddlePaddle"}
    if case.random:
        wanted = [[np.zeros_like(array) for array in results] for results in wanted]
    for results in wanted:
        assert any(array.size for array in results), "there is nothing to compare"
        for array in results:
            assert array.dtype.kind != "f" or np.isfinite(array).any() or not array.size, (name, array)
    for block in desc["blocks"]:
        for op in block.get("ops", []):
            op["type"] = case.renamed.get(op["type"], op["type"])
    return stored.Case(name, wire.serialise(desc), about, {key: array for key, array in parameters.items() if key not in recipes}, runs, wanted)
