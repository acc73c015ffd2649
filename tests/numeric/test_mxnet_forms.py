"""The operations of IR that symbols of MXNet become; their numbers are those of test_mxnet.py."""
import os
import subprocess
import sys
import xml.etree.ElementTree

import pytest

import judge

FOLDER = os.path.join(judge.ROOT, "tests", "mxnet")
sys.path[:0] = [FOLDER, os.path.join(judge.ROOT, "tests", "recorded")]
import stored_mxnet  # noqa: E402

ALL = stored_mxnet.everything()
SEQUENCES = {"lstm": "LSTMSequence", "gru": "GRUSequence", "rnn_tanh": "RNNSequence", "rnn_relu": "RNNSequence"}


def layers(name, folder):
    """The types of operations and their attributes, without constants."""
    case = ALL[name]
    model = os.path.join(folder, "model" + stored_mxnet.ENDING)
    case.write(model)
    subprocess.run([judge.MO, "--input_model", model, "--output_dir", folder, "--model_name", "ir", "--compress_to_fp16=False", *case.about["options"]], check=True, capture_output=True, timeout=120)
    root = xml.etree.ElementTree.parse(os.path.join(folder, "ir.xml")).getroot()
    return [(layer.get("type"), dict(layer.find("data").attrib) if layer.find("data") is not None else {}) for layer in root.find("layers") if layer.get("type") != "Const"]


@pytest.mark.parametrize("mode", SEQUENCES)
def test_both_directions_are_one_sequence(mode, tmp_path):
    found = [data for kind, data in layers(f"recurrent/RNN_{mode}_both", str(tmp_path)) if kind.endswith("Sequence") or kind == "TensorIterator"]
    assert [data["direction"] for data in found] == ["bidirectional"]


@pytest.mark.parametrize("mode", SEQUENCES)
def test_each_layer_is_one_sequence(mode, tmp_path):
    assert [kind for kind, data in layers(f"recurrent/RNN_{mode}_layers", str(tmp_path)) if kind.endswith(("Sequence", "Iterator"))] == [SEQUENCES[mode]] * 3


def test_joined_parameters_are_constants_of_the_sequence(tmp_path):
    assert [kind for kind, data in layers("recurrent/RNN_param_concat", str(tmp_path)) if kind in ("Concat", "Slice", "Reshape", "LSTMSequence")].count("LSTMSequence") == 1
    assert "Concat" not in [kind for kind, data in layers("recurrent/RNN_param_concat", str(tmp_path))]


# The forms that the original Model Optimizer has, too.
FORMS = {"convolutions/Convolution": ["Convolution", "Add"], "convolutions/Convolution_depthwise": ["GroupConvolution", "Add"], "convolutions/Deconvolution_group": ["GroupConvolutionBackpropData"],
         "convolutions/Pooling_max": ["MaxPool"], "convolutions/Pooling_avg": ["AvgPool"], "convolutions/Pooling_avg_global": ["ReduceMean"], "products/FullyConnected": ["MatMul", "Add"],
         "products/FullyConnected_last_no_bias": ["MatMul"], "elements/plus_scalar": ["Add"], "elements/equal_scalar": ["Equal", "Convert"], "activations/Activation_relu": ["ReLU"],
         "activations/LeakyReLU_prelu": ["PReLU"], "activations/softmax": ["SoftMax"], "activations/SoftmaxOutput": ["SoftMax"], "activations/Dropout": [], "normalising/BatchNorm": ["Multiply", "Add"],
         "normalising/L2Normalization_instance": ["NormalizeL2"], "normalising/InstanceNorm": ["MVN", "Multiply", "Add"], "normalising/UpSampling": ["Interpolate"], "products/sum_axis": ["ReduceSum"],
         "products/dot": ["MatMul"], "normalising/Pad_reflect": ["Pad"]}


@pytest.mark.parametrize("name", FORMS)
def test_form(name, tmp_path):
    assert [kind for kind, data in layers(name, str(tmp_path)) if kind not in ("Parameter", "Result")] == FORMS[name]
