"""A network of Caffe that computes itself while it is described: a text, the bytes of its weights, and what it gives."""
import os

import numpy as np

import reference
import sequences
import wire

# The field of a layer's parameters.
FIELDS = {
    "Convolution": "convolution_param", "Deconvolution": "convolution_param", "Pooling": "pooling_param", "InnerProduct": "inner_product_param",
    "Embed": "embed_param", "ReLU": "relu_param", "PReLU": "prelu_param", "ELU": "elu_param", "Exp": "exp_param", "Log": "log_param",
    "Power": "power_param", "Threshold": "threshold_param", "Eltwise": "eltwise_param", "BatchNorm": "batch_norm_param", "Scale": "scale_param",
    "Bias": "bias_param", "LRN": "lrn_param", "MVN": "mvn_param", "Softmax": "softmax_param", "Concat": "concat_param", "Slice": "slice_param",
    "Flatten": "flatten_param", "Reshape": "reshape_param", "Permute": "permute_param", "Crop": "crop_param", "Tile": "tile_param",
    "Reduction": "reduction_param", "ArgMax": "argmax_param", "Dropout": "dropout_param",
    "SPP": "spp_param", "BN": "bn_param", "Normalize": "norm_param", "GRN": "grn_param", "DepthwiseConvolution": "convolution_param", "ConvolutionBinary": "convolution_param",
    "ShuffleChannel": "shuffle_channel_param", "ReLU6": "relu6_param", "Clip": "clip_param", "Swish": "swish_param",
    "Transpose": "transpose_param", "Reverse": "reverse_param", "PriorBox": "prior_box_param", "PriorBoxClustered": "prior_box_param",
    "DetectionOutput": "detection_output_param", "Proposal": "proposal_param", "ROIPooling": "roi_pooling_param",
    "PSROIPooling": "psroi_pooling_param", "RegionYolo": "region_yolo_param", "ReorgYolo": "reorg_yolo_param", "Interp": "interp_param",
    "Upsample": "upsample_param", "Resample": "resample_param", "FlowWarp": "flow_warp_param", "Correlation": "correlation_param",
    "Correlation1D": "correlation_param", "Im2col": "convolution_param", "Parameter": "parameter_param",
    "LSTM": "recurrent_param", "RNN": "recurrent_param", "ContinuationIndicator": "continuation_indicator_param",
    "CTCGreedyDecoder": "ctc_decoder_param",
}
V1 = {"Convolution": "CONVOLUTION", "InnerProduct": "INNER_PRODUCT", "TanH": "TANH", "AbsVal": "ABSVAL", "ReLU": "RELU"}


class Word(str):
    """Written without quotes."""


def text_of(name, value):
    """A field in the text format. Words in capitals are enums, but for types of layers of today."""
    if isinstance(value, dict):
        return f"{name} {{ " + " ".join(text_of(*one) for one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return " ".join(text_of(name, one) for one in value)
    if isinstance(value, bool):
        return f"{name}: {str(value).lower()}"
    if isinstance(value, str) and (name == "type" and not isinstance(value, Word) or not value.isupper()):
        return f'{name}: "{value}"'
    return f"{name}: {value}"


class Net:
    def __init__(self, seed=1, name="net"):
        self.random = np.random.default_rng(seed)
        self.name, self.lines, self.layers, self.values, self.feeds, self.read = name, [], [], {}, {}, set()
        self.version = 2
        self.makers = {}  # of each top its layer, and which of the layer's tops it is
        self.spelled = {}  # parameters by type of layer, written where a layer does not have them

    def draw(self, *shape, spread=1.0):
        return (self.random.standard_normal(shape) * spread).astype(np.float32)

    def input(self, name, shape, value=None, form="layer"):
        """Forms: layer, input_dim, input_shape."""
        self.feeds[name] = self.values[name] = self.draw(*shape) if value is None else np.asarray(value, np.float32)
        dims = {"dim": list(shape)}
        if form == "layer":
            self.lines.append(text_of("layer", {"name": name, "type": "Input", "top": name, "input_param": {"shape": dims}}))
        elif form == "input_dim":
            self.lines.append(f'input: "{name}" ' + text_of("input_dim", list(shape)))
        else:
            self.lines.append(f'input: "{name}" ' + text_of("input_shape", dims))
        return name

    def drawn_blobs(self, kind, param, bottoms):
        """Weights that keep numbers near 1."""
        if kind in ("LSTM", "RNN"):
            return sequences.drawn_blobs(self, kind, param, bottoms)
        channels = bottoms[0].shape[1] if bottoms and bottoms[0].ndim > 1 else 1
        if kind == "BN":
            blobs = [self.draw(channels), self.draw(channels), self.draw(channels), (0.5 + self.random.random(channels)).astype(np.float32)]
            return blobs[:2] if "bn_mode" in param else blobs
        if kind == "Normalize":
            return [self.draw(1 if param.get("channel_shared", True) else channels)]
        outputs, group = param.get("num_output", 0), param.get("group", 1)
        with_bias = param.get("bias_term", kind not in ("Scale",))
        if kind == "DepthwiseConvolution":
            group = param.get("group", outputs)
        if kind in ("Convolution", "Deconvolution", "DepthwiseConvolution", "ConvolutionBinary"):
            axes = bottoms[0].ndim - 2
            kernel = reference.per_axis(param, "kernel_size", axes, 0)
            sizes = (channels, outputs // group) if kind == "Deconvolution" else (outputs, channels // group)
            weights = self.draw(*sizes, *kernel, spread=1 / np.sqrt(max(1, channels // group * np.prod(kernel))))
            if kind == "ConvolutionBinary":
                weights = np.where(weights > 0, 1, -1).astype(np.float32)
            return [weights] + ([self.draw(outputs, spread=0.3)] if with_bias else [])
        if kind == "InnerProduct":
            inner = int(np.prod(bottoms[0].shape[param.get("axis", 1):]))
            weights = self.draw(*((inner, outputs) if param.get("transpose") else (outputs, inner)), spread=1 / np.sqrt(inner))
            return [weights] + ([self.draw(outputs, spread=0.3)] if with_bias else [])
        if kind == "Embed":
            return [self.draw(param["input_dim"], outputs)] + ([self.draw(outputs)] if with_bias else [])
        if kind == "PReLU":
            return [self.draw(1 if param.get("channel_shared") else channels, spread=0.3)]
        if kind == "BatchNorm":
            factor = np.float32(2.5)
            return [self.draw(channels) * factor, (0.5 + self.random.random(channels)).astype(np.float32) * factor, np.array([factor])]
        if kind in ("Scale", "Bias"):
            axis, count = param.get("axis", 1), param.get("num_axes", 1)
            shape = bottoms[0].shape[axis:] if count == -1 else bottoms[0].shape[axis:][:count]
            blobs = 1 if len(bottoms) == 1 else 0
            return [self.draw(*shape) for _ in range(blobs + (1 if kind == "Scale" and param.get("bias_term") else 0))]
        return []

    def layer(self, kind, bottoms, tops=None, name=None, param=None, blobs=None, extra=None, field=None):
        """Adds a layer and computes it. Gives the name of its top, or a list of them. `extra`: more fields of the layer."""
        bottoms = [bottoms] if isinstance(bottoms, str) else list(bottoms)
        name = name or f"{kind.lower()}{len(self.lines)}"
        tops = [tops] if isinstance(tops, str) else list(tops or [name])
        param = param or {}
        values = [self.values[bottom] for bottom in bottoms]
        blobs = self.drawn_blobs(kind, param, values) if blobs is None else blobs
        fields = {"name": name, "type": kind, "bottom": bottoms, "top": tops}
        if self.version == 1:
            fields["type"] = Word(V1.get(kind, kind.upper()))
        if param or kind in self.spelled:
            fields[field or FIELDS[kind]] = {**self.spelled.get(kind, {}), **param}
        fields.update(extra or {})
        self.lines.append(text_of("layers" if self.version == 1 else "layer", fields))
        self.layers.append((name, kind, blobs))
        self.read.update(bottoms)
        for at, (top, value) in enumerate(zip(tops, reference.run(kind, param, values, blobs, len(tops)))):
            self.values[top] = np.asarray(value, np.float32)
            self.makers[top] = name, at
            self.read.discard(top)
        return tops[0] if len(tops) == 1 else tops

    def raw(self, text):
        """A piece of the text that computes nothing."""
        self.lines.append(text)

    def results(self):
        """What nobody reads, by its name."""
        return {name: value for name, value in self.values.items() if name not in self.read and name not in self.feeds}

    def text(self):
        return f'name: "{self.name}"\n' + "\n".join(self.lines) + "\n"

    def weights(self, form="shape"):
        return wire.network(self.layers, self.name, self.version, form)

    def write(self, folder, stem="net", form="shape"):
        """The path of the .caffemodel."""
        path = os.path.join(str(folder), stem)
        with open(path + ".prototxt", "w", encoding="utf-8") as file:
            file.write(self.text())
        with open(path + ".caffemodel", "wb") as file:
            file.write(self.weights(form))
        return path + ".caffemodel"
