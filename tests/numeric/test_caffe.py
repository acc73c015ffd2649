"""Networks of Caffe: the IR in the runtime against layers computed from Caffe's definitions (tests/caffe/reference.py)."""
import os
import sys

import numpy as np
import pytest

import judge
from caffe_judge import compare, converted, detections, in_runtime, run_mo

sys.path.insert(0, os.path.join(judge.ROOT, "tests", "caffe"))
import architectures  # noqa: E402
import every  # noqa: E402
import net as caffe  # noqa: E402
import wire  # noqa: E402


def check(net, folder, *options, form="shape", expected=None):
    xml, messages = converted(net.write(folder, form=form), folder, *options)
    compare(net.results() if expected is None else expected, in_runtime(xml, net.feeds), detections(net))
    return messages



NETWORKS = [name.removeprefix("network/") for name in every.NETWORKS]


@pytest.mark.parametrize("name", NETWORKS)
def test_network(name, tmp_path):
    net = every.build("network/" + name)
    assert "WARNING" not in check(net, tmp_path, "--log_level", "WARNING")


# PSROIPooling of an open size is no operation of the runtime, and the windows of SPP depend on the size.
@pytest.mark.parametrize("name", [name for name in NETWORKS if name not in ("rfcn", "spp_net")])
def test_network_of_open_size(name, tmp_path):
    net = every.build("network/" + name)

    def sizes(value):
        return [str(size) if value.ndim != 4 or i == 1 else "?" for i, size in enumerate(value.shape)]
    check(net, tmp_path, "--input", ",".join(f"{feed}[{','.join(sizes(value))}]" for feed, value in net.feeds.items()))


@pytest.mark.parametrize("name", [name.removeprefix("layer/") for name in every.LAYERS])
def test_layer(name, tmp_path):
    check(every.build("layer/" + name), tmp_path)


@pytest.mark.parametrize("form", ["legacy", "both", "double", "raw", "half", "unpacked", "pieces", "flat"])
def test_forms_of_blobs(form, tmp_path):
    """Blobs of old and new shape (legacy sizes count before a shape), double, of NVIDIA's fork, and in several pieces."""
    net = caffe.Net()
    x = net.input("data", (1, 3, 8, 8))
    x = net.layer("Convolution", x, param={"num_output": 4, "kernel_size": 3})
    net.layer("InnerProduct", net.layer("PReLU", x), "fc", param={"num_output": 5})
    if form == "half":
        net.layers = [(name, kind, [blob.astype(np.float16) for blob in blobs]) for name, kind, blobs in net.layers]
    check(net, tmp_path, form=form)


@pytest.mark.parametrize("form", ["legacy", "shape"])
def test_layers_of_v1(form, tmp_path):
    net = caffe.Net()
    net.version = 1
    x = net.input("data", (1, 3, 8, 8), form="input_dim")
    x = net.layer("Convolution", x, param={"num_output": 4, "kernel_size": 3})
    x = net.layer("ReLU", x, x)
    x = net.layer("InnerProduct", net.layer("TanH", net.layer("AbsVal", x)), param={"num_output": 5})
    net.layer("Softmax", x, "prob")
    check(net, tmp_path, form=form)


def test_layers_of_forks_in_v1(tmp_path):
    """Types that Caffe's own enum lacks, with the parameters that they have today."""
    net = caffe.Net()
    net.version = 1
    x = net.input("data", (1, 3, 8, 8), form="input_dim")
    x = net.layer("Convolution", x, param={"num_output": 4, "kernel_size": 3})
    x = net.layer("PReLU", x, param={"channel_shared": True})
    x = net.layer("BN", net.layer("BN", x), param={"bn_mode": "INFERENCE"})
    x = net.layer("Interp", x, param={"zoom_factor": 2})
    net.layer("Permute", x, "y", param={"order": [0, 2, 3, 1]})
    net.lines[-1] = net.lines[-1].replace("type: PERMUTE", "type: Permute")
    check(net, tmp_path, form="legacy")


def test_layers_of_v0(tmp_path):
    """All parameters in one message, and padding as a layer of its own."""
    net = caffe.Net()
    x = net.input("data", (1, 2, 9, 9))
    x = net.layer("Convolution", x, "conv1", name="conv1", param={"num_output": 4, "kernel_size": 3, "pad": 1, "group": 2})
    x = net.layer("Pooling", x, "pool1", param={"pool": "AVE", "kernel_size": 3, "stride": 2})
    x = net.layer("LRN", x, "norm1", param={"local_size": 3, "alpha": 0.5})
    net.layer("InnerProduct", x, "fc", name="fc", param={"num_output": 5, "bias_term": False})
    net.lines = ['input: "data" input_dim: 1 input_dim: 2 input_dim: 9 input_dim: 9',
                 'layers { layer { name: "p" type: "padding" pad: 1 } bottom: "data" top: "p" }',
                 'layers { layer { name: "conv1" type: "conv" num_output: 4 kernelsize: 3 group: 2 } bottom: "p" top: "conv1" }',
                 'layers { layer { name: "pool1" type: "pool" pool: AVE kernelsize: 3 stride: 2 } bottom: "conv1" top: "pool1" }',
                 'layers { layer { name: "norm1" type: "lrn" local_size: 3 alpha: 0.5 } bottom: "pool1" top: "norm1" }',
                 'layers { layer { name: "fc" type: "innerproduct" num_output: 5 biasterm: false } bottom: "norm1" top: "fc" }']
    net.version = 0
    check(net, tmp_path, form="legacy")


TRAIN_VAL = """
layer { name: "data" type: "Data" top: "data" top: "label" include { phase: TRAIN }
  transform_param { crop_size: 8 mean_value: 1 mean_value: 2 mean_value: 3 } data_param { source: "train" batch_size: 64 } }
layer { name: "data" type: "Data" top: "data" top: "label" include { phase: TEST }
  transform_param { crop_size: 8 mean_value: 1 mean_value: 2 mean_value: 3 } data_param { source: "val" batch_size: 2 } }
"""
TAIL = """
layer { name: "accuracy" type: "Accuracy" bottom: "fc" bottom: "label" top: "accuracy" include { phase: TEST } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "fc" bottom: "label" top: "loss" }
layer { name: "quiet" type: "Silence" bottom: "accuracy" bottom: "side" }
"""


def test_a_network_for_training(tmp_path):
    """Twins of data layers, losses and measures: what is left reads pictures and gives scores."""
    net = caffe.Net()
    net.input("data", (2, 3, 8, 8))
    net.lines = [TRAIN_VAL]
    x = net.layer("Convolution", "data", param={"num_output": 4, "kernel_size": 3})
    net.layer("InnerProduct", net.layer("Dropout", x, x), "fc", param={"num_output": 5})
    net.layer("AbsVal", x, "side")
    net.raw(TAIL)
    expected = {"fc": net.values["fc"]}
    xml, _ = converted(net.write(tmp_path), tmp_path)
    found = in_runtime(xml, net.feeds)
    compare(expected, found)
    assert len(judge.core().read_model(xml).outputs) == 1 and len(judge.core().read_model(xml).inputs) == 1


RULES = """
input: "data" input_dim: 1 input_dim: 2 input_dim: 3 input_dim: 4
{state}
layer {{ name: "a" type: "Power" bottom: "data" top: "a" power_param {{ shift: 1 }} {first} }}
layer {{ name: "b" type: "Power" bottom: "data" top: "a" power_param {{ shift: 10 }} {second} }}
"""


@pytest.mark.parametrize("first, second, stages, state, shift", [
    ("include { phase: TEST }", "include { phase: TRAIN }", "", "", 1),
    ("exclude { phase: TEST }", "exclude { phase: TRAIN }", "", "", 10),
    ("include { stage: \"deploy\" }", "exclude { stage: \"deploy\" }", "", "", 10),
    ("include { stage: \"deploy\" }", "exclude { stage: \"deploy\" }", "deploy", "", 1),
    ("include { stage: \"deploy\" stage: \"x\" }", "exclude { stage: \"deploy\" stage: \"x\" }", "deploy", "", 10),
    ("include { stage: \"deploy\" stage: \"x\" }", "exclude { stage: \"deploy\" stage: \"x\" }", "deploy, x", "", 1),
    ("include { not_stage: \"x\" }", "include { stage: \"x\" }", "", "", 1),
    ("include { not_stage: \"x\" }", "include { stage: \"x\" }", "", "state { stage: \"x\" }", 10),
    ("include { phase: TRAIN } include { phase: TEST max_level: 0 }", "include { min_level: 1 }", "", "", 1),
])
def test_rules(first, second, stages, state, shift, tmp_path):
    path = tmp_path / "net.prototxt"
    path.write_text(RULES.format(first=first, second=second, state=state))
    xml, _ = converted(path, tmp_path, *(["--caffe_stages", stages] if stages else []))
    x = np.random.default_rng(1).random((1, 2, 3, 4), np.float32)
    compare({"a": x + shift}, in_runtime(xml, {"data": x}))


def test_shared_weights(tmp_path):
    """The second layer has none of its own in the file; both have one of them under one name."""
    net = caffe.Net()
    x, y = net.input("x", (1, 6)), net.input("y", (1, 6))
    names = {"param": [{"name": "w"}, {"name": "b"}]}
    net.layer("InnerProduct", x, "a", param={"num_output": 3}, extra=names)
    net.layer("InnerProduct", y, "b", param={"num_output": 3}, extra=names, blobs=net.layers[0][2])
    net.layers.pop()
    check(net, tmp_path)


def test_weights_of_fillers(tmp_path):
    """A prototxt alone: constants, and the kernel of bilinear upsampling."""
    net = caffe.Net()
    x = net.input("data", (1, 3, 4, 5))
    for size in (4, 3):
        f = -(-size // 2)
        c = (2 * f - 1 - f % 2) / (2 * f)
        line = 1 - abs(np.arange(size) / f - c)
        kernel = np.broadcast_to(np.outer(line, line), (3, 1, size, size)).astype(np.float32)
        net.layer("Deconvolution", x, f"up{size}", blobs=[kernel], param={"num_output": 3, "group": 3, "kernel_size": size, "stride": 2,
                  "bias_term": False, "weight_filler": {"type": "bilinear"}})
    fillers = {"weight_filler": {"type": "constant", "value": 0.25}}
    net.layer("Convolution", x, "conv", blobs=[np.full((2, 3, 3, 3), 0.25), np.zeros(2)], param={"num_output": 2, "kernel_size": 3, **fillers})
    net.layer("InnerProduct", x, "fc", blobs=[np.full((2, 60), 0.25), np.full(2, 3.0)],
              param={"num_output": 2, **fillers, "bias_filler": {"value": 3}})
    net.layer("Scale", x, "scale", blobs=[np.ones(3)])
    net.layer("PReLU", x, "prelu", blobs=[np.full(3, 0.25)])
    path = tmp_path / "net.prototxt"
    path.write_text(net.text())
    xml, _ = converted(path, tmp_path)
    compare(net.results(), in_runtime(xml, net.feeds))


@pytest.mark.parametrize("param, count, divided", [
    ({"use_weight_bias": True}, 5, True), ({"scale_bias": True}, 5, False), ({}, 5, False), ({}, 2, False), ({"eps": 1e-9}, 3, True)])
def test_batch_norm_of_forks(param, count, divided, tmp_path):
    """Intel's divides by blob 2, NVIDIA's does not; both have scale and bias behind it."""
    net = caffe.Net()
    x = net.input("data", (2, 4, 5, 5))
    mean, variance = net.draw(4), (0.5 + net.random.random(4)).astype(np.float32)
    blobs = [mean, variance, np.array([2.0]), 1 + net.draw(4, spread=0.1), net.draw(4)][:count]
    net.lines.append(caffe.text_of("layer", {"name": "bn", "type": "BatchNorm", "bottom": x, "top": "bn", "batch_norm_param": param}))
    net.layers.append(("bn", "BatchNorm", blobs))
    factor = 2.0 if divided else 1.0
    form = (1, -1, 1, 1)
    y = (net.values[x] - (mean / factor).reshape(form)) / np.sqrt((variance / factor).reshape(form) + param.get("eps", 1e-5))
    if count == 5:
        y = y * blobs[3].reshape(form) + blobs[4].reshape(form)
    check(net, tmp_path, expected={"bn": y})


def test_fields_of_intel(tmp_path):
    """Activations and sums within convolutions, activations within BatchNorm."""
    net = caffe.Net()
    x = net.input("data", (1, 3, 6, 6))
    weights = net.draw(3, 3, 1, 1), net.draw(3)
    net.lines.append(caffe.text_of("layer", {"name": "c", "type": "Convolution", "bottom": [x, x], "top": "c", "convolution_param": {
        "num_output": 3, "kernel_size": 1, "fusion_type": "SUM_FUSION", "relu": True, "negative_slope": 0.5}}))
    net.layers.append(("c", "Convolution", list(weights)))
    y = np.einsum("oi,nihw->nohw", weights[0][:, :, 0, 0], net.values[x]) + weights[1].reshape(1, -1, 1, 1) + net.values[x]
    y = np.where(y > 0, y, 0.5 * y)
    mean, variance = net.draw(3), np.ones(3, np.float32)
    net.lines.append(caffe.text_of("layer", {"name": "bn", "type": "BatchNorm", "bottom": "c", "top": "bn", "batch_norm_param": {"relu": True}}))
    net.layers.append(("bn", "BatchNorm", [mean, variance, np.array([1.0])]))
    y = np.maximum((y - mean.reshape(1, -1, 1, 1)) / np.sqrt(1 + 1e-5), 0)
    check(net, tmp_path, expected={"bn": y})


def test_split_and_names(tmp_path):
    """Every top of Split is its bottom; a tensor that is written in place twice has its name after the last layer."""
    net = caffe.Net()
    x = net.input("data", (1, 3, 6, 6))
    y = net.layer("Convolution", x, "conv", name="conv", param={"num_output": 4, "kernel_size": 3})
    net.layer("ReLU", y, y, name="relu")
    net.layer("Power", y, y, name="power", param={"shift": 1})
    tops = net.layer("Split", y, ["a", "b"], name="split")
    net.layer("Eltwise", [tops[0], net.layer("AbsVal", tops[1])], "sum")
    check(net, tmp_path)
    path = os.path.join(str(tmp_path), "net.caffemodel")
    xml, _ = converted(path, tmp_path, "--output", "conv")
    assert in_runtime(xml, net.feeds)  # the layer of that name
    types = [node.get_type_name() for node in judge.core().read_model(xml).get_ops()]
    assert "Relu" not in types


def test_an_input_that_is_written_in_place_keeps_its_name(tmp_path):
    net = caffe.Net()
    data = net.input("data", (1, 3, 6, 6))
    fed = net.feeds["data"]
    net.layer("Power", data, data, name="shifted", param={"shift": 1})
    net.layer("ReLU", data, data, name="last")
    net.feeds["data"] = fed
    xml, _ = converted(net.write(tmp_path), tmp_path)
    compare({"last": np.maximum(fed + 1, 0)}, in_runtime(xml, net.feeds))
    net.layer("Convolution", data, "conv", name="conv", param={"num_output": 4, "kernel_size": 3})
    check(net, tmp_path, expected={"conv": net.values["conv"]})


def test_unknown_fields_are_named(tmp_path):
    net = caffe.Net()
    x = net.input("data", (1, 3, 6, 6))
    net.layer("ReLU", x, "y", name="act", param={"negative_slope": 0.5}, extra={"quantize_out": {"min": 3}, "engine": "CAFFE"})
    net.lines[-1] = net.lines[-1].replace("negative_slope", "engine: CUDNN odd: 3 negative_slope")
    messages = check(net, tmp_path, "--log_level", "WARNING")
    assert "MO1035" in messages and "relu_param.odd of act" in messages and "quantize_out of act" in messages, messages
    assert "engine" not in messages


DATA = [
    ("Data", "data_param { batch_size: 2 force_encoded_color: true } transform_param { crop_size: 6 }", "[2,3,6,6]"),
    ("Data", "data_param { batch_size: 2 }", "[2,?,?,?]"),
    ("ImageData", "image_data_param { batch_size: 3 new_height: 5 new_width: 7 is_color: false }", "[3,1,5,7]"),
    ("MemoryData", "memory_data_param { batch_size: 1 channels: 2 height: 5 width: 7 }", "[1,2,5,7]"),
    ("WindowData", "window_data_param { batch_size: 4 crop_size: 9 }", "[4,?,9,9]"),
    ("DummyData", "dummy_data_param { shape { dim: 2 dim: 5 } }", "[2,5]"),
    ("DummyData", "dummy_data_param { num: 1 channels: 2 height: 3 width: 4 }", "[1,2,3,4]"),
    ("HDF5Data", "hdf5_data_param { batch_size: 4 }", "[...]"),
    ("DenseImageData", "dense_image_data_param { batch_size: 2 new_height: 5 new_width: 7 }", "[2,3,5,7]"),
    ("ImageSegData", "image_data_param { batch_size: 2 new_height: 5 new_width: 7 is_color: true }", "[2,3,5,7]"),
    ("VideoData", "data_param { batch_size: 2 } transform_param { crop_size: 6 force_color: true }", "[2,3,6,6]"),
    ("AnnotatedData", "data_param { batch_size: 2 } transform_param { mean_value: 1 mean_value: 2 mean_value: 3 }", "[2,3,?,?]"),
]


@pytest.mark.parametrize("kind, param, shape", DATA)
def test_data_layers_become_inputs(kind, param, shape, tmp_path):
    path = tmp_path / "net.prototxt"
    path.write_text(f'layer {{ name: "in" type: "{kind}" top: "data" top: "label" {param} }}\n'
                    'layer { name: "y" type: "AbsVal" bottom: "data" top: "y" }\n')
    xml, _ = converted(path, tmp_path)
    inputs = judge.core().read_model(xml).inputs
    assert [str(port.partial_shape) for port in inputs] == [shape] and inputs[0].get_names() == {"data"}


@pytest.mark.parametrize("kind", ["SoftmaxWithLoss", "SigmoidCrossEntropyLoss", "EuclideanLoss", "HingeLoss", "ContrastiveLoss", "InfogainLoss",
                                  "MultinomialLogisticLoss", "Accuracy", "HDF5Output", "MultiBoxLoss", "SmoothL1Loss", "CTCLoss", "DetectionEvaluate"])
def test_layers_for_training_vanish(kind, tmp_path):
    path = tmp_path / "net.prototxt"
    path.write_text('layer { name: "in" type: "MemoryData" top: "data" top: "label" memory_data_param { batch_size: 2 channels: 3 height: 4 width: 5 } }\n'
                    'layer { name: "y" type: "AbsVal" bottom: "data" top: "y" }\n'
                    f'layer {{ name: "l" type: "{kind}" bottom: "y" bottom: "label" top: "l" }}\n')
    xml, _ = converted(path, tmp_path)
    x = np.random.default_rng(1).standard_normal((2, 3, 4, 5)).astype(np.float32)
    compare({"y": abs(x)}, in_runtime(xml, {"data": x}))
    assert len(judge.core().read_model(xml).inputs) == 1


@pytest.mark.parametrize("name", ["ConvolutionDepthwise", "DepthwiseConv", "depthwise_convolution", "ConvolutionDepthWise"])
def test_names_of_convolutions_by_channel(name, tmp_path):
    net = caffe.Net()
    net.layer("DepthwiseConvolution", net.input("data", (1, 4, 6, 6)), "y", param={"num_output": 4, "kernel_size": 3})
    net.lines = [line.replace('"DepthwiseConvolution"', f'"{name}"') for line in net.lines]
    check(net, tmp_path)


@pytest.mark.parametrize("form", ["shape", "legacy", "flat"])
def test_parameter_is_its_blob(form, tmp_path):
    net = caffe.Net()
    blob = net.draw(1, 3, 1, 1)
    net.layer("Parameter", [], "p", param={"shape": {"dim": [3, 1, 1]}}, blobs=[blob], name="weight")
    net.layer("Bias", [net.input("data", (2, 3, 4, 5)), "p"], "y")
    net.layer("Parameter", [], "q", param={"shape": {"dim": [1, 3]}}, blobs=[blob[0, :, 0, 0][None]])
    xml, _ = converted(net.write(tmp_path, form=form), tmp_path)
    compare({"y": net.values["y"], "q": net.values["q"]}, in_runtime(xml, net.feeds))


def test_parameter_without_weights_or_of_another_size(tmp_path):
    net = caffe.Net()
    net.layer("Parameter", [], "p", param={"shape": {"dim": [3, 1, 1]}}, blobs=[net.draw(3, 1, 1)])
    net.layer("Bias", [net.input("data", (2, 3, 4, 5)), "p"], "y")
    model = net.write(tmp_path)
    other = tmp_path / "other.prototxt"
    other.write_text(net.text().replace("dim: 3 dim: 1 dim: 1", "dim: 4 dim: 1 dim: 1"))
    run = run_mo(str(model), "--input_proto", str(other))
    assert "MO3002" in run.stderr and "blob 0 is [3, 1, 1], the layer wants [4, 1, 1]" in run.stderr, run.stderr
    os.remove(model)
    run = run_mo(str(tmp_path / "net.prototxt"))
    assert "MO1034" in run.stderr and run.stderr.count("ERROR") == 1, run.stderr


@pytest.mark.parametrize("kind, name, param, field", [
    ("RegionYolo", "Region", {"classes": 3, "num": 2}, "region_param"), ("ReorgYolo", "Reorg", {"stride": 2}, "reorg_param"),
])
def test_names_of_yolo(kind, name, param, field, tmp_path):
    net = caffe.Net()
    net.layer(kind, net.input("data", (1, 16, 4, 6)), "y", param=param, field=field)
    net.lines = [line.replace(f'"{kind}"', f'"{name}"') for line in net.lines]
    check(net, tmp_path)


def test_region_with_axes_of_flatten(tmp_path):
    net = caffe.Net()
    net.layer("RegionYolo", net.input("data", (1, 16, 4, 6)), "y", param={"classes": 3, "num": 2, "axis": 2, "end_axis": 3})
    net.lines[-1] = net.lines[-1].replace("axis: 2 end_axis: 3 }", "} flatten_param { axis: 2 end_axis: 3 }")
    assert "MO1035" not in check(net, tmp_path, "--log_level", "WARNING")


@pytest.mark.parametrize("module, text, param", [
    ("rpn.proposal_layer", "'feat_stride': 8", {"feat_stride": 8}),
    ("rpn.proposal_layer", "{'feat_stride': 8, 'scales': (1, 2.5), 'ratios': [0.5, 1]}", {"feat_stride": 8, "scale": [1, 2.5], "ratio": [0.5, 1]}),
    ("rpn.proposal_layer", "feat_stride: 8  # of VGG\\nscales: [2]\\nratios: 1\\n", {"feat_stride": 8, "scale": [2], "ratio": [1]}),
    ("rpn.proposal_layer", "", {}),
    ("SSH.layers.proposal_layer", "'feat_stride': 8, 'post_nms_topn': 4, 'nms_thresh': 1", {"feat_stride": 8, "pre_nms_topn": 1000, "nms_thresh": 1}),
])
def test_proposal_as_a_python_layer(module, text, param, tmp_path):
    net = caffe.Net()
    count = len(param.get("ratio", [1, 2, 3])) * len(param.get("scale", [1, 2, 3]))
    score = net.input("score", (1, 2 * count, 6, 7), net.random.random((1, 2 * count, 6, 7)))
    delta = net.input("delta", (1, 4 * count, 6, 7))
    shape = (1, 3) if module == "rpn.proposal_layer" else (1, 3, 1, 1)
    info = net.input("info", shape, np.array([300, 300, 1]).reshape(shape))
    net.layer("Proposal", [score, delta, info], "rois", name="p", param=param)
    python = caffe.text_of("python_param", {"module": module, "layer": "ProposalLayer", "param_str": text})
    net.lines[-1] = f'layer {{ name: "p" type: "Python" bottom: "score" bottom: "delta" bottom: "info" top: "rois" {python} }}'
    xml, _ = converted(net.write(tmp_path), tmp_path)
    found, expected = in_runtime(xml, net.feeds)["rois"], net.values["rois"]
    kept = min(len(expected), len(found))
    assert kept >= 4
    compare({"rois": expected[:kept]}, {"rois": found[:kept]})


def test_steps_in_one_sequence(tmp_path):
    """An indicator whose sequences begin with the first step needs no loop."""
    net = caffe.Net(seed=7)
    architectures.crnn(net)
    xml, _ = converted(net.write(tmp_path), tmp_path)
    types = [node.get_type_name() for node in judge.core().read_model(xml).get_ops()]
    assert types.count("LSTMSequence") == 2 and "TensorIterator" not in types


def test_diagonal_filler(tmp_path):
    net = caffe.Net()
    weights = np.zeros((2, 3, 2, 2))
    weights[0, 0], weights[1, 1] = 20 / 4, 1 / 4
    net.layer("Convolution", net.input("data", (1, 3, 5, 6)), "y", blobs=[weights, np.zeros(2)],
              param={"num_output": 2, "kernel_size": 2, "weight_filler": {"type": "diagonal", "diag_val": [20.0]}})
    path = tmp_path / "net.prototxt"
    path.write_text(net.text())
    xml, _ = converted(path, tmp_path)
    compare(net.results(), in_runtime(xml, net.feeds))


def test_probabilities_of_a_loss(tmp_path):
    """The second top of SoftmaxWithLoss is what Softmax gives."""
    net = caffe.Net()
    x = net.layer("InnerProduct", net.input("data", (2, 6)), "fc", param={"num_output": 4})
    net.layer("Softmax", x, "prob")
    net.lines[-1] = ('layer { name: "label" type: "DummyData" top: "label" dummy_data_param { shape { dim: 2 } } }\n'
                     'layer { name: "loss" type: "SoftmaxWithLoss" bottom: "fc" bottom: "label" top: "loss" top: "prob" }')
    check(net, tmp_path)


@pytest.mark.parametrize("kind", ["LSTM", "RNN"])
def test_states_stay_from_inference_to_inference(kind, tmp_path):
    """As in Caffe: the steps of the second inference follow those of the first, where cont does not begin anew."""
    net = caffe.Net()
    cont = np.array([[0, 0], [1, 1], [1, 0], [1, 1], [1, 0], [1, 1]], np.float32)
    net.layer(kind, [net.input("x", (6, 2, 3)), net.input("cont", (6, 2), cont)], "y", param={"num_output": 4})
    net.lines = [line.replace("dim: 6", "dim: 3", 1) for line in net.lines]
    xml, _ = converted(net.write(tmp_path), tmp_path)
    model = judge.core().compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    request = model.create_infer_request()
    parts = [request.infer({name: value[at:at + 3] for name, value in net.feeds.items()})[model.output("y")].copy() for at in (0, 3)]
    compare(net.results(), {"y": np.concatenate(parts)})


@pytest.mark.parametrize("size,options,offset,scale,rgb", [
    ((9, 11), (), (0, 0), 1, False),
    ((16, 15), (), (3, 2), 1, False),
    ((16, 15), ("--mean_file_offsets", "(4,7)"), (7, 4), 1, False),
    ((9, 11), ("--scale", "58.8"), (0, 0), 58.8, False),
    ((12, 11), ("--scale_values", "(2,3,4)", "--reverse_input_channels"), (1, 0), np.float32([2, 3, 4]).reshape(1, 3, 1, 1), True),
])
@pytest.mark.parametrize("form", ["legacy", "flat_shape"])
def test_mean_image(size, options, offset, scale, rgb, form, tmp_path):
    """Subtracted element by element, cut in the middle or at (x,y); channels are reversed before, scales applied behind."""
    net = caffe.Net(seed=5)
    pictures = net.draw(2, 3, 9, 11, spread=50)
    mean = net.draw(3, *size, spread=20)
    part = mean[:, offset[0]:offset[0] + 9, offset[1]:offset[1] + 11]
    x = net.input("data", (2, 3, 9, 11), ((pictures[:, ::-1] if rgb else pictures) - part) / scale)
    net.layer("Convolution", x, "y", param={"num_output": 4, "kernel_size": 3, "pad": 1})
    path = tmp_path / "mean.binaryproto"
    path.write_bytes(wire.blob(mean, "legacy" if form == "legacy" else "shape"))
    xml, _ = converted(net.write(tmp_path), tmp_path, "--mean_file", str(path), *options)
    compare(net.results(), in_runtime(xml, {"data": pictures}))


def test_mean_image_lies_unused_beside_a_model(tmp_path):
    net = caffe.Net()
    net.layer("ReLU", net.input("data", (1, 3, 4, 4)))
    (tmp_path / "mean.binaryproto").write_bytes(wire.blob(np.full((3, 4, 4), 100), "legacy"))
    check(net, tmp_path)


@pytest.mark.parametrize("pad, messages", [(1, "MO2004"), (2, "")])
def test_correlation_to_the_left_reads_no_other_row(pad, messages, tmp_path):
    net = caffe.Net()
    net.layer("Correlation1D", [net.input("a", (1, 2, 4, 9)), net.input("b", (1, 2, 4, 9))], "y",
              param={"pad": pad, "kernel_size": 1, "max_displacement": 2, "stride_2": 2, "single_direction": -1})
    run = run_mo(str(net.write(tmp_path)), "--output_dir", str(tmp_path))
    assert messages in run.stderr and (run.returncode == 1) == bool(messages), run.stderr
