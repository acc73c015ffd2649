"""Numbers of an IR in the OpenVINO runtime against those of the model in ONNX Runtime."""
import collections
import functools
import os
import re
import subprocess
import sys

import numpy as np

import environments

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "conformance"))
import kept_results  # noqa: E402
import runtimes  # noqa: E402

MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))


# (test, operators of the model, lowest runtime) of the small models, when RUNTIMES names a file for them (conftest.py).
CONVERTED = []


@functools.cache
def core():
    """The OpenVINO runtime. One thread: threads of one small inference wait for each other longer than they compute when other tests run beside."""
    import openvino
    made = openvino.Core()
    made.set_property({"INFERENCE_NUM_THREADS": 1})
    return made


@functools.cache
def lowest_runtime():
    return runtimes.Runtimes().lowest


def record(model, xml):
    keys, size = runtimes.operators(model)
    if size <= 8:
        CONVERTED.append((os.environ["PYTEST_CURRENT_TEST"].rpartition(" ")[0].replace("tests/numeric/", ""), (keys, size), lowest_runtime()(xml)))


def convert(model, folder, *options, compress=False):
    """Converts and gives the path of the .xml."""
    command = [MO, model, "--output_dir", str(folder), f"--compress_to_fp16={compress}", *options]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    xml = os.path.join(str(folder), os.path.splitext(os.path.basename(model))[0] + ".xml")
    if "RUNTIMES" in os.environ:
        record(model, xml)
    return xml


def in_onnxruntime(model, feeds, optimise=True):
    """Its optimisations may compute in narrower types than the model says."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    if not optimise:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    else:
        # On processors without VNNI it adds products of bytes in 16 bits, which overflow, unless this entry forbids it.
        options.add_session_config_entry("session.x64quantprecision", "1")
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(names, feeds)))


def processor_has(*flags):
    """Whether it has one of them."""
    with open("/proc/cpuinfo") as file:
        return re.search(rf"^flags.* ({'|'.join(flags)})( |$)", file.read(), re.M) is not None


def sums_overflow():
    """Processors without VNNI add products of bytes in 16 bits: the runtime's numbers say nothing about the IR there."""
    return not processor_has("avx512_vnni", "avx_vnni", "amx_int8")


def rounds_to_bf16():
    """On other processors the runtime computes in f32 what is declared as bf16."""
    return processor_has("avx512bw", "avx_ne_convert")


# Where sums of bytes overflow, quantised models are judged in floating point, too.
IN_FLOATS = {"LP_TRANSFORMS_MODE": "NO"} if sums_overflow() else {}


def compiled_for_cpu(model, settings=IN_FLOATS):
    """In floating point, also where weights are narrow: there the runtime would round what they are multiplied with. Joined element-wise operations may
    need more registers than processors without AVX-512 have: there they are compiled one by one."""
    properties = {"INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0, **settings}
    try:
        return core().compile_model(model, "CPU", properties)
    except RuntimeError as error:
        if "not enough registers" not in str(error):
            raise
        return core().compile_model(model, "CPU", {**properties, "SNIPPETS_MODE": "DISABLE"})


def layers_of(compiled):
    """The layers that the runtime computes, with their precisions: {(layer, precision): how many}."""
    layers = collections.Counter()
    for op in compiled.get_runtime_model().get_ops():
        info = {key: value if isinstance(value, str) else value.astype(str) for key, value in op.get_rt_info().items() if key in ("layerType", "runtimePrecision")}
        layers[info["layerType"], info["runtimePrecision"]] += 1
    return layers


def counted(layers, kind, precisions=("u8", "i8")):
    """How many layers of the kind there are, and how many of them compute in one of the precisions."""
    found = {precision: n for (layer, precision), n in layers.items() if layer == kind}
    return sum(found.values()), sum(n for precision, n in found.items() if precision in precisions)


def in_openvino(xml, feeds):
    """Feeds and reads by tensor name: names must have survived. `xml` may be a model that core() has read already."""
    def compute():
        import openvino
        request = compiled_for_cpu(xml).create_infer_request()
        for name, array in feeds.items():
            request.set_tensor(name, openvino.Tensor(np.asarray(array, order="C")))
        request.infer()
        return {name: request.get_tensor(name).data.copy() for port in request.model_outputs for name in port.get_names()}
    return kept_results.results(kept_results.content(xml) if isinstance(xml, str) else kept_results.content_of(xml), f"in_openvino {IN_FLOATS}", [feeds], compute)


NUMBERS = """
import sys, numpy, openvino.runtime as ov
xml, feeds, results = sys.argv[1:]
got = ov.Core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})(dict(numpy.load(feeds)))
numpy.savez(results, **{n: v for p, v in got.items() for n in p.get_names()})
"""


def in_openvino_2023(xml, feeds, folder):
    """The same in the oldest runtime that must read our IR."""
    feeds_file, got_file = os.path.join(str(folder), "feeds.npz"), os.path.join(str(folder), "got.npz")
    np.savez(feeds_file, **feeds)
    environments.run(environments.OLDEST, NUMBERS, xml, feeds_file, got_file)
    with np.load(got_file) as got:
        return dict(got)


def relative_error(got, want):
    """The norm of the difference over the norm of `want`."""
    assert got.shape == want.shape, (got.shape, want.shape)
    difference = np.linalg.norm((got.astype(np.float64) - want).ravel())
    return float(difference / max(np.linalg.norm(want.astype(np.float64).ravel()), 1e-30))


def assert_same(model, xml, feeds, tolerance=1e-3):
    want, got = in_onnxruntime(model, feeds), in_openvino(xml, feeds)
    for name, array in want.items():
        assert name in got, f"output {name} is lost"
        assert np.isfinite(array.astype(np.float64)).all(), f"{name}: the model itself does not give numbers"
        error = relative_error(got[name], array)
        assert error <= tolerance, f"{name}: relative error {error:.3g}"
