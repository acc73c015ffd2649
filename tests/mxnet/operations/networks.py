"""Networks as people have them: faces, detectors, segmentation, language; small ones of the same operators."""
import numpy as np

from models import Family
from values import fed

family = Family(__name__)


def convolution(b, x, filters, kernel=3, stride=1, name=None, **attrs):
    return b.op("Convolution", data=x, attrs={"kernel": (kernel, kernel), "stride": (stride, stride), "pad": (kernel // 2, kernel // 2), "num_filter": filters, **attrs}, name=name)


def unit(b, x, filters, name, kernel=3, stride=1, act="relu", **attrs):
    x = convolution(b, x, filters, kernel, stride, name + "_conv2d", no_bias=True, **attrs)
    x = b.op("BatchNorm", data=x, attrs={"fix_gamma": False, "eps": 2e-5, "momentum": 0.9}, name=name + "_batchnorm")
    return b.op("LeakyReLU", data=x, attrs={"act_type": "prelu"}, name=name + "_relu") if act == "prelu" else b.op("Activation", data=x, attrs={"act_type": act}, name=name + "_relu")


@family.graph("face_embedding", picture=True, said=False)
def face_embedding(b):
    """As InsightFace's networks: pictures of 0 to 255, which they normalise themselves; PReLU, a fixed gamma of the last norm, Dropout."""
    x = b.op("_copy", b.fed("data", fed(1, 3, 32, 28)), name="id")
    x = b.op("_minus_scalar", x, attrs={"scalar": 127.5}, name="_minusscalar0")
    x = b.op("_mul_scalar", x, attrs={"scalar": 0.0078125}, name="_mulscalar0")
    x = unit(b, x, 8, "conv0", act="prelu")
    for at in range(2):
        y = b.op("BatchNorm", data=x, attrs={"fix_gamma": False, "eps": 2e-5}, name=f"unit{at}_bn1")
        y = unit(b, y, 8, f"unit{at}", act="prelu")
        y = convolution(b, y, 8, 3, 2, f"unit{at}_conv2", no_bias=True)
        short = convolution(b, x, 8, 1, 2, f"unit{at}_conv1sc", no_bias=True)
        x = b.op("elemwise_add", y, short, name=f"_plus{at}")
    x = b.op("BatchNorm", data=x, attrs={"fix_gamma": False, "eps": 2e-5}, name="bn1")
    x = b.op("Dropout", data=x, attrs={"p": 0.4}, name="dropout0")
    x = b.op("FullyConnected", data=x, attrs={"num_hidden": 16}, name="pre_fc1")
    return [b.op("BatchNorm", data=x, attrs={"fix_gamma": True, "eps": 2e-5}, name="fc1")]


@family.graph("face_embedding_l2", picture=True, said=False)
def face_embedding_l2(b):
    x = unit(b, b.fed("data", fed(2, 3, 20, 20)), 8, "stem", stride=2)
    x = unit(b, x, 8, "depthwise", stride=2, num_group=8)
    x = b.op("Pooling", data=x, attrs={"global_pool": True, "kernel": (7, 7), "pool_type": "avg"}, name="pool")
    x = b.op("Flatten", x, name="flat")
    return [b.op("L2Normalization", b.op("FullyConnected", data=x, attrs={"num_hidden": 10, "no_bias": True}, name="fc1"), attrs={"mode": "instance"}, name="embedding")]


@family.graph("face_boxes", picture=True, said=False, more={"data": np.random.default_rng(4).uniform(-1, 1, (1, 3, 64, 48)).astype(np.float32)})
def face_boxes(b):
    """As RetinaFace: a pyramid, whose maps are cropped to each other, and heads of a softmax over two reshapes."""
    x = unit(b, b.fed("data", fed(1, 3, 40, 56)), 6, "stem", stride=2)
    c1 = unit(b, x, 8, "c1", stride=2)
    c2 = unit(b, c1, 8, "c2", stride=2)
    up = b.op("UpSampling", b.op("Activation", data=convolution(b, c2, 8, 1, name="lateral2"), attrs={"act_type": "relu"}), attrs={"scale": 2, "sample_type": "nearest", "num_args": 1}, name="up")
    side = convolution(b, c1, 8, 1, name="lateral1")
    cut = b.op("Crop", up, side, attrs={"num_args": 2}, name="crop0")
    merged = b.op("elemwise_add", cut, side, name="plus0")
    found = []
    for at, map_ in enumerate((c2, merged)):
        scores = convolution(b, map_, 4, 1, name=f"face_cls_score_{at}")
        scores = b.op("Reshape", data=scores, attrs={"shape": (0, 2, -1, 0)}, name=f"face_cls_score_reshape_{at}")
        scores = b.op("SoftmaxActivation", scores, attrs={"mode": "channel"}, name=f"face_cls_prob_{at}")
        found += [b.op("Reshape", data=scores, attrs={"shape": (0, 4, -1, 0)}, name=f"face_cls_prob_reshape_{at}"), convolution(b, map_, 8, 1, name=f"face_bbox_pred_{at}")]
    return found


@family.graph("face_boxes_same_names", picture=True, change=lambda text: same_names(text))
def face_boxes_same_names(b):
    x = b.fed("data", fed(1, 3, 8, 8))
    first = b.op("Activation", data=convolution(b, x, 4, 3, name="a"), attrs={"act_type": "relu"}, name="plus0")
    second = b.op("Activation", data=convolution(b, first, 4, 3, name="b"), attrs={"act_type": "tanh"}, name="plus1")
    return [b.op("elemwise_add", first, second, name="sum")]


def same_names(text):
    """Two nodes of one name."""
    for node in text["nodes"]:
        if node["name"] == "plus1":
            node["name"] = "plus0"


@family.graph("ssd", picture=True, limits={"loc": (-0.1, 0.1)})
def ssd(b):
    """As GluonCV's and MXNet's own SSD: priors of two maps, MultiBoxDetection."""
    x = unit(b, b.fed("data", fed(1, 3, 32, 32)), 8, "stem", stride=2)
    maps = [unit(b, x, 8, "first", stride=2), None]
    maps[1] = unit(b, maps[0], 8, "second", stride=2)
    scores, places, anchors = [], [], []
    for at, map_ in enumerate(maps):
        score = convolution(b, map_, 4 * 3, name=f"cls{at}")
        scores.append(b.op("Flatten", b.op("transpose", score, attrs={"axes": (0, 2, 3, 1)})))
        place = convolution(b, map_, 4 * 4, name=f"loc{at}")
        places.append(b.op("Flatten", b.op("transpose", place, attrs={"axes": (0, 2, 3, 1)})))
        anchors.append(b.op("Reshape", data=b.op("_contrib_MultiBoxPrior", map_, attrs={"sizes": (0.3 + 0.3 * at, 0.4 + 0.3 * at), "ratios": (1, 2, 0.5), "clip": False}), attrs={"shape": (0, -1, 4)}))
    scores = b.op("Reshape", data=b.op("Concat", *scores, attrs={"num_args": 2}), attrs={"shape": (0, -1, 3)})
    scores = b.op("softmax", b.op("transpose", scores, attrs={"axes": (0, 2, 1)}), attrs={"axis": 1}, name="cls_prob")
    places = b.op("Concat", *places, attrs={"num_args": 2}, name="loc_preds")
    anchors = b.op("Concat", *anchors, attrs={"num_args": 2, "dim": 1}, name="anchors")
    return [b.op("_contrib_MultiBoxDetection", scores, places, anchors, attrs={"nms_threshold": 0.45, "threshold": 0.36, "nms_topk": 50}, name="detection")]


@family.graph("yolo3", picture=True, said=False)
def yolo3(b):
    """As GluonCV's YOLO3: constants of offsets that are sliced to the map, sigmoid and exp, box_nms."""
    map_ = unit(b, b.fed("data", fed(1, 3, 32, 24)), 8, "stem", stride=4)
    x = convolution(b, map_, 2 * 7, 1, name="prediction")
    x = b.op("transpose", b.op("Reshape", data=x, attrs={"shape": (0, 14, -1)}), attrs={"axes": (0, 2, 1)})
    x = b.op("Reshape", data=x, attrs={"shape": (0, -1, 2, 7)})
    raw, sizes = b.op("slice_axis", x, attrs={"axis": -1, "begin": 0, "end": 2}), b.op("slice_axis", x, attrs={"axis": -1, "begin": 2, "end": 4})
    objects, classes = b.op("slice_axis", x, attrs={"axis": -1, "begin": 4, "end": 5}), b.op("slice_axis", x, attrs={"axis": -1, "begin": 5, "end": None})
    columns, rows = np.meshgrid(np.arange(16), np.arange(16))
    offsets = b.fixed(np.stack([columns, rows], -1)[None, None].astype(np.float32), "offsets")
    offsets = b.op("slice_like", offsets, b.op("_mul_scalar", map_, attrs={"scalar": 0}), attrs={"axes": (2, 3)})
    offsets = b.op("Reshape", data=offsets, attrs={"shape": (1, -1, 1, 2)})
    centres = b.op("_mul_scalar", b.op("broadcast_add", b.op("sigmoid", raw), offsets), attrs={"scalar": 4})
    anchors = b.fixed(np.float32([[[[10, 13], [16, 30]]]]), "anchors")
    halves = b.op("_mul_scalar", b.op("broadcast_mul", b.op("exp", sizes), anchors), attrs={"scalar": 0.5})
    boxes = b.op("Concat", b.op("elemwise_sub", centres, halves), b.op("elemwise_add", centres, halves), attrs={"num_args": 2, "dim": -1})
    scores = b.op("broadcast_mul", b.op("sigmoid", classes), b.op("sigmoid", objects))
    boxes = b.op("tile", b.op("Reshape", data=boxes, attrs={"shape": (0, -1, 4)}), attrs={"reps": (2, 1, 1)})
    scores = b.op("Reshape", data=b.op("transpose", scores, attrs={"axes": (3, 0, 1, 2)}), attrs={"shape": (0, -1, 1)})
    ids = b.op("broadcast_add", b.op("_mul_scalar", scores, attrs={"scalar": 0}), b.op("Reshape", data=b.op("_arange", attrs={"start": 0, "stop": 2}), attrs={"shape": (2, 1, 1)}))
    rows = b.op("Concat", ids, scores, boxes, attrs={"num_args": 3, "dim": -1})
    found = b.op("_contrib_box_nms", rows, attrs={"overlap_thresh": 0.45, "valid_thresh": 0.01, "topk": 20, "id_index": 0, "score_index": 1, "coord_start": 2, "force_suppress": False}, name="nms")
    found = b.op("slice_axis", found[0], attrs={"axis": 1, "begin": 0, "end": 10})
    return [b.op("slice_axis", found, attrs={"axis": -1, "begin": 0, "end": 1}), b.op("slice_axis", found, attrs={"axis": -1, "begin": 1, "end": 2}), b.op("slice_axis", found, attrs={"axis": -1, "begin": 2, "end": 6})]


@family.graph("faster_rcnn", picture=True, limits={"rpn_bbox": (-0.05, 0.05)})
def faster_rcnn(b):
    x = unit(b, b.fed("data", fed(1, 3, 48, 64)), 8, "stem", stride=4)
    x = unit(b, x, 8, "body", stride=2)
    scores = convolution(b, x, 6, 1, name="rpn_cls")
    scores = b.op("softmax", b.op("Reshape", data=scores, attrs={"shape": (0, 2, -1, 0)}), attrs={"axis": 1})
    scores = b.op("Reshape", data=scores, attrs={"shape": (0, 6, -1, 0)})
    rois = b.op("_contrib_Proposal", scores, convolution(b, x, 12, 1, name="rpn_bbox"), b.fed("im_info", fed(values=[[48.0, 64, 1]])),
                attrs={"scales": (2,), "ratios": (0.5, 1, 2), "feature_stride": 8, "rpn_post_nms_top_n": 6, "rpn_pre_nms_top_n": 100, "rpn_min_size": 2}, name="rois")[0]
    pooled = b.op("ROIPooling", x, rois, attrs={"pooled_size": (3, 3), "spatial_scale": 0.125}, name="roi_pool")[0]
    hidden = b.op("FullyConnected", data=pooled, attrs={"num_hidden": 12}, name="fc6")
    return [rois, b.op("softmax", b.op("FullyConnected", data=hidden, attrs={"num_hidden": 4}, name="cls"), attrs={"axis": -1}), b.op("FullyConnected", data=hidden, attrs={"num_hidden": 16}, name="bbox")]


@family.graph("centernet", picture=True)
def centernet(b):
    """Deconvolution, modulated deformable convolution, maxima of a heat map by topk and gather_nd."""
    x = unit(b, b.fed("data", fed(1, 3, 32, 32)), 6, "stem", stride=4)
    offset = convolution(b, x, 27, name="offset")
    places, mask = b.op("slice_axis", offset, attrs={"axis": 1, "begin": 0, "end": 18}), b.op("sigmoid", b.op("slice_axis", offset, attrs={"axis": 1, "begin": 18, "end": None}))
    x = b.op("_contrib_ModulatedDeformableConvolution", data=x, offset=places, mask=mask, attrs={"kernel": (3, 3), "pad": (1, 1), "num_filter": 6}, name="dcn")
    x = b.op("Deconvolution", data=x, attrs={"kernel": (4, 4), "stride": (2, 2), "pad": (1, 1), "num_filter": 6, "no_bias": True}, name="up")
    heat = b.op("sigmoid", convolution(b, x, 2, 1, name="heatmap"))
    peaks = b.op("Pooling", data=heat, attrs={"kernel": (3, 3), "stride": (1, 1), "pad": (1, 1), "pool_type": "max"})
    heat = b.op("broadcast_mul", heat, b.op("broadcast_equal", heat, peaks))
    best = b.op("topk", b.op("Reshape", data=heat, attrs={"shape": (0, -1)}), attrs={"k": 5, "ret_typ": "both"}, name="best")
    return [best[0], b.op("_mod_scalar", best[1], attrs={"scalar": 256}), b.op("floor", b.op("_div_scalar", best[1], attrs={"scalar": 256})), convolution(b, x, 2, 1, name="sizes")]


@family.graph("segmentation", picture=True, said=False)
def segmentation(b):
    """As GluonCV's DeepLab: dilation, global pooling, bilinear resizing to the input's size."""
    x = unit(b, b.fed("data", fed(1, 3, 32, 40)), 8, "stem", stride=2)
    x = convolution(b, x, 8, dilate=(2, 2), name="atrous", pad=(2, 2))
    pooled = b.op("Activation", data=convolution(b, b.op("_contrib_AdaptiveAvgPooling2D", x, attrs={"output_size": 1}), 8, 1, name="pool_conv"), attrs={"act_type": "relu"})
    pooled = b.op("_contrib_BilinearResize2D", pooled, attrs={"height": 16, "width": 20})
    x = convolution(b, b.op("Concat", x, pooled, attrs={"num_args": 2}), 5, 1, name="classes")
    return [b.op("_contrib_BilinearResize2D", x, attrs={"height": 32, "width": 40}, name="resized")]


def transformer(b, x, mask, width, heads, layer):
    projected = b.op("FullyConnected", data=x, attrs={"num_hidden": 3 * width, "flatten": False}, name=f"layer{layer}_qkv")
    scores = b.op("_contrib_interleaved_matmul_selfatt_qk", projected, attrs={"heads": heads})
    scores = b.op("broadcast_add", scores, mask)
    weights = b.op("softmax", scores, attrs={"axis": -1})
    attended = b.op("_contrib_interleaved_matmul_selfatt_valatt", projected, weights, attrs={"heads": heads})
    attended = b.op("FullyConnected", data=attended, attrs={"num_hidden": width, "flatten": False}, name=f"layer{layer}_proj")
    x = b.op("LayerNorm", data=b.op("elemwise_add", x, attended), attrs={"axis": -1, "eps": 1e-12}, name=f"layer{layer}_layernorm0")
    hidden = b.op("FullyConnected", data=x, attrs={"num_hidden": 4 * width, "flatten": False}, name=f"layer{layer}_ffn1")
    hidden = b.op("LeakyReLU", data=hidden, attrs={"act_type": "gelu"}, name=f"layer{layer}_gelu")
    hidden = b.op("FullyConnected", data=hidden, attrs={"num_hidden": width, "flatten": False}, name=f"layer{layer}_ffn2")
    return b.op("LayerNorm", data=b.op("elemwise_add", x, hidden), attrs={"axis": -1, "eps": 1e-12}, name=f"layer{layer}_layernorm1")


@family.graph("bert", unknown={"token_ids": (0, 1), "segment_ids": (0, 1), "valid_length": (0,)}, limits={"embed": (-1, 1)})
def bert(b):
    """As GluonNLP's BERT: time first, positions by arange_like, a mask of the valid length."""
    width, heads = 8, 2
    tokens, segments, length = b.fed("token_ids", fed(values=[[1, 5, 3, 2, 0], [4, 4, 1, 0, 0]])), b.fed("segment_ids", fed(values=[[0, 0, 1, 1, 1], [0, 1, 1, 1, 1]])), b.fed("valid_length", fed(values=[4.0, 3]))
    x = b.op("elemwise_add", b.op("Embedding", data=tokens, attrs={"input_dim": 9, "output_dim": width}, name="word_embed"), b.op("Embedding", data=segments, attrs={"input_dim": 2, "output_dim": width}, name="token_type_embed"))
    positions = b.op("_contrib_arange_like", tokens, attrs={"axis": 1})
    x = b.op("SwapAxis", b.op("broadcast_add", x, b.op("expand_dims", b.op("Embedding", data=positions, attrs={"input_dim": 12, "output_dim": width}, name="position_embed"), attrs={"axis": 0})), attrs={"dim1": 0, "dim2": 1})
    x = b.op("LayerNorm", data=x, attrs={"eps": 1e-12}, name="layernorm")
    mask = b.op("broadcast_lesser", b.op("Reshape", data=positions, attrs={"shape": (1, -1)}), b.op("Reshape", data=length, attrs={"shape": (-1, 1)}))
    mask = b.op("_mul_scalar", b.op("_rminus_scalar", mask, attrs={"scalar": 1}), attrs={"scalar": -1e4})
    mask = b.op("expand_dims", b.op("repeat", mask, attrs={"repeats": heads, "axis": 0}), attrs={"axis": 1})
    for layer in range(2):
        x = transformer(b, x, mask, width, heads, layer)
    x = b.op("SwapAxis", x, attrs={"dim1": 0, "dim2": 1}, name="sequence")
    first = b.op("slice_axis", x, attrs={"axis": 1, "begin": 0, "end": 1})
    pooled = b.op("Activation", data=b.op("FullyConnected", data=first, attrs={"num_hidden": width, "flatten": True}, name="pooler"), attrs={"act_type": "tanh"}, name="pooled")
    return [x, pooled]


@family.graph("trained_head", picture=True, said=False)
def trained_head(b):
    x = unit(b, b.fed("data", fed(2, 3, 16, 16)), 6, "stem", stride=2)
    x = b.op("FullyConnected", data=x, attrs={"num_hidden": 5}, name="fc")
    return [b.op("SoftmaxOutput", data=x, name="softmax")]


@family.graph("language_model", unknown={"data": (1,)})
def language_model(b):
    """Embedding, two layers of LSTM whose states are inputs, a decoder."""
    x = b.op("Embedding", data=b.fed("data", fed(values=[[1, 4], [2, 0], [3, 3]])), attrs={"input_dim": 6, "output_dim": 5}, name="embedding")
    found = b.op("RNN", data=x, state=b.fed("state", fed(2, 2, 4)), state_cell=b.fed("cell", fed(2, 2, 4)), attrs={"state_size": 4, "num_layers": 2, "mode": "lstm", "state_outputs": True}, name="lstm")
    return [b.op("FullyConnected", data=b.op("Reshape", data=found[0], attrs={"shape": (-3, -2)}), attrs={"num_hidden": 6}, name="decoder"), found[1], found[2]]


@family.gluon("gluon_sequential", data=fed(2, 3, 12, 12))
def gluon_sequential():
    from mxnet.gluon import nn
    net = nn.HybridSequential()
    net.add(nn.Conv2D(6, 3, activation="relu"), nn.BatchNorm(), nn.MaxPool2D(), nn.Conv2D(6, 3, in_channels=6), nn.PReLU(), nn.GlobalAvgPool2D(), nn.Dense(5, activation="sigmoid"))
    return net


@family.gluon("gluon_two_inputs", data0=fed(2, 7), data1=fed(2, 4))
def gluon_two_inputs():
    from mxnet.gluon import nn

    class Both(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Dense(5), nn.Dense(5)

        def hybrid_forward(self, F, a, b):
            return F.tanh(self.first(a) + self.second(b)), F.concat(a, b, dim=1)
    return Both()


@family.gluon("gluon_lstm", data=fed(5, 2, 3))
def gluon_lstm():
    """Its initial states are zeros of an unknown batch."""
    from mxnet.gluon import rnn
    return rnn.LSTM(4, num_layers=1, bidirectional=True)



@family.graph("half_weights", picture=True, types={"weight": np.float16, "bias": np.float16}, said=False)
def half_weights(b):
    """Weights of half precision that meet data of single precision, as export drops casts."""
    x = b.op("Activation", data=convolution(b, b.fed("data", fed(1, 3, 8, 8)), 4, name="conv"), attrs={"act_type": "relu"})
    return [b.op("FullyConnected", data=x, attrs={"num_hidden": 5}, name="fc")]
