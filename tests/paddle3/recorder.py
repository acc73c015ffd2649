"""Records a case: its program of PIR, and what PaddlePaddle 3 answers."""
import os
import signal
import tempfile
import warnings

import numpy as np
import paddle
from paddle.base import core

import kept
import models
import pir
import program as wire
import stored

# tests/paddle/cases.py asks for the name that the class had before.
core.LoDTensor = getattr(core, "LoDTensor", getattr(core, "DenseTensor", None))
import cases  # noqa: E402


class OfOperators(Exception):
    """The case names operators of ProgramDesc, and has no program of functions."""


class Building(models.Building):
    """A program of PIR while it is built."""

    def fixed(self, spec, name="fixed"):
        array = np.asarray(spec.draw(self.rng) if hasattr(spec, "draw") else spec)
        name = self.paddle.utils.unique_name.generate(name)
        initializer = self.paddle.nn.initializer.Constant(0)
        made = self.paddle.pir.core.create_parameter(models.name_of(array.dtype), list(array.shape), name=name, initializer=initializer, trainable=False)
        self.parameters[name] = array
        return made

    def op(self, *_, **__):
        raise OfOperators()


def is_recorded(family, case):
    """Of those of tests/paddle: not those that are refused, nor what PaddlePaddle cannot compute."""
    return not os.path.exists(os.path.join(os.path.dirname(stored.RECORDED), "operations", family + ".py")) or not (case.refused or case.expected or case.twin or case.renamed)


def parameters_of(main):
    return [op.result(0).name for op in main.global_block().ops if op.name() == "builtin.parameter"]


def given(startup):
    """Names of parameters whose values the layers themselves say."""
    found = set()
    for op in startup.global_block().ops:
        if op.name() == "builtin.set_parameter" and op.operand_source(0).get_defining_op().name().startswith("pd_op.assign_value"):
            found.add(op.attrs()["parameter_name"])
    return found


def executor():
    return paddle.static.Executor(paddle.CPUPlace())


def built(name, case, path):
    """Writes the program of functions."""
    paddle.enable_static()
    main, startup, building = paddle.static.Program(), paddle.static.Program(), Building(name, case.unknown)
    with paddle.static.program_guard(main, startup):
        outputs = list(case.build(building))
        paddle.seed(7)
        executor().run(startup)
        own, scope = given(startup), paddle.static.global_scope()
        for key in parameters_of(main):
            if key not in building.parameters:
                array = np.array(scope.find_var(key).get_tensor())
                building.parameters[key] = cases.redrawn(building, case, key, array) if array.dtype == np.float32 and key not in own else array
        cases.as_picture(building, case)
        for key, array in building.parameters.items():
            scope.var(key).get_tensor().set(array, paddle.CPUPlace())
        paddle.static.save_inference_model(path, building.inputs, outputs, executor(), program=main, skip_prune_program=case.unpruned)
    return building


def content(path):
    with open(path, "rb") as file:
        return file.read()


def answered(path, feeds, lods):
    """The outputs of the program at the path."""
    paddle.enable_static()
    exe = executor()
    program, _, fetched = paddle.static.load_inference_model(path, exe)
    if lods:
        raise OfOperators()
    return [np.array(one) for one in exe.run(program, feed=dict(feeds), fetch_list=fetched, return_numpy=False)]


def drawn_anew(name, case, folder):
    """A case that is built here."""
    path = os.path.join(folder, "model")
    with paddle.utils.unique_name.guard():
        building = cases.traced(name, case, path) if case.layer else built(name, case, path)
    model = content(path + ".json")
    said = pir.Program(model)
    parameters = {key: building.parameters[key] for key in said.parameters}
    file = content(path + ".pdiparams") if os.path.exists(path + ".pdiparams") else b""
    assert wire.combined(parameters) == file, "the parameters are written otherwise"
    recipes = {key: recipe for key, recipe in building.recipes.items() if key in parameters or key in said.inputs}
    feeds = {key: stored.drawn(recipes[key]) if key in recipes else building.feeds[key] for key in said.inputs}
    answer = (lambda feeds: case.expected(**feeds)) if case.expected else lambda feeds: answered(path, feeds, building.lods)
    runs, wanted = cases.runs_of(case, answer, feeds, said.inputs, building.lods)
    about = {"inputs": list(said.inputs), "outputs": list(said.outputs), "in_shapes": list(said.inputs.values()), "out_shapes": list(said.outputs.values()), "lods": {},
             "refused": None, "random": case.random, "parameters": list(parameters), "recipes": recipes, "runs": len(runs), "larger": len(runs) > 1 and not case.more,
             "by": "numpy" if case.expected else "PaddlePaddle"}
    return kept.Case(name, model, about, {key: array for key, array in parameters.items() if key not in recipes}, runs, wanted)


def translation(original, folder):
    """What PaddlePaddle 3 makes of a ProgramDesc; a path without an ending."""
    path, new = os.path.join(folder, "before"), os.path.join(folder, "model")
    original.write(path + ".pdmodel")
    paddle.enable_static()
    exe = executor()
    if original.about["lods"]:
        raise OfOperators()
    with paddle.pir_utils.OldIrGuard():
        old = paddle.static.deserialize_program(content(path + ".pdmodel"))
    main = paddle.pir.translate_to_pir(old.desc)
    block, outputs, inputs = main.global_block(), [], []
    for op in [op for op in block.ops if op.name() == "pd_op.feed"]:
        value = op.result(0)
        with paddle.static.program_guard(main), block:
            made = paddle.static.data(op.attrs()["name"], value.shape, value.dtype)
        value.replace_all_uses_with(made)
        made.get_defining_op().move_before(op)
        block.remove_op(op)
        inputs.append(made)
    for op in [op for op in block.ops if op.name() == "pd_op.fetch"]:
        outputs.append((op.attrs()["col"], op.operand_source(0)))
        block.remove_op(op)
    for key, array in original.parameters.items():
        paddle.static.global_scope().var(key).get_tensor().set(array, paddle.CPUPlace())
    outputs = [value for _, value in sorted(outputs, key=lambda one: one[0])]
    paddle.static.save_inference_model(new, inputs, outputs, exe, program=main, skip_prune_program=True)
    return new


def near(got, want):
    """Whether both versions answer the same."""
    if got.dtype != want.dtype or got.shape != want.shape:
        return False
    if got.dtype.kind not in "fc":
        return np.array_equal(got, want)
    return np.allclose(got, want, rtol=1e-5, atol=1e-5 * float(np.abs(want[np.isfinite(want)]).max(initial=0)), equal_nan=True)


def translated(name, case, folder):
    family = name.split("/", 1)[0]
    original = stored.load(os.path.join(stored.RECORDED, family + ".npz"))[name]
    path = translation(original, folder)
    model = content(path + ".json")
    new = kept.translated(model, original)
    assert set(new.about["inputs"]) == set(original.about["inputs"]), "inputs have other names"
    try:
        wanted = [answered(path, feeds, original.about["lods"]) for feeds in original.runs]
    except RuntimeError as error:
        if "op_item->num_results() == output_defs.size()" not in str(error):
            raise
        return new  # it has a kernel for this on graphics cards only
    if not case.random and not all(near(got, want) for results, wants in zip(wanted, original.wanted) for got, want in zip(results, wants)):
        assert not any(op in name for op in ("quantize_linear", "pow_tensor")), "3.3.1 computes or translates it wrongly"
        runs = [{key: feeds[key] for key in new.about["inputs"]} for feeds in original.runs]
        recorded = {key: original.recorded[key] for key in new.about["parameters"] if key in original.recorded}
        return kept.Case(name, model, new.about, recorded, runs, wanted)
    return new


def record(name):
    signal.alarm(60)  # ends this process if an operator does not
    family, key = name.split("/", 1)
    case = models.FAMILIES[family][key]
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if case.change:
                raise OfOperators()
            return drawn_anew(name, case, folder)
        except OfOperators:
            paddle.enable_static()
            return translated(name, case, folder)
