"""Small networks with the structure of well-known detectors, segmentation networks, readers of text and networks for flow: name -> function that fills a Net."""
import numpy as np

from networks import conv, conv_bn, fc, global_pool, pool


def leaky(net, x, outputs, kernel=3, stride=1):
    y = conv_bn(net, x, outputs, kernel, stride, relu=False)
    return net.layer("ReLU", y, y, param={"negative_slope": 0.1})


def head(net, x, outputs):
    """A convolution whose result has a row for each image, as SSD's heads have."""
    y = conv(net, x, outputs, relu=False)
    return net.layer("Flatten", net.layer("Permute", y, param={"order": [0, 2, 3, 1]}), param={"axis": 1})


def ssd_end(net, maps, classes, ratios=2, **more):
    """Heads and prior boxes for each feature map, then the detections."""
    locations, scores, boxes = [], [], []
    for i, x in enumerate(maps):
        param = {"min_size": 14.0 + 18 * i, "max_size": 26.0 + 18 * i, "aspect_ratio": ratios, "variance": [0.1, 0.1, 0.2, 0.2], **more}
        boxes.append(net.layer("PriorBox", [x, "data"], param=param))
        count = 2 + 2 * (len(ratios) if isinstance(ratios, list) else 1)
        locations.append(head(net, x, 4 * count))
        scores.append(head(net, x, classes * count))
    boxes = net.layer("Concat", boxes, param={"axis": 2})
    location, score = net.layer("Concat", locations, param={"axis": 1}), net.layer("Concat", scores, param={"axis": 1})
    score = net.layer("Reshape", score, param={"shape": {"dim": [0, -1, classes]}})
    score = net.layer("Flatten", net.layer("Softmax", score, param={"axis": 2}), param={"axis": 1})
    net.layer("DetectionOutput", [location, score, boxes], "detections", param={
        "num_classes": classes, "share_location": True, "background_label_id": 0, "code_type": "CENTER_SIZE", "keep_top_k": 20,
        "confidence_threshold": 0.3, "nms_param": {"nms_threshold": 0.45, "top_k": 40}})


def ssd(net):
    x = pool(net, conv(net, conv(net, net.input("data", (2, 3, 48, 48)), 6), 8))
    x = pool(net, conv(net, x, 8))
    low = net.layer("Normalize", conv(net, x, 8), param={"across_spatial": False, "channel_shared": False})
    ssd_end(net, [low, conv(net, x, 8, stride=2)], 3)


def mobilenet_ssd(net):
    x = conv_bn(net, net.input("data", (1, 3, 64, 64)), 6, 3, 2)
    maps = []
    for outputs in (8, 12, 12):
        x = net.layer("DepthwiseConvolution", x, param={"num_output": net.values[x].shape[1], "kernel_size": 3, "pad": 1, "stride": 2, "bias_term": False})
        x = conv_bn(net, x, outputs, 1)
        maps.append(x)
    ssd_end(net, maps[1:], 4, [2.0, 3.0])


def mobilenet_ssd_published(net):
    """As MobileNetSSD_deploy.prototxt has it, with an eighth of its channels: each pair of convolutions by channel and by point has groups and a bias, its BatchNorm is
    folded into them, and layers have the published names."""
    def conv_relu(x, name, outputs, kernel, stride=1, **more):
        y = net.layer("Convolution", x, name, name, {"num_output": outputs, "kernel_size": kernel, "pad": kernel // 2, "stride": stride, **more})
        return net.layer("ReLU", y, y, name + "/relu")

    def row(x, name, outputs, spread=1):
        blobs = [net.draw(outputs, net.values[x].shape[1], 1, 1, spread=spread * net.values[x].shape[1] ** -0.5), net.draw(outputs, spread=0.3)]
        y = net.layer("Convolution", x, name, name, {"num_output": outputs, "kernel_size": 1}, blobs)
        return net.layer("Flatten", net.layer("Permute", y, name + "_perm", name + "_perm", {"order": [0, 2, 3, 1]}), name + "_flat", name + "_flat", {"axis": 1})

    net.name = "MobileNet-SSD"
    x = conv_relu(net.input("data", (1, 3, 300, 300), form="input_shape"), "conv0", 4, 3, 2)
    maps = {}
    for at, (outputs, stride) in enumerate(((8, 1), (16, 2), (16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (64, 1), (64, 1), (64, 1), (64, 1), (128, 2), (128, 1)), 1):
        inputs = net.values[x].shape[1]
        x = conv_relu(conv_relu(x, f"conv{at}/dw", inputs, 3, stride, group=inputs), f"conv{at}", outputs, 1)
        maps[f"conv{at}"] = x
    for at, (middle, outputs) in enumerate(((32, 64), (16, 32), (16, 32), (8, 16)), 14):
        x = maps[f"conv{at}_2"] = conv_relu(conv_relu(x, f"conv{at}_1", middle, 1), f"conv{at}_2", outputs, 3, 2)
    rows = []
    for at, name in enumerate(("conv11", "conv13", "conv14_2", "conv15_2", "conv16_2", "conv17_2")):
        sizes = {"min_size": 60.0} if at == 0 else {"min_size": 60.0 + 45 * at, "max_size": 105.0 + 45 * at}
        count = 3 if at == 0 else 6
        boxes = net.layer("PriorBox", [maps[name], "data"], f"{name}_mbox_priorbox", f"{name}_mbox_priorbox", {
            **sizes, "aspect_ratio": [2.0] if at == 0 else [2.0, 3.0], "flip": True, "clip": False, "variance": [0.1, 0.1, 0.2, 0.2], "offset": 0.5})
        rows.append((row(maps[name], f"{name}_mbox_loc", 4 * count), row(maps[name], f"{name}_mbox_conf", 21 * count, spread=6), boxes))
    location, score, boxes = (net.layer("Concat", list(parts), name, name, {"axis": axis}) for parts, name, axis in zip(zip(*rows), ("mbox_loc", "mbox_conf", "mbox_priorbox"), (1, 1, 2)))
    score = net.layer("Reshape", score, "mbox_conf_reshape", "mbox_conf_reshape", {"shape": {"dim": [0, -1, 21]}})
    score = net.layer("Flatten", net.layer("Softmax", score, "mbox_conf_softmax", "mbox_conf_softmax", {"axis": 2}), "mbox_conf_flatten", "mbox_conf_flatten", {"axis": 1})
    net.layer("DetectionOutput", [location, score, boxes], "detection_out", "detection_out", {
        "num_classes": 21, "share_location": True, "background_label_id": 0, "nms_param": {"nms_threshold": 0.45, "top_k": 100}, "code_type": "CENTER_SIZE",
        "keep_top_k": 100, "confidence_threshold": 0.25})


def ssd_steps(net):
    x = conv(net, pool(net, conv(net, net.input("data", (1, 3, 40, 56)), 6)), 8, stride=2)
    ssd_end(net, [x, conv(net, x, 8, stride=2)], 2, step_h=8.0, step_w=9.0, clip=True)


def face_boxes(net):
    """CReLU by Power and Concat, an inception, and one class."""
    x = conv(net, net.input("data", (1, 3, 64, 64)), 6, 7, stride=4, relu=False)
    x = net.layer("Concat", [x, net.layer("Power", x, param={"scale": -1})])
    x = pool(net, net.layer("ReLU", x, x), 3)
    x = net.layer("Concat", [conv(net, x, 4, 1), conv(net, conv(net, x, 3, 1), 4), conv(net, pool(net, x, 3, 1, pad=1), 4, 1)])
    ssd_end(net, [x, conv(net, x, 8, stride=2)], 2, [1.5])


def region_proposals(net, x, count=9, **more):
    info = net.input("im_info", (1, 3), np.array([[64, 80, 1]]))
    y = conv(net, x, 8)
    score = conv(net, y, 2 * count, 1, relu=False)
    delta = net.layer("Power", conv(net, y, 4 * count, 1, relu=False), param={"scale": 0.1})
    score = net.layer("Softmax", net.layer("Reshape", score, param={"shape": {"dim": [0, 2, -1, 0]}}))
    score = net.layer("Reshape", score, param={"shape": {"dim": [0, 2 * count, -1, 0]}})
    return net.layer("Proposal", [score, delta, info], "rois", param={"feat_stride": 8, "min_size": 4, "post_nms_topn": 8, "pre_nms_topn": 60, **more})


def faster_rcnn(net):
    x = conv(net, net.input("data", (1, 3, 64, 80)), 6, stride=2)
    x = conv(net, conv(net, x, 8, stride=2), 8, stride=2)
    rois = region_proposals(net, x, ratio=[0.5, 1.0, 2.0], scale=[1.0, 2.0, 4.0])
    y = net.layer("ROIPooling", [x, rois], param={"pooled_h": 3, "pooled_w": 3, "spatial_scale": 0.125})
    y = fc(net, y, 16, relu=True)
    net.layer("Softmax", fc(net, net.layer("Dropout", y, y), 4), "cls_prob")
    net.layer("InnerProduct", y, "bbox_pred", param={"num_output": 16})


def faster_rcnn_small(net):
    x = conv(net, conv(net, net.input("data", (1, 3, 64, 80)), 6, stride=4), 8, stride=2)
    rois = region_proposals(net, x, count=2, ratio=[1.0], scale=[1.0, 3.0], nms_thresh=0.5)
    y = net.layer("ROIPooling", [x, rois], param={"pooled_h": 2, "pooled_w": 4, "spatial_scale": 0.125})
    net.layer("InnerProduct", y, "scores", param={"num_output": 5})


def rfcn(net):
    x = conv(net, net.input("data", (1, 3, 64, 80)), 6, stride=2)
    x = conv(net, conv(net, x, 8, stride=2), 8, stride=2)
    rois = region_proposals(net, x, ratio=[0.5, 1.0, 2.0], scale=[1.0, 2.0, 4.0])
    for name, outputs in (("cls", 4), ("bbox", 8)):
        maps = conv(net, x, outputs * 9, 1, relu=False)
        y = net.layer("PSROIPooling", [maps, rois], param={"spatial_scale": 0.125, "output_dim": outputs, "group_size": 3})
        y = net.layer("Pooling", y, param={"pool": "AVE", "kernel_size": 3, "stride": 3})
        if name == "cls":
            y = net.layer("Softmax", y)
        net.layer("Reshape", y, name + "_out", param={"shape": {"dim": [-1, outputs]}})


def yolo_v2(net):
    x = pool(net, leaky(net, net.input("data", (1, 3, 64, 64)), 6))
    wide = leaky(net, pool(net, leaky(net, x, 8)), 8)
    x = leaky(net, pool(net, wide), 12)
    x = net.layer("Concat", [net.layer("ReorgYolo", leaky(net, wide, 4, 1), param={"stride": 2}), x])
    x = conv(net, x, 3 * 9, 1, relu=False)
    net.layer("RegionYolo", x, "boxes", param={"classes": 4, "coords": 4, "num": 3, "do_softmax": True, "anchors": [1.0, 2.0, 3.0, 3.0, 5.0, 4.0]})


def yolo_v3(net):
    x = leaky(net, net.input("data", (1, 3, 64, 64)), 6, stride=2)
    for outputs in (8, 12):
        x = leaky(net, x, outputs, stride=2)
        y = leaky(net, leaky(net, x, 6, 1), outputs)
        x = net.layer("Eltwise", [x, y])
        if outputs == 8:
            route = x
    x = leaky(net, x, 8, stride=2)
    net.layer("RegionYolo", conv(net, x, 3 * 8, 1, relu=False), "large", param={"classes": 3, "num": 6, "do_softmax": False, "mask": [3, 4, 5],
              "anchors": [1.0] * 12})
    x = net.layer("Upsample", leaky(net, x, 6, 1), param={"scale": 4})
    x = net.layer("Concat", [x, route])
    net.layer("RegionYolo", conv(net, x, 3 * 8, 1, relu=False), "small", param={"classes": 3, "num": 6, "do_softmax": False, "mask": [0, 1, 2],
              "anchors": [1.0] * 12})


def segnet(net):
    def block(x, outputs):
        y = conv(net, x, outputs, relu=False)
        net.layer("BN", y, y, param={"bn_mode": "INFERENCE"})
        return net.layer("ReLU", y, y)

    x, places = net.input("data", (1, 3, 24, 36)), []
    for i, outputs in enumerate((6, 8)):
        x, mask = net.layer("Pooling", block(x, outputs), [f"pool{i}", f"mask{i}"], param={"kernel_size": 2, "stride": 2})
        places.append(mask)
    for outputs, mask in zip((6, 4), reversed(places)):
        x = block(net.layer("Upsample", [x, mask], param={"scale": 2}), outputs)
    net.layer("ArgMax", net.layer("Softmax", x), "classes", param={"axis": 1})


def pspnet(net):
    def block(x, outputs, kernel, **more):
        y = conv(net, x, outputs, kernel, relu=False, bias_term=False, **more)
        net.layer("BN", y, y, param={"frozen": True, "momentum": 0.95})
        return net.layer("ReLU", y, y)

    x = pool(net, block(net.input("data", (1, 3, 49, 49)), 8, 3, stride=2), 3, 2, pad=1)
    x = net.layer("Eltwise", [block(x, 8, 1), conv(net, block(x, 8, 3, pad=2, dilation=2), 8, 1, relu=False)])
    size, parts = net.values[x].shape[2], [x]
    for kernel, stride in ((size, size), (7, 6), (5, 4)):
        y = block(net.layer("Pooling", x, param={"pool": "AVE", "kernel_size": kernel, "stride": stride}), 4, 1)
        parts.append(net.layer("Interp", y, param={"height": size, "width": size}))
    x = conv(net, net.layer("Concat", parts), 5, 1, relu=False)
    net.layer("Interp", x, "score", param={"zoom_factor": 4})


def deeplab(net):
    x = net.input("data", (1, 3, 33, 41))
    y = pool(net, conv(net, x, 8), 3, 2, pad=1)
    y = pool(net, conv(net, y, 8), 3, 1, pad=1)
    parts = [conv(net, conv(net, y, 6, 3, pad=d, dilation=d), 5, 1, relu=False) for d in (1, 2, 4)]
    y = net.layer("Interp", net.layer("Eltwise", parts), param={"zoom_factor": 2})
    half = net.layer("Interp", x, param={"shrink_factor": 2})
    half = net.layer("Interp", conv(net, half, 5, 1, relu=False), param={"height": 33, "width": 41})
    net.layer("Softmax", net.layer("Eltwise", [y, half], param={"operation": "MAX"}), "prob")


def icnet(net):
    x = net.input("data", (1, 3, 33, 33))
    half = net.layer("Interp", x, param={"zoom_factor": 1, "shrink_factor": 2})
    low = net.layer("Interp", conv_bn(net, half, 6, stride=2), param={"zoom_factor": 2, "shrink_factor": 1})
    high = conv_bn(net, x, 6, stride=2)
    net.layer("Interp", conv(net, net.layer("Eltwise", [low, high]), 4, 1, relu=False), "score", param={"zoom_factor": 2})


def crnn(net):
    x = pool(net, conv(net, net.input("data", (2, 1, 16, 40)), 6))
    x = net.layer("Convolution", pool(net, conv(net, x, 8)), param={"num_output": 10, "kernel_h": 4, "kernel_w": 1})
    x = net.layer("Reshape", net.layer("Permute", x, param={"order": [3, 0, 2, 1]}), param={"shape": {"dim": [0, 0, -1]}})
    marks = net.layer("ContinuationIndicator", [], param={"time_step": 10, "batch_size": 2})
    forward = net.layer("LSTM", [x, marks], param={"num_output": 7})
    back = net.layer("Reverse", net.layer("LSTM", [net.layer("Reverse", x, param={"axis": 0}), marks], param={"num_output": 7}), param={"axis": 0})
    x = net.layer("InnerProduct", net.layer("Concat", [forward, back], param={"axis": 2}), param={"num_output": 11, "axis": 2})
    net.layer("Softmax", x, "prob", param={"axis": 2})


def captions(net):
    """Words by Embed, a picture for all steps."""
    words = net.input("words", (5, 2), np.array([[1, 2], [3, 0], [4, 4], [1, 1], [2, 5]]))
    cont = net.input("cont", (5, 2), np.array([[0, 0], [1, 1], [1, 0], [1, 1], [1, 1]]))
    x = net.layer("Embed", words, param={"input_dim": 6, "num_output": 4, "bias_term": False})
    picture = fc(net, global_pool(net, conv(net, net.input("data", (2, 3, 9, 9)), 6)), 3)
    x = net.layer("LSTM", [x, cont, picture], param={"num_output": 6})
    x = net.layer("RNN", [x, cont], param={"num_output": 4})
    net.layer("Softmax", net.layer("InnerProduct", x, param={"num_output": 6, "axis": 2}), "probs", param={"axis": 2})


def flownet(net):
    features, pictures = [], []
    for name in ("first", "second"):
        x = net.input(name, (1, 3, 24, 32))
        x = net.layer("Eltwise", x, param={"operation": "SUM", "coeff": [0.5]})
        pictures.append(x)
        y = net.layer("Convolution", x, param={"num_output": 6, "kernel_size": 3, "stride": 2, "pad": 1})
        features.append(net.layer("ReLU", y, y, param={"negative_slope": 0.1}))
    cost = net.layer("Correlation", features, param={"pad": 4, "kernel_size": 1, "max_displacement": 4, "stride_1": 1, "stride_2": 2})
    x = net.layer("Concat", [conv(net, features[0], 4, 1), net.layer("ReLU", cost, param={"negative_slope": 0.1})])
    small = conv(net, x, 2, relu=False)
    flow = net.layer("Resample", small, param={"width": 32, "height": 24, "antialias": True})
    warped = net.layer("FlowWarp", [pictures[1], flow])
    error = net.layer("Eltwise", [pictures[0], warped], param={"operation": "SUM", "coeff": [1, -1]})
    net.layer("Deconvolution", conv(net, error, 4, stride=2), "refined", param={"num_output": 2, "kernel_size": 4, "stride": 2, "pad": 1})


def shufflenet(net):
    x = conv_bn(net, net.input("data", (1, 3, 32, 32)), 12, 3, 2)
    for _ in range(2):
        y = net.layer("ShuffleChannel", conv_bn(net, x, 12, 1, group=3), param={"group": 3})
        y = net.layer("DepthwiseConvolution", y, param={"num_output": 12, "kernel_size": 3, "pad": 1})
        x = net.layer("ReLU", net.layer("Eltwise", [x, conv_bn(net, y, 12, 1, relu=False, group=3)]))
    net.layer("Softmax", fc(net, global_pool(net, x), 6), "prob")


def senet_axpy(net):
    x = conv_bn(net, net.input("data", (2, 3, 20, 20)), 8)
    y = conv_bn(net, x, 8, relu=False)
    gate = net.layer("Sigmoid", conv(net, conv(net, global_pool(net, y), 4, 1), 8, 1, relu=False))
    x = net.layer("ReLU", net.layer("Axpy", [gate, y, x]))
    net.layer("Softmax", fc(net, global_pool(net, x), 5), "prob")


def spp_net(net):
    x = conv(net, pool(net, conv(net, net.input("data", (2, 3, 26, 34)), 6)), 8)
    net.layer("Softmax", fc(net, net.layer("SPP", x, param={"pyramid_height": 3, "pool": "MAX"}), 7), "prob")


def mobilenet_v2(net):
    x = net.layer("ReLU6", conv_bn(net, net.input("data", (1, 3, 32, 32)), 8, 3, 2, relu=False))
    for _ in range(2):
        y = net.layer("ReLU6", conv_bn(net, x, 16, 1, relu=False))
        y = net.layer("ReLU6", conv_bn(net, y, 16, 3, relu=False, group=16))
        x = net.layer("Eltwise", [x, conv_bn(net, y, 8, 1, relu=False)])
    net.layer("Softmax", fc(net, global_pool(net, x), 6), "prob")


ARCHITECTURES = {one.__name__: one for one in (
    ssd, mobilenet_ssd, mobilenet_ssd_published, ssd_steps, face_boxes, faster_rcnn, faster_rcnn_small, rfcn, yolo_v2, yolo_v3, segnet, pspnet, deeplab, icnet, crnn, captions,
    flownet, shufflenet, senet_axpy, spp_net, mobilenet_v2)}
