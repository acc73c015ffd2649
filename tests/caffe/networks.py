"""Small networks with the structure of well-known ones, and a case for each form of a layer: name -> function that fills a Net."""
import numpy as np

from net import Word


def conv(net, x, outputs, kernel=3, pad=None, stride=1, relu=True, **more):
    pad = kernel // 2 if pad is None else pad
    y = net.layer("Convolution", x, param={"num_output": outputs, "kernel_size": kernel, "pad": pad, "stride": stride, **more})
    return net.layer("ReLU", y, y) if relu else y


def conv_bn(net, x, outputs, kernel=3, stride=1, relu=True, **more):
    y = conv(net, x, outputs, kernel, stride=stride, relu=False, bias_term=False, **more)
    net.layer("BatchNorm", y, y, param={"use_global_stats": True})
    net.layer("Scale", y, y, param={"bias_term": True})
    return net.layer("ReLU", y, y) if relu else y


def pool(net, x, kernel=2, stride=2, kind="MAX", **more):
    return net.layer("Pooling", x, param={"pool": kind, "kernel_size": kernel, "stride": stride, **more})


def fc(net, x, outputs, relu=False):
    y = net.layer("InnerProduct", x, param={"num_output": outputs})
    return net.layer("ReLU", y, y) if relu else y


def global_pool(net, x):
    return net.layer("Pooling", x, param={"pool": "AVE", "global_pooling": True})


def lenet(net):
    x = net.input("data", (2, 1, 28, 28), form="input_dim")
    x = pool(net, net.layer("Convolution", x, param={"num_output": 8, "kernel_size": 5}))
    x = pool(net, net.layer("Convolution", x, param={"num_output": 12, "kernel_size": 5}))
    net.layer("Softmax", fc(net, fc(net, x, 30, relu=True), 10), "prob")


def alexnet(net):
    x = net.input("data", (1, 3, 67, 67))
    x = conv(net, x, 12, 11, pad=0, stride=4)
    x = pool(net, net.layer("LRN", x, param={"local_size": 5, "alpha": 0.1, "beta": 0.75}), 3)
    x = conv(net, x, 16, 5, group=2)
    x = pool(net, net.layer("LRN", x, param={"local_size": 5, "alpha": 0.1, "beta": 0.75}), 3)
    x = pool(net, conv(net, conv(net, x, 24), 16, group=2), 3)
    x = fc(net, x, 32, relu=True)
    x = net.layer("Dropout", x, x, param={"dropout_ratio": 0.5})
    net.layer("Softmax", fc(net, x, 20), "prob")


def vgg(net):
    x = net.input("data", (1, 3, 32, 32), form="input_shape")
    for outputs, count in ((6, 2), (8, 2), (12, 3)):
        for _ in range(count):
            x = conv(net, x, outputs)
        x = pool(net, x)
    x = fc(net, x, 40, relu=True)
    net.layer("Softmax", fc(net, net.layer("Dropout", x, x), 10), "prob")


def googlenet(net):
    x = net.input("data", (1, 3, 56, 56))
    x = pool(net, conv(net, x, 8, 7, stride=2), 3)
    x = net.layer("LRN", conv(net, conv(net, x, 8, 1), 12), param={"local_size": 5, "alpha": 0.0001})
    x = pool(net, x, 3)
    for _ in range(2):
        branches = [conv(net, x, 4, 1), conv(net, conv(net, x, 4, 1), 6), conv(net, conv(net, x, 2, 1), 4, 5),
                    conv(net, pool(net, x, 3, 1, pad=1), 4, 1)]
        x = net.layer("Concat", branches)
    x = pool(net, x, 7, 1, "AVE")
    net.layer("Softmax", fc(net, net.layer("Dropout", x, x, param={"dropout_ratio": 0.4}), 10), "prob")


def resnet(net):
    x = net.input("data", (1, 3, 40, 40))
    x = pool(net, conv_bn(net, x, 8, 7, 2), 3)
    for outputs, stride in ((8, 1), (16, 2)):
        side = conv_bn(net, x, outputs, 1, stride, relu=False)
        main = conv_bn(net, conv_bn(net, conv_bn(net, x, 4, 1, stride), 4), outputs, 1, relu=False)
        x = net.layer("Eltwise", [side, main])
        net.layer("ReLU", x, x)
    net.layer("Softmax", fc(net, pool(net, x, 5, 1, "AVE"), 10), "prob")


def mobilenet(net):
    x = conv_bn(net, net.input("data", (1, 3, 32, 32)), 8, 3, 2)
    for outputs, stride in ((16, 1), (24, 2)):
        channels = net.values[x].shape[1]
        x = conv_bn(net, conv_bn(net, x, channels, 3, stride, group=channels), outputs, 1)
    x = conv(net, global_pool(net, x), 10, 1, relu=False)
    net.layer("Softmax", x, "prob")


def squeezenet(net):
    x = pool(net, conv(net, net.input("data", (1, 3, 33, 33)), 8, stride=2, pad=0), 3)
    for _ in range(2):
        x = conv(net, x, 4, 1)
        x = net.layer("Concat", [conv(net, x, 8, 1), conv(net, x, 8)])
    net.layer("Softmax", global_pool(net, conv(net, x, 10, 1)), "prob")


def densenet(net):
    x = conv(net, net.input("data", (1, 3, 24, 24)), 6)
    for _ in range(3):
        y = net.layer("BatchNorm", x)
        net.layer("Scale", y, y, param={"bias_term": True})
        net.layer("ReLU", y, y)
        x = net.layer("Concat", [x, conv(net, y, 4, relu=False)])
    net.layer("Softmax", fc(net, global_pool(net, x), 10), "prob")


def senet(net):
    x = conv_bn(net, net.input("data", (1, 3, 20, 20)), 8)
    gate = net.layer("Sigmoid", fc(net, fc(net, global_pool(net, x), 4, relu=True), 8))
    x = net.layer("Scale", [x, gate], param={"axis": 0})
    net.layer("InnerProduct", x, "fc", param={"num_output": 5})


def fcn(net):
    x = net.input("data", (1, 3, 30, 34))
    low = pool(net, conv(net, x, 8, pad=1))
    score = conv(net, pool(net, conv(net, low, 12)), 5, 1, relu=False)
    up = net.layer("Deconvolution", score, param={"num_output": 5, "kernel_size": 4, "stride": 2, "bias_term": False})
    side = conv(net, low, 5, 1, relu=False)
    up = net.layer("Crop", [up, side], param={"axis": 2, "offset": 1})
    x = net.layer("Eltwise", [up, side])
    x = net.layer("Deconvolution", x, param={"num_output": 5, "kernel_size": 4, "stride": 2, "group": 5, "bias_term": False})
    net.layer("Crop", [x, "data"], "score", param={"offset": [1, 1]})


NETWORKS = {one.__name__: one for one in (lenet, alexnet, vgg, googlenet, resnet, mobilenet, squeezenet, densenet, senet, fcn)}

# One layer: (name, type, parameters, shapes of the bottoms, more of Net.layer).
IMAGE = [(2, 6, 9, 11)]
LAYERS = [
    ("convolution_plain", "Convolution", {"num_output": 4, "kernel_size": 3}, IMAGE),
    ("convolution_without_bias", "Convolution", {"num_output": 4, "kernel_size": 3, "bias_term": False}, IMAGE),
    ("convolution_groups", "Convolution", {"num_output": 8, "kernel_size": 3, "group": 2, "pad": 1, "stride": 2}, IMAGE),
    ("convolution_depthwise", "Convolution", {"num_output": 6, "kernel_size": 3, "group": 6}, IMAGE),
    ("convolution_depthwise_multiplied", "Convolution", {"num_output": 12, "kernel_size": 3, "group": 6}, IMAGE),
    ("convolution_dilated", "Convolution", {"num_output": 4, "kernel_size": 3, "dilation": 2, "pad": 2}, IMAGE),
    ("convolution_by_axis", "Convolution", {"num_output": 4, "kernel_h": 3, "kernel_w": 2, "pad_h": 1, "pad_w": 0, "stride_h": 1, "stride_w": 2}, IMAGE),
    ("convolution_lists", "Convolution", {"num_output": 4, "kernel_size": [2, 3], "pad": [0, 2], "stride": [2, 1], "dilation": [1, 2]}, IMAGE),
    ("convolution_one_axis_padded", "Convolution", {"num_output": 4, "kernel_size": 3, "pad_w": 2}, IMAGE),
    ("convolution_1d", "Convolution", {"num_output": 4, "kernel_size": 3, "pad": 1}, [(2, 6, 9)]),
    ("convolution_3d", "Convolution", {"num_output": 4, "kernel_size": [2, 3, 2], "stride": [1, 2, 1]}, [(1, 3, 5, 6, 7)]),
    ("convolution_3d_one_number", "Convolution", {"num_output": 4, "kernel_size": 3, "pad": 1}, [(1, 3, 5, 6, 7)]),
    ("convolution_of_two", "Convolution", {"num_output": 4, "kernel_size": 3}, [(2, 6, 9, 11), (2, 6, 5, 7)], {"tops": ["a", "b"]}),
    ("deconvolution_plain", "Deconvolution", {"num_output": 4, "kernel_size": 4, "stride": 2, "pad": 1}, IMAGE),
    ("deconvolution_groups", "Deconvolution", {"num_output": 8, "kernel_size": 3, "stride": 2, "group": 2}, IMAGE),
    ("deconvolution_depthwise", "Deconvolution", {"num_output": 6, "kernel_size": 4, "stride": 2, "pad": 1, "group": 6, "bias_term": False}, IMAGE),
    ("deconvolution_by_axis", "Deconvolution", {"num_output": 4, "kernel_size": [4, 3], "stride": [2, 1], "pad": [1, 0]}, IMAGE),
    ("deconvolution_dilated", "Deconvolution", {"num_output": 4, "kernel_size": 3, "dilation": 2}, IMAGE),
    ("deconvolution_1d", "Deconvolution", {"num_output": 4, "kernel_size": 3, "stride": 2}, [(2, 6, 7)]),
    ("deconvolution_3d", "Deconvolution", {"num_output": 4, "kernel_size": [2, 3, 2], "stride": [2, 1, 2], "pad": [0, 1, 0]}, [(1, 3, 3, 4, 3)]),
    ("inner_product", "InnerProduct", {"num_output": 5}, IMAGE),
    ("inner_product_matrix", "InnerProduct", {"num_output": 5}, [(3, 7)]),
    ("inner_product_without_bias", "InnerProduct", {"num_output": 5, "bias_term": False}, IMAGE),
    ("inner_product_transposed", "InnerProduct", {"num_output": 5, "transpose": True}, IMAGE),
    ("inner_product_axis_2", "InnerProduct", {"num_output": 5, "axis": 2}, [(2, 3, 4, 5)]),
    ("inner_product_last_axis", "InnerProduct", {"num_output": 5, "axis": -1}, [(2, 3, 4)]),
    ("inner_product_of_all", "InnerProduct", {"num_output": 5, "axis": 0}, [(2, 3, 4)]),
    ("embed", "Embed", {"num_output": 5, "input_dim": 9}, [(2, 3)], {"values": [np.array([[1, 0, 8], [3, 3, 5]])]}),
    ("embed_without_bias", "Embed", {"num_output": 5, "input_dim": 9, "bias_term": False}, [(4,)], {"values": [np.array([1, 0, 8, 2])]}),
    ("relu", "ReLU", {}, IMAGE),
    ("relu_leaky", "ReLU", {"negative_slope": 0.1}, IMAGE),
    ("prelu", "PReLU", {}, IMAGE),
    ("prelu_shared", "PReLU", {"channel_shared": True}, IMAGE),
    ("prelu_matrix", "PReLU", {}, [(3, 5)]),
    ("elu", "ELU", {}, IMAGE),
    ("elu_alpha", "ELU", {"alpha": 0.4}, IMAGE),
    ("sigmoid", "Sigmoid", {}, IMAGE),
    ("tanh", "TanH", {}, IMAGE),
    ("absval", "AbsVal", {}, IMAGE),
    ("bnll", "BNLL", {}, IMAGE),
    ("exp", "Exp", {}, IMAGE),
    ("exp_base", "Exp", {"base": 2, "scale": 0.5, "shift": 1.5}, IMAGE),
    ("log", "Log", {"shift": 9}, IMAGE),
    ("log_base", "Log", {"base": 10, "scale": 0.25, "shift": 3}, IMAGE),
    ("power_nothing", "Power", {"power": 1}, IMAGE),
    ("power_scale", "Power", {"scale": 0.017}, IMAGE),
    ("power_shift", "Power", {"shift": -3}, IMAGE),
    ("power_linear", "Power", {"scale": 2, "shift": -3}, IMAGE),
    ("power_all", "Power", {"power": 3, "scale": 0.5, "shift": 0.25}, IMAGE),
    ("power_zero", "Power", {"power": 0, "scale": 0.5}, IMAGE),
    ("threshold", "Threshold", {"threshold": 0.3}, IMAGE),
    ("dropout", "Dropout", {"dropout_ratio": 0.9}, IMAGE),
    ("eltwise_sum", "Eltwise", {}, IMAGE * 2),
    ("eltwise_sum_of_three", "Eltwise", {"operation": "SUM"}, IMAGE * 3),
    ("eltwise_difference", "Eltwise", {"operation": "SUM", "coeff": [1, -1]}, IMAGE * 2),
    ("eltwise_coeff", "Eltwise", {"operation": "SUM", "coeff": [0.5, -2, 1]}, IMAGE * 3),
    ("eltwise_prod", "Eltwise", {"operation": "PROD"}, IMAGE * 3),
    ("eltwise_max", "Eltwise", {"operation": "MAX"}, IMAGE * 2),
    ("batchnorm", "BatchNorm", {}, IMAGE),
    ("batchnorm_eps", "BatchNorm", {"eps": 0.1}, IMAGE),
    ("batchnorm_matrix", "BatchNorm", {}, [(3, 5)]),
    ("batchnorm_of_the_batch", "BatchNorm", {"use_global_stats": False}, IMAGE),
    ("scale", "Scale", {}, IMAGE),
    ("scale_bias", "Scale", {"bias_term": True}, IMAGE),
    ("scale_axis", "Scale", {"axis": 2, "num_axes": 2, "bias_term": True}, IMAGE),
    ("scale_scalar", "Scale", {"num_axes": 0}, IMAGE),
    ("scale_of_the_rest", "Scale", {"axis": 1, "num_axes": -1}, IMAGE),
    ("scale_by_bottom", "Scale", {"axis": 0}, [(2, 6, 9, 11), (2, 6)]),
    ("scale_by_bottom_bias", "Scale", {"axis": 1, "bias_term": True}, [(2, 6, 9, 11), (6,)]),
    ("bias", "Bias", {}, IMAGE),
    ("bias_by_bottom", "Bias", {"axis": 0}, [(2, 6, 9, 11), (2, 6)]),
    ("lrn", "LRN", {"alpha": 0.5}, IMAGE),
    ("lrn_k", "LRN", {"local_size": 3, "alpha": 0.2, "beta": 0.5, "k": 2}, IMAGE),
    ("lrn_within", "LRN", {"local_size": 3, "alpha": 5, "norm_region": "WITHIN_CHANNEL"}, IMAGE),
    ("lrn_within_k", "LRN", {"local_size": 5, "alpha": 2, "beta": 0.5, "k": 7, "norm_region": "WITHIN_CHANNEL"}, IMAGE),
    ("mvn", "MVN", {}, IMAGE),
    ("mvn_across", "MVN", {"across_channels": True}, IMAGE),
    ("mvn_mean_only", "MVN", {"normalize_variance": False}, IMAGE),
    ("mvn_eps", "MVN", {"eps": 0.5}, IMAGE),
    ("softmax", "Softmax", {}, IMAGE),
    ("softmax_axis", "Softmax", {"axis": -1}, IMAGE),
    ("concat", "Concat", {}, [(2, 3, 4, 5), (2, 2, 4, 5)]),
    ("concat_axis", "Concat", {"axis": 2}, [(2, 3, 4, 5), (2, 3, 1, 5)]),
    ("concat_dim", "Concat", {"concat_dim": 0}, [(2, 3, 4, 5), (1, 3, 4, 5)]),
    ("slice_equal", "Slice", {}, IMAGE, {"tops": ["a", "b", "c"]}),
    ("slice_points", "Slice", {"slice_point": [1, 4]}, IMAGE, {"tops": ["a", "b", "c"]}),
    ("slice_axis", "Slice", {"axis": -1, "slice_point": 3}, IMAGE, {"tops": ["a", "b"]}),
    ("slice_dim", "Slice", {"slice_dim": 2, "slice_point": 3}, IMAGE, {"tops": ["a", "b"]}),
    ("slice_into_one", "Slice", {}, IMAGE),
    ("flatten", "Flatten", {}, IMAGE),
    ("flatten_axes", "Flatten", {"axis": 1, "end_axis": 2}, IMAGE),
    ("flatten_first", "Flatten", {"axis": 0, "end_axis": -3}, IMAGE),
    ("flatten_last", "Flatten", {"axis": -2}, IMAGE),
    ("flatten_nothing", "Flatten", {"axis": 1, "end_axis": 1}, IMAGE),
    ("reshape", "Reshape", {"shape": {"dim": [0, -1, 11]}}, IMAGE),
    ("reshape_axis", "Reshape", {"shape": {"dim": [2, -1]}, "axis": 1}, IMAGE),
    ("reshape_axes", "Reshape", {"shape": {"dim": [3, 2, 1]}, "axis": 1, "num_axes": 1}, IMAGE),
    ("reshape_inserts", "Reshape", {"shape": {"dim": [1, 1]}, "axis": 2, "num_axes": 0}, IMAGE),
    ("reshape_appends", "Reshape", {"shape": {"dim": [1]}, "axis": -1, "num_axes": 0}, IMAGE),
    ("reshape_negative", "Reshape", {"shape": {"dim": [11, 0]}, "axis": -3}, [(2, 6, 11, 11)]),
    ("reshape_copies", "Reshape", {"shape": {"dim": [0, 0, -1]}, "axis": 0, "num_axes": -1}, IMAGE),
    ("permute", "Permute", {"order": [0, 2, 3, 1]}, IMAGE),
    ("permute_part", "Permute", {"order": [1]}, IMAGE),
    ("crop", "Crop", {}, [(1, 6, 9, 11), (1, 6, 5, 7)]),
    ("crop_offset", "Crop", {"offset": 2}, [(1, 6, 9, 11), (1, 6, 5, 7)]),
    ("crop_offsets", "Crop", {"axis": 1, "offset": [1, 2, 3]}, [(1, 6, 9, 11), (1, 4, 5, 7)]),
    ("crop_sizes", "Crop", {"axis": 1, "offset": [1, 2], "dimsize": [3, 4]}, IMAGE),
    ("crop_sizes_at_one_offset", "Crop", {"axis": -2, "offset": 2, "dimsize": [3, 4]}, IMAGE),
    ("tile", "Tile", {"tiles": 3}, IMAGE),
    ("tile_axis", "Tile", {"axis": 3, "tiles": 2}, IMAGE),
    ("reduction", "Reduction", {}, [(3, 4)]),
    ("reduction_axis", "Reduction", {"axis": 1, "coeff": 0.5}, IMAGE),
    ("reduction_asum", "Reduction", {"operation": "ASUM", "axis": 2}, IMAGE),
    ("reduction_sumsq", "Reduction", {"operation": "SUMSQ", "axis": -1}, IMAGE),
    ("reduction_mean", "Reduction", {"operation": "MEAN", "axis": 1}, IMAGE),
    ("argmax", "ArgMax", {}, IMAGE),
    ("argmax_matrix", "ArgMax", {}, [(3, 7)]),
    ("argmax_some", "ArgMax", {"top_k": 3}, IMAGE),
    ("argmax_values", "ArgMax", {"out_max_val": True, "top_k": 2}, IMAGE),
    ("argmax_axis", "ArgMax", {"axis": 1}, IMAGE),
    ("argmax_axis_values", "ArgMax", {"axis": -1, "out_max_val": True, "top_k": 2}, IMAGE),
    ("argmax_equal", "ArgMax", {"axis": 1, "top_k": 2}, [(1, 5, 2)], {"values": [np.zeros((1, 5, 2))]}),
]
LAYERS += [(f"pooling_{kind.lower()}_{size}_{kernel}_{stride}_{pad}", "Pooling",
            {"pool": kind, "kernel_size": kernel, "stride": stride, "pad": pad}, [(1, 3, size, size)])
           for kind in ("MAX", "AVE") for size, kernel, stride, pad in
           ((7, 2, 2, 0), (7, 2, 2, 1), (8, 3, 2, 0), (8, 3, 2, 1), (6, 3, 3, 1), (5, 3, 4, 2), (9, 2, 3, 1), (4, 3, 2, 2))]
LAYERS += [
    ("pooling_by_axis", "Pooling", {"kernel_h": 3, "kernel_w": 2, "stride_h": 2, "stride_w": 1, "pad_h": 1, "pad_w": 0}, IMAGE),
    ("pooling_global_max", "Pooling", {"pool": "MAX", "global_pooling": True}, IMAGE),
    ("pooling_global_ave", "Pooling", {"pool": "AVE", "global_pooling": True}, IMAGE),
    ("pooling_ceil_mode", "Pooling", {"pool": "MAX", "kernel_size": 2, "stride": 2, "ceil_mode": False}, IMAGE),
    ("pooling_round_mode", "Pooling", {"pool": "AVE", "kernel_size": 2, "stride": 2, "pad": 1, "round_mode": "FLOOR"}, IMAGE),
    ("pooling_of_data_only", "Pooling", {"pool": "AVE", "kernel_size": 3, "stride": 2, "pad": 1, "avg_include_pad": False}, IMAGE),
]

SEQUENCE = [(4, 2, 3)]
ROIS = np.array([[0, 4, 4, 60, 50], [1, 0, 0, 30, 90], [0, 33.4, 20.6, 33.5, 21], [1, 70, 60, 95, 79]])
MARKS = np.array([[0, 0], [1, 1], [1, 0], [1, 1]])
LAYERS += [
    ("convolution_by_channel", "DepthwiseConvolution", {"num_output": 6, "kernel_size": 3, "pad": 1}, IMAGE),
    ("convolution_by_channel_multiplied", "DepthwiseConvolution", {"num_output": 12, "kernel_size": 3, "group": 6, "bias_term": False}, IMAGE),
    ("convolution_binary", "ConvolutionBinary", {"num_output": 4, "kernel_size": 3, "pad": 1}, IMAGE),
    ("convolution_binary_groups", "ConvolutionBinary", {"num_output": 6, "kernel_size": 3, "group": 3, "stride": 2, "dilation": 2, "bias_term": False}, IMAGE),
    ("binarization", "Binarization", {}, [(2, 3, 4)], {"values": [np.float32([0, -0.0, 1e-30, -1e-30, 2, -2]).repeat(4).reshape(2, 3, 4)]}),
    ("binarization_image", "Binarization", {}, IMAGE),
    ("pooling_places", "Pooling", {"kernel_size": 2, "stride": 2}, IMAGE, {"tops": ["y", "places"]}),
    ("pooling_places_padded", "Pooling", {"kernel_size": 3, "stride": 2, "pad": 1}, IMAGE, {"tops": ["y", "places"]}),
    ("spp_max", "SPP", {"pyramid_height": 3}, [(2, 3, 12, 10)]),
    ("spp_ave", "SPP", {"pyramid_height": 2, "pool": "AVE"}, [(2, 3, 7, 9)]),
    ("spp_of_one_level", "SPP", {"pyramid_height": 1}, IMAGE),
    ("relu6", "ReLU6", {}, IMAGE, {"spread": 5}),
    ("relu6_n", "ReLU6", {"n": 1.5}, IMAGE),
    ("clip", "Clip", {"min": -0.5, "max": 1.25}, IMAGE),
    ("swish", "Swish", {}, IMAGE),
    ("swish_beta", "Swish", {"beta": 1.7}, IMAGE),
    ("mish", "Mish", {}, IMAGE),
    ("axpy", "Axpy", {}, [(2, 6, 1, 1), (2, 6, 4, 5), (2, 6, 4, 5)]),
    ("axpy_matrix", "Axpy", {}, [(2, 6), (2, 6, 4, 5), (2, 6, 4, 5)]),
    ("bn_of_pspnet", "BN", {"eps": 0.001}, IMAGE),
    ("bn_of_pspnet_plain", "BN", {}, IMAGE),
    ("bn_of_segnet", "BN", {"bn_mode": "INFERENCE"}, IMAGE),
    ("bn_of_segnet_by_own", "BN", {"bn_mode": "LEARN"}, IMAGE),
    ("normalize", "Normalize", {}, IMAGE),
    ("normalize_by_place", "Normalize", {"across_spatial": False, "channel_shared": False}, IMAGE),
    ("normalize_by_place_shared", "Normalize", {"across_spatial": False, "eps": 0.5}, IMAGE),
    ("grn", "GRN", {}, IMAGE),
    ("grn_bias", "GRN", {"bias": 0.1}, IMAGE),
    ("mvn_of_three", "MVN", {}, [(2, 3, 7)]),
    ("mvn_of_five", "MVN", {"across_channels": True}, [(2, 3, 4, 3, 2)]),
    ("batchnorm_of_the_batch_matrix", "BatchNorm", {"use_global_stats": False}, [(5, 4)]),
    ("batchnorm_of_the_batch_volume", "BatchNorm", {"use_global_stats": False}, [(2, 3, 4, 3, 2)]),
    ("transpose", "Transpose", {"dim": [3, 0, 2, 1]}, IMAGE),
    ("reverse", "Reverse", {}, IMAGE),
    ("reverse_axis", "Reverse", {"axis": 2}, IMAGE),
    ("shuffle_channel", "ShuffleChannel", {"group": 3}, IMAGE),
    ("shuffle_channel_two", "ShuffleChannel", {"group": 2}, [(1, 8, 3, 3)]),
    ("batch_reindex", "BatchReindex", {}, [(4, 3, 2), (6,)], {"values": [None, np.array([3, 0, 0, 2, 1, 3])]}),
    ("filter", "Filter", {}, [(4, 3, 2), (4, 1)], {"values": [None, np.array([[1], [0], [1], [2]])]}),
    ("filter_of_two", "Filter", {}, [(4, 3, 2), (4, 5), (4, 1)], {"values": [None, None, np.array([[0], [0], [1], [1]])], "tops": ["a", "b"]}),
    ("interp_size", "Interp", {"height": 15, "width": 20}, IMAGE),
    ("interp_smaller", "Interp", {"height": 5, "width": 1}, IMAGE),
    ("interp_zoom", "Interp", {"zoom_factor": 3}, IMAGE),
    ("interp_shrink", "Interp", {"shrink_factor": 2}, IMAGE),
    ("interp_both", "Interp", {"shrink_factor": 2, "zoom_factor": 4}, IMAGE),
    ("interp_cut", "Interp", {"zoom_factor": 2, "pad_beg": -1, "pad_end": -2}, IMAGE),
    ("interp_same", "Interp", {"height": 9, "width": 11}, IMAGE),
    ("interp_like", "Interp", {}, [(2, 6, 9, 11), (1, 3, 13, 4)]),
    ("upsample_scale", "Upsample", {"scale": 2}, IMAGE),
    ("upsample_places", "Upsample", {"scale": 2}, [(1, 2, 2, 3), (1, 2, 2, 3)],
     {"values": [None, np.array([[[0, 3, 5], [12, 20, 23]], [[7, 2, 11], [13, 14, 17]]])[None]]}),
    ("upsample_padded_out", "Upsample", {"scale_h": 2, "scale_w": 3, "pad_out_h": True, "pad_out_w": True}, [(1, 1, 2, 2), (1, 1, 2, 2)],
     {"values": [None, np.array([[[[0, 4], [9, 14]]]])]}),
    ("upsample_size", "Upsample", {"upsample_h": 5, "upsample_w": 4}, [(1, 1, 2, 2), (1, 1, 2, 2)], {"values": [None, np.array([[[[0, 4], [9, 19]]]])]}),
    ("resample_larger", "Resample", {"height": 18, "width": 22}, IMAGE),
    ("resample_smaller", "Resample", {"height": 3, "width": 4}, [(1, 3, 9, 12)]),
    ("resample_smaller_sharp", "Resample", {"height": 3, "width": 4, "antialias": False}, [(1, 3, 9, 12)]),
    ("resample_unlike", "Resample", {"height": 5, "width": 17}, IMAGE),
    ("resample_unlike_sharp", "Resample", {"height": 12, "width": 17, "antialias": False}, IMAGE),
    ("resample_like", "Resample", {}, [(2, 3, 9, 12), (1, 1, 15, 20)]),
    ("resample_nearest", "Resample", {"height": 18, "width": 22, "type": Word("NEAREST")}, IMAGE),
    ("resample_nearest_smaller", "Resample", {"height": 3, "width": 4, "type": Word("NEAREST")}, [(1, 3, 9, 12)]),
    ("resample_nearest_unlike", "Resample", {"height": 18, "width": 25, "type": Word("NEAREST")}, IMAGE),
    ("resample_cubic", "Resample", {"height": 18, "width": 22, "type": Word("CUBIC")}, IMAGE),
    ("resample_cubic_smaller", "Resample", {"height": 4, "width": 5, "type": Word("CUBIC")}, IMAGE),
    ("resample_cubic_smaller_sharp", "Resample", {"height": 4, "width": 5, "antialias": False, "type": Word("CUBIC")}, IMAGE),
    ("resample_factor", "Resample", {"factor": 2.0}, IMAGE),
    ("resample_factor_nearest", "Resample", {"factor": 2.0, "type": Word("NEAREST")}, IMAGE),
    ("resample_same", "Resample", {"height": 9, "width": 11}, IMAGE),
    ("flow_warp", "FlowWarp", {}, [(2, 3, 6, 7), (2, 2, 6, 7)], {"spread": 2}),
    ("flow_warp_fill", "FlowWarp", {"fill_value": "NOT_A_NUMBER"}, [(1, 3, 6, 7), (1, 2, 6, 7)]),
    ("correlation", "Correlation", {"pad": 4, "kernel_size": 1, "max_displacement": 4, "stride_2": 2}, [(2, 5, 8, 9)] * 2),
    ("correlation_windows", "Correlation", {"pad": 3, "kernel_size": 3, "max_displacement": 2, "stride_1": 2}, [(1, 4, 9, 11)] * 2),
    ("correlation_steps", "Correlation", {"pad": 2, "kernel_size": 1, "max_displacement": 3, "stride_1": 2, "stride_2": 2}, [(1, 4, 9, 11)] * 2),
    ("im2col", "Im2col", {"kernel_size": 3}, IMAGE),
    ("im2col_forms", "Im2col", {"kernel_size": [3, 2], "stride": [2, 1], "pad": [2, 1], "dilation": [1, 2]}, [(2, 3, 9, 12)]),
    ("im2col_sides", "Im2col", {"kernel_h": 1, "kernel_w": 4, "pad_w": 2}, IMAGE),
    ("correlation_across", "Correlation1D", {"pad": 4, "kernel_size": 1, "max_displacement": 4, "stride_2": 2}, [(2, 5, 8, 9)] * 2),
    ("correlation_across_windows", "Correlation1D", {"pad": 3, "kernel_size": 3, "max_displacement": 2, "stride_1": 2}, [(1, 4, 9, 11)] * 2),
    ("correlation_right", "Correlation1D", {"pad": 3, "kernel_size": 1, "max_displacement": 3, "single_direction": 1}, [(2, 4, 5, 9)] * 2),
    ("correlation_left", "Correlation1D", {"pad": 4, "kernel_size": 1, "max_displacement": 4, "stride_2": 2, "single_direction": -1}, [(2, 4, 5, 9)] * 2),
    ("correlation_left_windows", "Correlation1D", {"pad": 1, "kernel_size": 3, "max_displacement": 5, "stride_2": 3, "single_direction": -1,
                                                  "correlation_type": "SUBTRACT"}, [(1, 3, 5, 16)] * 2),
    ("correlation_differences", "Correlation", {"pad": 2, "kernel_size": 1, "max_displacement": 2, "correlation_type": "SUBTRACT"}, [(1, 4, 6, 7)] * 2),
]
DETECTIONS = {"num_classes": 3, "confidence_threshold": 0.2, "keep_top_k": 10, "nms_param": {"nms_threshold": 0.5, "top_k": 7}}
OUTPUTS = [(2, 32), (2, 24), (1, 2, 32)]


def detected(locations=32, rows=2):
    """What DetectionOutput reads: codes, scores, and boxes of a quarter of the picture around eight places, with variances."""
    random = np.random.default_rng(8)
    scores = random.random((2, 8, 3))
    low = random.random((8, 2)) * 0.7
    priors = np.stack([np.concatenate([low, low + 0.25], 1).ravel(), np.tile([0.1, 0.1, 0.2, 0.2], 8)])[None, :rows]
    return [random.normal(0, 0.3, (2, locations)), (scores / scores.sum(2, keepdims=True)).reshape(2, 24), priors]


PRIORS = [(1, 2, 4, 5), (1, 3, 80, 100)]
LAYERS += [
    ("prior_box", "PriorBox", {"min_size": 20, "max_size": 40, "aspect_ratio": 2, "variance": [0.1, 0.1, 0.2, 0.2]}, PRIORS),
    ("prior_box_ratios", "PriorBox", {"min_size": 20, "aspect_ratio": [2, 3, 1], "flip": True, "clip": True}, PRIORS),
    ("prior_box_not_flipped", "PriorBox", {"min_size": 20, "aspect_ratio": [2, 0.5], "flip": False, "variance": 0.3}, PRIORS),
    ("prior_box_sizes", "PriorBox", {"min_size": [10, 20], "max_size": [20, 35], "aspect_ratio": [2]}, PRIORS),
    ("prior_box_parts_of_pixels", "PriorBox", {"min_size": [10.84, 20.4], "max_size": [20.4, 35.84], "aspect_ratio": [2.0]}, PRIORS),
    ("prior_box_parts_of_pixels_offset", "PriorBox", {"min_size": 20.84, "max_size": 35.84, "aspect_ratio": [2.0], "offset": 0.25}, PRIORS),
    ("prior_box_density", "PriorBox", {"fixed_size": [16, 33], "density": [2, 3], "variance": [0.1, 0.1, 0.2, 0.2]}, PRIORS),
    ("prior_box_density_ratio", "PriorBox", {"fixed_size": [16, 33], "density": [2, 1], "aspect_ratio": 2, "flip": False}, PRIORS),
    ("prior_box_density_fixed_ratio", "PriorBox", {"fixed_size": 32, "density": 4, "fixed_ratio": [0.5, 1], "step": 16, "offset": 0.5}, PRIORS),
    ("prior_box_density_and_sizes", "PriorBox", {"fixed_size": 16, "density": 2, "min_size": 20, "max_size": 40, "clip": True}, PRIORS),
    ("prior_box_density_steps", "PriorBox", {"fixed_size": [16, 24], "density": [2, 1], "step_h": 16, "step_w": 24, "aspect_ratio": 3}, PRIORS),
    ("prior_box_step", "PriorBox", {"min_size": 20, "step": 16, "offset": 0.25}, PRIORS),
    ("prior_box_steps", "PriorBox", {"min_size": 20, "max_size": 30, "aspect_ratio": 2, "step_h": 16, "step_w": 24, "clip": True}, PRIORS),
    ("prior_box_offset", "PriorBox", {"min_size": 20, "aspect_ratio": 2, "offset": 0.1, "variance": [0.1, 0.1, 0.2, 0.2]}, PRIORS),
    ("prior_box_image", "PriorBox", {"min_size": 20, "img_size": 200}, PRIORS),
    ("prior_box_image_sizes", "PriorBox", {"min_size": 20, "img_h": 120, "img_w": 150, "step_h": 30, "step_w": 30}, PRIORS),
    ("prior_box_clustered", "PriorBoxClustered", {"width": [10, 20], "height": [15, 8], "variance": [0.1, 0.1, 0.2, 0.2]}, PRIORS),
    ("prior_box_clustered_steps", "PriorBoxClustered", {"width": [10, 20], "height": [15, 8], "step_h": 16, "step_w": 24, "offset": 0.4, "clip": True}, PRIORS),
    ("prior_box_clustered_step", "PriorBoxClustered", {"width": [10], "height": [15], "step": 16}, PRIORS),
    ("roi_pooling", "ROIPooling", {"pooled_h": 3, "pooled_w": 2, "spatial_scale": 0.25}, [(2, 4, 20, 25), (4, 5)], {"values": [None, ROIS]}),
    ("psroi_pooling", "PSROIPooling", {"output_dim": 2, "group_size": 3, "spatial_scale": 0.25}, [(2, 18, 20, 25), (4, 5)], {"values": [None, ROIS]}),
    ("detection_output_corners", "DetectionOutput", DETECTIONS, OUTPUTS, {"values": detected()}),
    ("detection_output_by_class", "DetectionOutput", {**DETECTIONS, "share_location": False, "code_type": "CENTER_SIZE"}, [(2, 96), *OUTPUTS[1:]],
     {"values": detected(96)}),
    ("detection_output_corner_size", "DetectionOutput", {**DETECTIONS, "code_type": "CORNER_SIZE", "background_label_id": -1}, OUTPUTS,
     {"values": detected()}),
    ("detection_output_corner_size_by_class", "DetectionOutput", {**DETECTIONS, "code_type": "CORNER_SIZE", "share_location": False},
     [(2, 96), *OUTPUTS[1:]], {"values": detected(96)}),
    ("detection_output_in_target", "DetectionOutput", {**DETECTIONS, "code_type": "CENTER_SIZE", "variance_encoded_in_target": True},
     [*OUTPUTS[:2], (1, 1, 32)], {"values": detected(rows=1)}),
    ("detection_output_refined", "DetectionOutput", {**DETECTIONS, "code_type": "CENTER_SIZE", "objectness_score": 0.4},
     [*OUTPUTS, (2, 16), (2, 32)], {"values": detected() + [np.random.default_rng(4).random((2, 16)), np.random.default_rng(5).normal(0, 0.5, (2, 32))]}),
    ("region_yolo", "RegionYolo", {"classes": 3, "coords": 4, "num": 2, "anchors": [1, 2, 3, 4]}, [(2, 16, 3, 5)]),
    ("region_yolo_mask", "RegionYolo", {"classes": 3, "num": 6, "do_softmax": False, "mask": [0, 1, 2], "anchors": [1, 2]}, [(2, 24, 3, 5)]),
    ("reorg_yolo", "ReorgYolo", {"stride": 2}, [(2, 8, 4, 6)]),
    ("lstm", "LSTM", {"num_output": 5}, SEQUENCE + [(4, 2)], {"values": [None, MARKS]}),
    ("lstm_of_pictures", "LSTM", {"num_output": 3}, [(4, 2, 3, 2), (4, 2)], {"values": [None, MARKS]}),
    ("lstm_static", "LSTM", {"num_output": 5}, SEQUENCE + [(4, 2), (2, 6)], {"values": [None, MARKS, None]}),
    ("lstm_hidden", "LSTM", {"num_output": 5, "expose_hidden": True}, SEQUENCE + [(4, 2), (1, 2, 5), (1, 2, 5)],
     {"values": [None, 1 - MARKS, None, None], "tops": ["y", "h", "c"]}),
    ("lstm_static_hidden", "LSTM", {"num_output": 5, "expose_hidden": True}, SEQUENCE + [(4, 2), (2, 3), (1, 2, 5), (1, 2, 5)],
     {"values": [None, MARKS, None, None, None], "tops": ["y", "h", "c"]}),
    ("rnn", "RNN", {"num_output": 5}, SEQUENCE + [(4, 2)], {"values": [None, MARKS]}),
    ("rnn_static", "RNN", {"num_output": 5}, SEQUENCE + [(4, 2), (2, 6)], {"values": [None, MARKS, None]}),
    ("rnn_hidden", "RNN", {"num_output": 5, "expose_hidden": True}, SEQUENCE + [(4, 2), (1, 2, 5)],
     {"values": [None, MARKS, None], "tops": ["y", "h"]}),
    ("ctc_greedy_decoder", "CTCGreedyDecoder", {}, [(12, 3, 3), (12, 3)], {"values": [None, np.arange(36).reshape(12, 3) % 36 < 30]}),
    ("ctc_greedy_decoder_all", "CTCGreedyDecoder", {"ctc_merge_repeated": False}, [(12, 3, 3), (12, 3)], {"values": [None, np.arange(36).reshape(12, 3) > 2]}),
    ("ctc_greedy_decoder_of_first_class", "CTCGreedyDecoder", {"blank_index": 0}, [(12, 3, 3), (12, 3)], {"values": [None, np.arange(36).reshape(12, 3) < 25]}),
    ("ctc_greedy_decoder_repeats", "CTCGreedyDecoder", {"blank_index": 0, "ctc_merge_repeated": False}, [(12, 3, 3), (12, 3)],
     {"values": [None, np.ones((12, 3))]}),
]


def fill_layer(net, kind, param, shapes, more=None):
    more = dict(more or {})
    values = more.pop("values", [None] * len(shapes))
    spread = more.pop("spread", 1)
    values = [net.draw(*shape, spread=spread) if value is None and spread != 1 else value for shape, value in zip(shapes, values)]
    bottoms = [net.input(f"x{i}", shape, value) for i, (shape, value) in enumerate(zip(shapes, values))]
    net.layer(kind, bottoms, param=param, **more)
