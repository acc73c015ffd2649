"""Small models of TensorFlow Lite, written as FlatBuffers or made by the converter, and what LiteRT makes of them.

A module of operations/ lists them. `case("RELU", "x", x=fed(2, 3))` is the operator RELU with an input `x`; `@graph("name")` is for several
operators; `@converted("name", …)` is a tf.function that TensorFlow's converter turns into a model.
The numbers of a case come from the crc32 of its name.
"""
import contextlib
import zlib

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from values import Fed, Values

FAMILIES = {}

TYPES = {"float32": 0, "float16": 1, "int32": 2, "uint8": 3, "int64": 4, "bool": 6, "int16": 7, "complex64": 8, "int8": 9, "float64": 10, "complex128": 11, "uint64": 12,
         "uint32": 15, "uint16": 16}
DTYPES = {code: np.dtype(name) for name, code in TYPES.items()}
STRING, RESOURCE, VARIANT = 5, 13, 14
CODES = {name: code for name, code in vars(schema.BuiltinOperator).items() if not name.startswith("_")}
UNIONS = ({name: code for name, code in vars(schema.BuiltinOptions).items() if not name.startswith("_")},
          {name: code for name, code in vars(schema.BuiltinOptions2).items() if not name.startswith("_")})
ACTIVATIONS = {None: 0, "RELU": 1, "RELU_N1_TO_1": 2, "RELU6": 3, "TANH": 4, "SIGN_BIT": 5}
PADDINGS = {"SAME": 0, "VALID": 1}
# Operators whose table of options has another name.
OPTIONS = {"AVERAGE_POOL_2D": "Pool2D", "MAX_POOL_2D": "Pool2D", "L2_POOL_2D": "Pool2D", "DEPTHWISE_CONV_2D": "DepthwiseConv2D", "CONV_2D": "Conv2D", "CONV_3D": "Conv3D",
           "CONV_3D_TRANSPOSE": "Conv3D", "MEAN": "Reducer", "SUM": "Reducer", "REDUCE_PROD": "Reducer", "REDUCE_MAX": "Reducer", "REDUCE_MIN": "Reducer",
           "REDUCE_ANY": "Reducer", "REDUCE_ALL": "Reducer", "L2_NORMALIZATION": "L2Norm", "MAXIMUM": "MaximumMinimum", "MINIMUM": "MaximumMinimum", "TOPK_V2": "TopKV2",
           "SPLIT_V": "SplitV", "SPACE_TO_BATCH_ND": "SpaceToBatchND", "BATCH_TO_SPACE_ND": "BatchToSpaceND", "LSTM": "LSTM", "RNN": "RNN", "SVDF": "SVDF",
           "UNIDIRECTIONAL_SEQUENCE_RNN": "SequenceRNN", "UNIDIRECTIONAL_SEQUENCE_LSTM": "UnidirectionalSequenceLSTM", "BIDIRECTIONAL_SEQUENCE_LSTM": "BidirectionalSequenceLSTM",
           "BIDIRECTIONAL_SEQUENCE_RNN": "BidirectionalSequenceRNN", "LSH_PROJECTION": "LSHProjection", "RANDOM_UNIFORM": "Random", "RANDOM_STANDARD_NORMAL": "Random",
           "MULTINOMIAL": "Random", "ATAN2": "ATan2", "RFFT2D": "Rfft2d", "BATCH_MATMUL": "BatchMatMul", "CUMSUM": "Cumsum", "PADV2": "PadV2",
           "STABLEHLO_COMPOSITE": "StableHLOComposite"}


def camel(name):
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def options_of(kind, given):
    """The options' union type, their table, and whether they stand in the second union."""
    name = OPTIONS.get(kind) or "".join(word.capitalize() for word in kind.split("_"))
    for second, union in enumerate(UNIONS):
        if name + "Options" in union:
            table = getattr(schema, name + "OptionsT")()
            for key, value in given.items():
                key = {"activation": "fused_activation_function", "dilation_w": "dilation_w_factor", "dilation_h": "dilation_h_factor"}.get(key, key)
                value = ACTIVATIONS[value] if key == "fused_activation_function" else PADDINGS[value] if key == "padding" else value
                assert hasattr(table, camel(key)), (kind, key)
                setattr(table, camel(key), value)
            return union[name + "Options"], table, bool(second)
    assert not given, (kind, given)
    return 0, None, False


def quantization(scale, zero_point=0, axis=0):
    """Parameters of a tensor: one scale, or a list of them along an axis."""
    table = schema.QuantizationParametersT()
    table.scale = np.atleast_1d(np.asarray(scale, np.float32))
    table.zeroPoint = np.broadcast_to(np.asarray(zero_point, np.int64), table.scale.shape).copy()
    table.quantizedDimension = axis
    return table


def serialised(model):
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def parsed(content):
    return schema.ModelT.InitFromPackedBuf(content, 0)


class Building:
    """A model while it is built. Tensors are their numbers. `unknown` has the dimensions that its inputs do not say; by name, or of the first one."""

    def __init__(self, name, unknown=()):
        self.rng = np.random.default_rng(zlib.crc32(name.encode()))
        self.unknown = unknown
        self.model = model = schema.ModelT()
        model.version, model.description = 3, b"small"
        empty = schema.BufferT()
        model.operatorCodes, model.subgraphs, model.buffers, model.signatureDefs, model.metadata, model.metadataBuffer = [], [], [empty], None, None, None
        self.codes, self.feeds, self.hidden = {}, {}, set()
        self.graph = None
        self.begin("main")

    def begin(self, name):
        graph = schema.SubGraphT()
        graph.tensors, graph.inputs, graph.outputs, graph.operators, graph.name = [], [], [], [], name.encode()
        self.model.subgraphs.append(graph)
        self.graph = graph
        return len(self.model.subgraphs) - 1

    @contextlib.contextmanager
    def subgraph(self, name):
        """Tensors and operators that are added inside the block are in a graph of their own, whose number this gives."""
        before = self.graph
        yield self.begin(name)
        self.graph = before

    def buffer(self, content):
        table = schema.BufferT()
        table.data = np.frombuffer(content, np.uint8)
        self.model.buffers.append(table)
        return len(self.model.buffers) - 1

    def tensor(self, name, shape, dtype, content=None, quantized=None, signature=None, **fields):
        table = schema.TensorT()
        table.shape = np.asarray(shape, np.int32)
        table.type = dtype if isinstance(dtype, int) else TYPES[np.dtype(dtype).name]
        table.name, table.quantization, table.hasRank = name.encode(), quantized, True
        table.buffer = self.buffer(content) if content is not None else 0
        table.shapeSignature = None if signature is None else np.asarray(signature, np.int32)
        for key, value in fields.items():
            setattr(table, camel(key), value)
        self.graph.tensors.append(table)
        return len(self.graph.tensors) - 1

    def fed(self, name, spec, quantized=None):
        array = spec.draw(self.rng)
        first = not self.feeds
        dimensions = self.unknown.get(name, ()) if isinstance(self.unknown, dict) else self.unknown if first else ()
        signature = [-1 if at in dimensions else size for at, size in enumerate(array.shape)] if dimensions else None
        self.feeds[name] = array
        return self.argument(name, array.shape, array.dtype, quantized, signature)

    def argument(self, name, shape, dtype, quantized=None, signature=None):
        """An input of the graph at hand."""
        at = self.tensor(name, shape, dtype, None, quantized, signature)
        self.graph.inputs.append(at)
        return at

    def fixed(self, spec, name="constant", quantized=None, **fields):
        array = spec.draw(self.rng) if isinstance(spec, Values) else np.asarray(spec)
        return self.tensor(name, array.shape, array.dtype, np.asarray(array, order="C").tobytes(), quantized, **fields)

    def state(self, name, shape, dtype=np.float32, quantized=None):
        return self.tensor(name, shape, dtype, None, quantized, is_variable=True)

    def code(self, kind, version, custom):
        key = (kind, version, custom)
        if key not in self.codes:
            table = schema.OperatorCodeT()
            table.builtinCode = CODES[kind]
            table.deprecatedBuiltinCode = min(CODES[kind], 127)
            table.version, table.customCode = version, custom and custom.encode()
            self.codes[key] = len(self.model.operatorCodes)
            self.model.operatorCodes.append(table)
        return self.codes[key]

    def op(self, kind, inputs, results=1, dtype=None, names=None, version=1, custom=None, custom_options=None, quantized=None, intermediates=None, **options):
        """An operator and its results: as many as said, or a list of their types. They have the type of the first input, or `dtype`."""
        table = schema.OperatorT()
        table.opcodeIndex = self.code(kind, version, custom)
        table.inputs = list(inputs)
        union, given, second = options_of(kind, options) if custom is None else (0, None, False)
        if second:
            table.builtinOptions2Type, table.builtinOptions2 = union, given
        else:
            table.builtinOptionsType, table.builtinOptions = union, given
        if custom_options is not None:
            table.customOptions = np.frombuffer(custom_options, np.uint8)
        if intermediates:
            table.intermediates = intermediates
        kinds = results if isinstance(results, list) else [self.graph.tensors[inputs[0]].type if dtype is None else dtype for _ in range(results)]
        names = names or ([f"out{at}" for at in range(len(kinds))] if len(kinds) != 1 else ["result"])
        taken = {tensor.name for tensor in self.graph.tensors}
        outputs = []
        for name, kind_of in zip(names, kinds):
            unique = name if name.encode() not in taken else f"{name}_{len(self.graph.tensors)}"
            outputs.append(self.tensor(unique, [], kind_of, None, quantized))
        table.outputs = outputs
        self.graph.operators.append(table)
        return outputs if isinstance(results, list) or results != 1 else outputs[0]

    def shape_of(self, tensor):
        return self.graph.tensors[tensor].shape

    def take(self, name, argument):
        if isinstance(argument, Fed):
            return self.fed(name, argument)
        if argument is None:
            return -1
        return self.fixed(argument, name)


class Case:
    """How a case is built.

    `convert`: what TensorFlow's converter gets, in place of `build`. `change`: of the file's bytes. `quantise`: a way of quantising.py;
    `hybrid`: its weights are integers, and its activations floats. `runs`: how often it is fed, one run after the other. `refused`: why no IR
    can be made. `expected`: computes the results where LiteRT has no such operator. `usual`: not by the reference kernel, which is wrong.
    """

    def __init__(self, build, unknown=(), runs=1, refused=None, quantise=None, hybrid=False, expected=None, usual=False, convert=None, change=None):
        self.build, self.unknown, self.runs, self.refused, self.quantise, self.hybrid = build, unknown, runs, refused, quantise, hybrid
        self.expected, self.usual, self.convert, self.change = expected, usual, convert, change


class Family:
    def __init__(self, module):
        self.builders = FAMILIES.setdefault(module.rsplit(".", 1)[-1], {})

    def add(self, name, build, unknown=(), **more):
        assert name not in self.builders, name
        quantised = more.pop("quantised", ())
        self.builders[name] = Case(build, **more)
        if unknown:
            self.builders[name + "_unknown"] = Case(build, unknown, **more)
        for way in (quantised,) if isinstance(quantised, str) else quantised:
            self.builders[f"{name}_{way}"] = Case(build, quantise=way, **more)

    def graph(self, name, unknown=(), **more):
        """`build` is called with the Building, and gives the outputs."""
        def take(build):
            self.add(name, build, unknown, **more)
            return build
        return take

    def case(self, kind, variant="", unknown=(), results=1, dtype=None, version=1, options=None, take=None, signature=None, more=None, **arguments):
        """One operator; `take`: which of its results are outputs, `signature`: of the first one, whose size depends on numbers."""
        def build(building):
            inputs = [building.take(name, argument) for name, argument in arguments.items()]
            outputs = building.op(kind, inputs, results, dtype, version=version, **(options or {}))
            outputs = outputs if isinstance(outputs, list) else [outputs]
            if signature:
                building.graph.tensors[outputs[0]].shapeSignature = np.asarray(signature, np.int32)
            return outputs if take is None else [outputs[at] for at in take]
        self.add(kind + ("_" + variant if variant else ""), build, unknown, **(more or {}))

    def converted(self, name, quantised=None, **more):
        """`build` gives a tf.Module or function, and what it is fed: {name: (Fed, shape of the signature)}."""
        def take(build):
            self.builders[name] = Case(None, convert=build, quantise=quantised, **more)
            return build
        return take
