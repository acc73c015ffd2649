#!/usr/bin/env python3
"""Runs a model and its IR on the same random inputs, and prints how far their outputs are apart.

Needs numpy, openvino, and the model's own runtime: onnxruntime (for cut models and changed shapes onnx, too), tensorflow,
ai-edge-litert (or tensorflow) for TensorFlow Lite, opencv-python for Caffe, whose layers it reads in part, or paddlepaddle for PaddlePaddle. Outputs that were computed elsewhere
are compared by --expected.
Exit code 0: all outputs agree. 1: some do not. 2: they cannot be compared.
"""
import argparse
import json
import os
import re
import sys

import numpy as np

FACTS = json.loads(r'''FACTS_JSON''')
MODEL = json.loads(r'''MODEL_JSON''')
HERE = os.path.dirname(os.path.abspath(__file__))
OPTIONS, INPUTS, OUTPUTS, FROZEN = (FACTS[key] for key in ("options", "inputs", "outputs", "frozen"))
TOLERANCE = 2e-2 if "compress_to_fp16" in OPTIONS else 1e-3
TOLERANCE_OF_INTEGERS = 0.1  # each layer rounds, and an IR rounds elsewhere


class NotComparable(Exception):
    pass


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", help="the model that was converted; by default %s" % (json.dumps(MODEL).replace("%", "%%") if MODEL else "none"))
    parser.add_argument("--ir", default=os.path.join(HERE, FACTS["name"] + ".xml"), help="the .xml; by default the one beside this script")
    parser.add_argument("--shape", action="append", default=[], metavar="NAME=1,3,224,224", help="the shape of an input in the model, for inputs of dynamic shape")
    parser.add_argument("--data", action="append", default=[], metavar="NAME=FILE.npy", help="numbers for an input, before mean and scale values, in the layout of the model")
    parser.add_argument("--expected", metavar="FILE.npz", help="arrays by names of outputs, in the layout of the model, in place of a run of the model; --data gives their inputs")
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers")
    parser.add_argument("--tolerance", type=float, help="the largest error that is accepted, relative to the largest number of the output; by default "
                        "%g, and %g for models of TensorFlow Lite that compute in integers" % (TOLERANCE, TOLERANCE_OF_INTEGERS))
    return parser.parse_args()


def folders_above(folder):
    """`folder`, the one that it is in, and so on."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def model_path(given):
    """The path of the conversion begins in another folder, perhaps of another machine. Mostly the IR is in that folder, or below it."""
    if given:
        choices = [given]
    elif MODEL:
        choices = [MODEL, *(os.path.join(folder, MODEL) for folder in folders_above(HERE)), os.path.join(HERE, os.path.basename(MODEL.rstrip("/\\")))]
    else:
        choices = []
    for path in choices:
        if os.path.exists(path):
            return path
    raise NotComparable("%s is not there: give the path of the model as argument" % choices[0] if choices else "give the path of the model as argument")


def by_name(items, what):
    """The texts behind NAME=, by the position of the input."""
    out = {}
    for item in items:
        name, _, text = item.rpartition("=")
        found = [i for i, one in enumerate(INPUTS) if name == one["name"] or name in one["names"]]
        if not found:
            raise NotComparable("--%s %s: the inputs are %s" % (what, item, ", ".join(one["name"] for one in INPUTS)))
        out[found[0]] = text
    return out


def size_of(text, axis, rank):
    """A size for a dimension: as it is, else 1 for the batch and something small for the others, within the range."""
    if text.isdigit():
        return int(text)
    low, _, high = text.partition("..")
    size = 1 if axis == 0 else 64 if rank > 3 else 8
    size = max(size, int(low)) if low.isdigit() else size
    return min(size, int(high)) if high.isdigit() else size


def sizes_of(one):
    """The sizes of the input in the model, as texts."""
    sizes = [size.strip() for size in one["shape"].split(",")] if one["shape"] else []
    return [sizes[one["order"].index(axis)] for axis in range(len(sizes))] if one["order"] else sizes


def shape_of(one, given):
    try:
        if given is not None:
            return [int(size) for size in given.strip("[]").split(",") if size.strip()]
        if one["shape"] == "...":
            raise ValueError("its rank is not known: give --shape")
        sizes = sizes_of(one)
        return [size_of(size, axis, len(sizes)) for axis, size in enumerate(sizes)]
    except ValueError as error:
        raise NotComparable("input %s: %s" % (one["name"], error)) from None


def random_input(one, shape, random, quantised):
    """Numbers that every type holds exactly. Integers may be indices or masks: only 0 and 1 fit both. Where they mean real numbers, `quantised` is their type, and all fit.
    It is float32 where the model rounds real numbers: it has been quantised for those of a range, which is mostly that of pictures, -1 to 1."""
    if one["type"] == "string":
        raise NotComparable("input %s has texts" % one["name"])
    if quantised is not None and quantised is not np.float32:
        return random.integers(np.iinfo(quantised).min, np.iinfo(quantised).max + 1, shape)
    if one["type"][0] not in "fb" or one["type"] == "boolean":
        return random.integers(0, 2, shape)
    image = one["mean"] or one["scale"]
    numbers = random.integers(0, 256, shape) if image else random.uniform(-1, 1, shape) if quantised else random.standard_normal(shape)
    return numbers.astype(np.float16).astype(np.float32)


def per_channel(one, key, rank):
    numbers = np.array([float(text) for text in one[key].split(",") if text], np.float32)
    if numbers.size == 1:
        return numbers[0]
    return numbers.reshape([-1 if axis == one["channels"] else 1 for axis in range(rank)])


def for_model(one, array):
    """What the IR does to its input before the model begins."""
    if one["reverse"] and "channels" in one and (sizes_of(one)[one["channels"]] == "3" or not sizes_of(one)[one["channels"]].isdigit()):
        array = np.flip(array, one["channels"])
    if one["mean"]:
        array = array - per_channel(one, "mean", array.ndim)
    if one["scale"]:
        array = array / per_channel(one, "scale", array.ndim)
    return array


def inputs(args, quantised):
    """For each input of the IR: what the model gets, and what the IR gets. `quantised` gives what random_input() needs to know of one."""
    random = np.random.default_rng(args.seed)
    shapes, files = by_name(args.shape, "shape"), by_name(args.data, "data")
    out = []
    for i, one in enumerate(INPUTS):
        array = np.load(files[i]) if i in files else random_input(one, shape_of(one, shapes.get(i)), random, quantised(one))
        out.append((for_model(one, array), array.transpose(one["order"]) if one["order"] else array))
    return out


def frozen_value(one, dtype, shape):
    texts, kind = [text.strip() for text in one["elements"]], np.dtype(dtype).kind
    if kind == "O":
        array = np.array([text[1:-1] for text in texts], object)  # they are in quotes
    else:
        words = {"true": 1, "false": 0}
        array = np.array([words.get(text.lower()) if text.lower() in words else int(text) if text.lstrip("+-").isdigit() else float(text) for text in texts]).astype(dtype)
    if shape is not None and np.prod(shape, dtype=np.int64) == array.size:
        return array.reshape(shape)
    return array if one["list"] else array[0]


class Onnx:
    TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64, "tensor(bool)": np.bool_, "tensor(string)": np.object_}
    IR_TYPES = {"f32": 1, "u8": 2, "i8": 3, "u16": 4, "i16": 5, "i32": 6, "i64": 7, "boolean": 9, "f16": 10, "f64": 11, "u32": 12, "u64": 13}

    def __init__(self, path):
        import onnxruntime
        self.path, self.run_time = path, onnxruntime
        self.options = onnxruntime.SessionOptions()
        self.options.log_severity_level = 3
        self.session = None

    def start(self, model):
        self.session = self.run_time.InferenceSession(model, self.options, providers=["CPUExecutionProvider"])

    def run(self, feeds, names):
        """`feeds`: (names, array or a function of type and shape, type of the IR). `names`: for each output its names, of which the first one that is known counts."""
        try:
            self.start(self.path)
            if not self.fits(feeds, names):
                self.start(self.changed(feeds, names))
        except self.run_time.capi.onnxruntime_pybind11_state.NotImplemented:
            self.start(self.changed(feeds, names))
        fed = {}
        for port in self.session.get_inputs():
            dtype = self.TYPES.get(port.type) or np.dtype(port.type[7:-1])
            shape = [size if isinstance(size, int) else 1 for size in port.shape]
            value = next((array for known, array, _ in feeds if port.name in known), None)
            if value is None:
                value = np.zeros(shape)
            fed[port.name] = (value(dtype, shape) if callable(value) else value).astype(dtype)
        outputs = [port.name for port in self.session.get_outputs()]
        wanted = [next((name for name in known if name in outputs), None) for known in names]
        arrays = iter(self.session.run([name for name in wanted if name is not None], fed))
        return [None if name is None else next(arrays) for name in wanted]

    def fits(self, feeds, names):
        """Whether the model can be fed and asked as it is."""
        ports = {port.name: port.shape for port in self.session.get_inputs()}
        outputs = {port.name for port in self.session.get_outputs()}
        for known, array, _ in feeds:
            port = next((name for name in known if name in ports), None)
            if port is None or not callable(array) and any(isinstance(size, int) and size != given for size, given in zip(ports[port], array.shape)):
                return False
        return all(outputs.intersection(known) for known in names if known)

    def changed(self, feeds, names):
        """The model with the inputs, outputs and shapes of the IR."""
        import onnx
        model = onnx.load(self.path)
        graph = model.graph
        made = {output for node in graph.node for output in node.output}
        del graph.value_info[:]
        cut = set()
        for known, array, of_type in feeds:
            if callable(array):
                continue
            port = next((port for port in graph.input if port.name in known), None)
            if port is not None:
                port.CopyFrom(onnx.helper.make_tensor_value_info(port.name, port.type.tensor_type.elem_type, array.shape))
                continue
            name = next((name for name in known if name in made), None)
            if name is None:
                raise NotComparable("the model has no tensor of the names %s: an input was cut at a port" % (known or "of an input"))
            cut.add(name)
            graph.input.append(onnx.helper.make_tensor_value_info(name, self.IR_TYPES.get(of_type, 1), array.shape))
        wanted = [name for name in (next((name for name in known if name in made), None) for known in names) if name is not None]
        needed, nodes = set(wanted), []
        for node in reversed(graph.node):
            if needed.intersection(set(node.output) - cut):
                needed.update(self.reads(node))
                node.output[:] = [name + "/cut" if name in cut else name for name in node.output]
                nodes.insert(0, node)
        kept = [port for port in graph.input if port.name in needed]
        outputs = [onnx.ValueInfoProto(name=name) for name in dict.fromkeys(wanted)]
        nodes = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
        for field, content in ((graph.node, nodes), (graph.input, [onnx.ValueInfoProto.FromString(port.SerializeToString()) for port in kept]), (graph.output, outputs)):
            del field[:]
            field.extend(content)
        return model.SerializeToString()

    def reads(self, node):
        for name in node.input:
            yield name
        for attribute in node.attribute:
            for graph in [attribute.g, *attribute.graphs]:
                for inner in graph.node:
                    yield from self.reads(inner)
                for port in graph.output:
                    yield port.name


class Tensorflow:
    def __init__(self, path):
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        import tensorflow
        self.path, self.tf = path, tensorflow.compat.v1
        self.tf.logging.set_verbosity(self.tf.logging.ERROR)

    def run(self, feeds, names):
        tf = self.tf
        graph = tf.Graph()
        with graph.as_default(), tf.Session(graph=graph) as session:
            self.load(session)
            fed = {}
            for known, value, _ in feeds:
                tensor = self.tensor(graph, known)
                if tensor is None:
                    raise NotComparable("the model has no tensor of the names %s" % known)
                dtype = tensor.dtype.as_numpy_dtype
                shape = tensor.shape.as_list() if tensor.shape.rank is not None and None not in tensor.shape.as_list() else None
                fed[tensor] = np.asarray(value(dtype, shape) if callable(value) else value).astype(dtype)
            known_tensors = {tensor.name for tensor in fed}
            for op in graph.get_operations():
                if op.type == "Placeholder" and op.outputs[0].name not in known_tensors and op.outputs[0].dtype != tf.string:
                    shape = op.outputs[0].shape
                    fed[op.outputs[0]] = np.zeros([size or 1 for size in shape.as_list()] if shape.rank is not None else [], op.outputs[0].dtype.as_numpy_dtype)
            wanted = [self.tensor(graph, known) for known in names]
            arrays = iter(session.run([tensor for tensor in wanted if tensor is not None], fed))
            return [None if tensor is None else next(arrays) for tensor in wanted]

    def tensor(self, graph, names):
        for name in names:
            try:
                return graph.get_tensor_by_name(name)
            except (ValueError, KeyError):
                continue
        return None

    def load(self, session):
        tf = self.tf
        if os.path.isdir(self.path):
            tf.saved_model.loader.load(session, FACTS["tags"], self.path)
        elif os.path.basename(self.path) == "saved_model.pb":
            tf.saved_model.loader.load(session, FACTS["tags"], os.path.dirname(self.path) or ".")
        elif self.path.endswith(".meta"):
            tf.train.import_meta_graph(self.path).restore(session, self.path[:-5])
        elif "input_checkpoint" in OPTIONS:
            raise NotComparable("--input_checkpoint: freeze the graph, or give a MetaGraph")
        else:
            definition = tf.GraphDef()
            with open(self.path, "rb") as file:
                data = file.read()
            if self.path.endswith(".pbtxt"):
                from google.protobuf import text_format
                text_format.Parse(data, definition)
            else:
                definition.ParseFromString(data)
            tf.import_graph_def(definition, name="")


class TensorflowLite:
    """Outputs may be any tensors of the model; it can be fed at its inputs only."""
    STEPS = (np.int8, np.uint8, np.int16)

    def __init__(self, path):
        try:
            from ai_edge_litert import interpreter as lite
        except ImportError:
            from tensorflow.lite.python import interpreter as lite
        self.path, self.lite = path, lite
        self.interpreter = lite.Interpreter(path)
        self.ports = self.interpreter.get_input_details()
        # Each result of a quantised layer is rounded.
        self.rounds = any(self.in_steps(tensor) for tensor in self.interpreter.get_tensor_details())

    def in_steps(self, tensor):
        """Whether its integers mean real numbers."""
        return tensor["dtype"] in self.STEPS and len(tensor["quantization_parameters"]["scales"]) > 0

    def quantised(self, one):
        port = self.port(one["names"])
        if port is not None and self.in_steps(port):
            return port["dtype"]
        return np.float32 if self.rounds else None

    def port(self, known):
        return next((port for port in self.ports if port["name"] in known), None)

    def run(self, feeds, names):
        outputs = {port["name"]: port for port in self.interpreter.get_output_details()}
        if not all(outputs.keys() & known for known in map(set, names)):
            # Delegates keep tensors inside the model to themselves.
            plain = self.lite.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
            self.interpreter = self.lite.Interpreter(self.path, experimental_op_resolver_type=plain, experimental_preserve_all_tensors=True)
            outputs = {**{port["name"]: port for port in self.interpreter.get_tensor_details()}, **outputs}
        fed = []
        for known, value, _ in feeds:
            port = self.port(known)
            if port is None:
                raise NotComparable("the model has no input of the names %s; TensorFlow Lite is fed at inputs only" % known)
            array = np.asarray(value(port["dtype"], list(port["shape"])) if callable(value) else value).astype(port["dtype"])
            fed.append((port["index"], array))
            if list(port["shape"]) != list(array.shape):
                self.interpreter.resize_tensor_input(port["index"], array.shape)
        self.interpreter.allocate_tensors()
        for index, array in fed:
            self.interpreter.set_tensor(index, array)
        self.interpreter.invoke()
        found = [next((outputs[name] for name in known if name in outputs), None) for known in names]
        return [None if port is None else self.interpreter.get_tensor(port["index"]) for port in found]


class Caffe:
    """OpenCV reads the text, and the weights of its layers. Tensors inside the network may be outputs; it is fed at inputs only."""
    TOKEN = re.compile(r"""#[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{}<>]|[^\s:;,{}<>"'#]+""")

    def __init__(self, path):
        import cv2
        self.text, weights = self.files(path)
        self.net = cv2.dnn.readNetFromCaffe(self.text, weights)

    @staticmethod
    def files(path):
        """The network and its weights: one is the model, an option names the other, or it lies beside."""
        is_text = not path.endswith(".caffemodel")
        stem, folder = os.path.splitext(path)[0], os.path.dirname(os.path.abspath(path))
        given = OPTIONS.get("input_weights" if is_text else "input_proto", "")
        names = [stem + ".caffemodel"] if is_text else [stem + ".prototxt", stem + ".prototxt.txt", os.path.join(folder, "deploy.prototxt")]
        alone = [name for name in sorted(os.listdir(folder)) if name.endswith(".caffemodel" if is_text else (".prototxt", ".prototxt.txt"))]
        near = [given, os.path.join(folder, os.path.basename(given))] if given else names + [os.path.join(folder, name) for name in alone[:1]]
        other = next((name for name in near if os.path.exists(name)), None)
        if other is None:
            raise NotComparable("%s is not there: put it beside the model" % near[0])
        return (path, other) if is_text else (other, path)

    def makers(self):
        """For each tensor the last layer that makes it: those that work in place leave its name."""
        with open(self.text, encoding="utf-8", errors="replace") as file:
            tokens = [token for token in self.TOKEN.findall(file.read()) if token[0] != "#"]
        if {"stage", "not_stage", "min_level", "max_level"}.intersection(tokens):
            raise NotComparable("OpenCV does not apply rules of stages and levels: give --expected")
        makers, known, name, tops, depth = {}, set(self.net.getLayerNames()), "", [], 0
        for token, after in zip(tokens, tokens[1:] + [""]):
            if token in "{<":
                depth += 1
            elif token in "}>":
                depth -= 1
                if depth == 0 and name in known:
                    makers.update((top, name) for top in tops)
                if depth == 0:
                    name, tops = "", []
            elif depth == 1 and token == "name":
                name = after[1:-1]
            elif depth == 1 and token == "top":
                tops.append(after[1:-1])
        return makers

    def run(self, feeds, names):
        for known, value, _ in feeds:
            if not known:
                raise NotComparable("OpenCV is fed at inputs only")
            self.net.setInput(np.asarray(value(np.float32, None) if callable(value) else value, np.float32), known[0])
        # --output names layers; what nobody reads has the name of its tensor.
        makers, layers = self.makers(), {name: name for name in self.net.getLayerNames()}
        makers = {**makers, **layers} if "output" in OPTIONS else {**layers, **makers}
        layers = [next((makers[name] for name in known if name in makers), None) for known in names]
        arrays = iter(self.net.forward([layer for layer in layers if layer is not None]))
        return [None if layer is None else next(arrays) for layer in layers]


class Paddle:
    """Tensors inside the program may be outputs; it is fed at inputs only."""

    def __init__(self, path):
        import paddle
        paddle.enable_static()
        self.executor = paddle.static.Executor(paddle.CPUPlace())
        folder, program, parameters = self.files(path)
        loaded = paddle.static.load_inference_model(folder, self.executor, model_filename=program, params_filename=parameters)
        self.program, self.inputs = loaded[0], loaded[1]

    @staticmethod
    def files(path):
        """The folder, the program in it, and its parameters; None for a file for each."""
        path = os.path.join(path, "__model__") if os.path.isdir(path) else path
        folder, stem = os.path.dirname(os.path.abspath(path)), os.path.splitext(os.path.basename(path))[0]
        given = OPTIONS.get("input_weights", "")
        names = [os.path.basename(given)] if given else [stem + ".pdiparams", "__params__", "params"]
        alone = [name for name in sorted(os.listdir(folder)) if name.endswith(".pdiparams")]
        near = next((name for name in names + alone[:1] if os.path.exists(os.path.join(folder, name))), None)
        return folder, os.path.basename(path), near

    def run(self, feeds, names):
        block, fed = self.program.global_block(), {}
        for known, value, _ in feeds:
            name = next((name for name in known if name in self.inputs), None)
            if name is None:
                raise NotComparable("the program has no input of the names %s; PaddlePaddle is fed at inputs only" % known)
            variable = block.var(name)
            dtype = np.dtype(str(variable.dtype).split(".")[-1].lower().replace("fp", "float").replace("bool", "bool_"))
            fed[name] = np.asarray(value(dtype, list(variable.shape)) if callable(value) else value).astype(dtype)
        found = [next((name for name in known if block.has_var(name)), None) for known in names]
        wanted = list(dict.fromkeys(name for name in found if name is not None))
        arrays = dict(zip(wanted, self.executor.run(self.program, feed=fed, fetch_list=wanted)))
        return [None if name is None else arrays[name] for name in found]


class Expected:
    """What --expected gives."""

    def __init__(self, path):
        self.arrays = np.load(path)

    def run(self, feeds, names):
        return [next((self.arrays[name] for name in known if name in self.arrays), None) for known in names]


def in_openvino(path, arrays):
    import openvino
    core = openvino.Core()
    model = core.read_model(path)
    if len(model.inputs) != len(arrays):
        raise NotComparable("the IR has %d inputs, this script is for one with %d" % (len(model.inputs), len(arrays)))
    # Sums of products of bytes overflow on many processors: what is quantised is computed in floating point, too.
    settings = {"INFERENCE_PRECISION_HINT": "f32", "LP_TRANSFORMS_MODE": "NO"}
    compiled = core.compile_model(model, "CPU", settings)
    fed = {i: np.array(array, port.element_type.to_dtype(), order="C") for i, (port, array) in enumerate(zip(compiled.inputs, arrays))}
    result = compiled(fed)
    return [result[i] for i in range(len(compiled.outputs))]


def errors(want, got):
    """The largest difference, and its part of the largest number. Numbers that are not finite have to be the same."""
    want, got = np.asarray(want).astype(np.float64), np.asarray(got).astype(np.float64)
    same = (want == got) | np.isnan(want) & np.isnan(got)
    with np.errstate(invalid="ignore"):
        apart = np.where(same, 0, np.abs(want - got))
    apart = np.where(np.isfinite(apart), apart, np.inf)
    finite = np.abs(want[np.isfinite(want)])
    largest = finite.max() if finite.size else 0
    absolute = apart.max() if apart.size else 0
    return absolute, absolute if largest == 0 else absolute / largest


def compare(wanted, found, tolerance):
    """The exit code."""
    code, compared = 0, 0
    for one, want, got in zip(OUTPUTS, wanted, found):
        name = one["name"]
        if want is None:
            print("%-32s not comparable: the model has no such tensor" % name)
            continue
        want = np.asarray(want)
        if want.dtype.kind in "OSU":
            print("%-32s not comparable: texts" % name)
            continue
        want = want.transpose(one["order"]) if one["order"] else want
        compared += 1
        if want.shape != got.shape:
            print("%-32s WRONG SHAPE: %s in the model, %s in the IR" % (name, list(want.shape), list(got.shape)))
            code = 1
            continue
        absolute, relative = errors(want, got)
        bad = not relative <= tolerance
        code = max(code, int(bad))
        print("%-32s largest error %.3g, relative %.3g%s" % (name, absolute, relative, "  ABOVE THE TOLERANCE" if bad else ""))
    if compared == 0:
        raise NotComparable("no output of the IR is one of the model")
    return code


def main():
    args = arguments()
    try:
        framework = {"onnx": Onnx, "tf": Tensorflow, "tflite": TensorflowLite, "caffe": Caffe, "paddle": Paddle}.get(FACTS["framework"])
        if framework is None and not args.expected:
            raise NotComparable("models of %s are not run by this script" % FACTS["framework"])
        if "transform" in OPTIONS:
            print("--transform %s: inputs that the IR keeps as states are zeros" % OPTIONS["transform"])
        new = [one["name"] for one in INPUTS if not one["names"]]
        if new:
            raise NotComparable("inputs that the model does not have: %s" % ", ".join(new))
        runner = Expected(args.expected) if args.expected else framework(model_path(args.model))
        pairs = inputs(args, getattr(runner, "quantised", lambda one: None))
        feeds = [(one["names"], array, one["type"]) for one, (array, _) in zip(INPUTS, pairs)]
        feeds += [(one["names"], lambda dtype, shape, one=one: np.asarray(frozen_value(one, dtype, shape)), "") for one in FROZEN]
        for one, (array, fed) in zip(INPUTS, pairs):
            print("%-32s %s %s" % (one["name"], one["type"], list(fed.shape)))
        wanted = runner.run(feeds, [one["names"] for one in OUTPUTS])
        tolerance = args.tolerance if args.tolerance is not None else TOLERANCE_OF_INTEGERS if getattr(runner, "rounds", False) else TOLERANCE
        code = compare(wanted, in_openvino(args.ir, [fed for _, fed in pairs]), tolerance)
    except NotComparable as error:
        print("Not comparable: %s" % error)
        return 2
    except ImportError as error:
        print("Not comparable: %s. Install it with pip." % error)
        return 2
    except Exception as error:  # of a runtime: whatever its classes are
        print("Not comparable: %s: %s" % (type(error).__name__, error))
        return 2
    print("The outputs agree." if code == 0 else "The outputs differ: tolerance %g." % tolerance)
    return code


if __name__ == "__main__":
    sys.exit(main())
