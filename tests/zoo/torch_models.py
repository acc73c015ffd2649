"""Models of published architectures at small widths, as PyTorch modules with seeded weights.

MODELS maps a name to a function that gives an Export; export.py writes it by PyTorch's own exporter, so that the graphs contain
the exporter's sub-graphs for dynamic axes: chains of Shape, Gather, Unsqueeze and Concat, constant nodes, casts.
"""
import dataclasses

import diffusers
import torch
import torchvision
import transformers
from torch import nn


@dataclasses.dataclass
class Export:
    module: nn.Module
    arguments: tuple  # example inputs, by which the exporter traces
    inputs: list  # names
    outputs: list
    dynamic: dict  # name: {axis: what it is}
    opset: int = 17


def image(*shape):
    return torch.randn(*shape)


def tokens(rows, length, below):
    return torch.randint(1, below, (rows, length))


class Wrap(nn.Module):
    """A module with positional inputs and a tuple of tensors for outputs."""

    def __init__(self, module, call):
        super().__init__()
        self.module, self.call = module, call

    def forward(self, *inputs):
        return self.call(self.module, *inputs)


def vision(module, size=64, dynamic=("batch",), opset=17):
    axes = {"batch": {0: "batch"}, "size": {2: "height", 3: "width"}}
    free = {axis: what for kind in dynamic for axis, what in axes[kind].items()}
    return Export(module, (image(2, 3, size, size),), ["image"], ["output"], {"image": free, "output": {0: "batch"}}, opset)


# Images ----------------------------------------------------------------------------------------------------------------------


def resnet18():
    return vision(torchvision.models.resnet18(num_classes=50), dynamic=("batch", "size"))


def mobilenet_v3():
    return vision(torchvision.models.mobilenet_v3_small(num_classes=50), opset=13)


def efficientnet():
    return vision(torchvision.models.efficientnet_b0(num_classes=50))


def convnext():
    settings = [torchvision.models.convnext.CNBlockConfig(*c) for c in ((24, 48, 2), (48, 96, 2), (96, None, 2))]
    return vision(torchvision.models.ConvNeXt(settings, num_classes=50))


def swin():
    return vision(torchvision.models.SwinTransformer([4, 4], 24, [2, 2], [2, 4], [4, 4], num_classes=50, stochastic_depth_prob=0.0))


def vit():
    return vision(torchvision.models.VisionTransformer(64, 16, 3, 4, 64, 128, num_classes=50), opset=14)


def deeplab():
    model = torchvision.models.segmentation.deeplabv3_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=7)
    return vision(Wrap(model, lambda m, x: m(x)["out"]), dynamic=("batch", "size"), opset=13)


class UNet(nn.Module):
    def __init__(self, widths=(8, 16, 32)):
        super().__init__()
        def double(i, o):
            return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(True), nn.Conv2d(o, o, 3, padding=1), nn.LeakyReLU(0.1))
        self.down = nn.ModuleList(double(i, o) for i, o in zip((3, *widths), widths))
        self.up = nn.ModuleList(nn.ConvTranspose2d(o, i, 2, 2) for i, o in zip(widths, widths[1:]))
        self.join = nn.ModuleList(double(2 * i, i) for i in widths[:-1])
        self.pool, self.last = nn.MaxPool2d(2), nn.Conv2d(widths[0], 2, 1)

    def forward(self, x):
        kept = []
        for down in self.down[:-1]:
            kept.append(down(x))
            x = self.pool(kept[-1])
        x = self.down[-1](x)
        for up, join, skip in list(zip(self.up, self.join, kept))[::-1]:
            x = up(x)
            # Padding for odd sizes, which pooling rounds down, as in the well-known implementations.
            dy, dx = skip.shape[2] - x.shape[2], skip.shape[3] - x.shape[3]
            x = nn.functional.pad(x, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
            x = join(torch.cat([skip, x], 1))
        return nn.functional.interpolate(self.last(x), scale_factor=2, mode="bilinear", align_corners=True)


def unet():
    return vision(UNet(), dynamic=("batch", "size"))


class SuperResolution(nn.Module):
    def __init__(self, scale=3):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 32, 5, padding=2), nn.Tanh(), nn.Conv2d(32, 16, 3, padding=1), nn.PReLU(16),
                                  nn.Conv2d(16, 3 * scale**2, 3, padding=1))
        self.shuffle, self.scale = nn.PixelShuffle(scale), scale

    def forward(self, x):
        base = nn.functional.interpolate(x, scale_factor=self.scale, mode="bicubic", align_corners=False)
        return torch.clamp(self.shuffle(self.body(x)) + base, -3, 3)


def super_resolution():
    return vision(SuperResolution(), dynamic=("batch", "size"))


class Generator(nn.Module):
    def __init__(self, w=16):
        super().__init__()
        layers, sizes = [nn.ConvTranspose2d(32, w * 4, 4, 1, 0, bias=False)], (w * 4, w * 2, w, 3)
        for i, o in zip(sizes, sizes[1:]):
            layers += [nn.BatchNorm2d(i), nn.ReLU(True), nn.ConvTranspose2d(i, o, 4, 2, 1, bias=False)]
        self.body = nn.Sequential(*layers, nn.InstanceNorm2d(3, affine=True), nn.Tanh())

    def forward(self, z):
        return self.body(z[:, :, None, None])


def gan():
    return Export(Generator(), (torch.randn(2, 32),), ["z"], ["picture"], {"z": {0: "batch"}, "picture": {0: "batch"}}, 11)


class CRNN(nn.Module):
    def __init__(self, classes=37):
        super().__init__()
        def block(i, o, pool):
            return [nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(True), nn.MaxPool2d(*pool)]
        self.cnn = nn.Sequential(*block(1, 16, (2, 2)), *block(16, 32, (2, 2)), *block(32, 64, ((2, 1), (2, 1))), nn.Conv2d(64, 64, (4, 1)))
        self.rnn = nn.LSTM(64, 32, num_layers=2, bidirectional=True)
        self.head = nn.Linear(64, classes)

    def forward(self, x):
        x, _ = self.rnn(self.cnn(x).squeeze(2).permute(2, 0, 1))
        return torch.log_softmax(self.head(x), 2)


def crnn():
    return Export(CRNN(), (image(2, 1, 32, 100),), ["image"], ["output"], {"image": {0: "batch", 3: "width"}, "output": {0: "frames", 1: "batch"}}, 14)


def detections(found):
    return tuple(found[k] for k in ("boxes", "scores", "labels"))


def spread(module):
    """Initial weights of detectors are so small that every anchor, or query, would give the same."""
    for part in module.modules():
        if isinstance(part, (nn.Conv2d, nn.Linear)):
            nn.init.kaiming_normal_(part.weight)
    return module


def ssd():
    model = torchvision.models.detection.ssdlite320_mobilenet_v3_large(
        weights=None, weights_backbone=None, num_classes=3, score_thresh=0.2, nms_thresh=0.4, topk_candidates=50, detections_per_img=40)
    return Export(Wrap(spread(model), lambda m, x: detections(m([x])[0])), (torch.rand(3, 200, 240),), ["image"], ["boxes", "scores", "labels"],
                  {"image": {1: "height", 2: "width"}, **{k: {0: "found"} for k in ("boxes", "scores", "labels")}}, 11)


def faster_rcnn():
    detection = torchvision.models.detection
    backbone = nn.Sequential(*(conv_silu(i, o, 3, 2) for i, o in ((3, 16), (16, 32), (32, 32))))
    backbone.out_channels = 32
    anchors = detection.rpn.AnchorGenerator(((16, 32, 64),), ((0.5, 1.0, 2.0),))
    model = detection.FasterRCNN(
        backbone, None, rpn_anchor_generator=anchors, box_roi_pool=torchvision.ops.MultiScaleRoIAlign(["0"], 7, 2),
        box_head=detection.faster_rcnn.TwoMLPHead(32 * 49, 64), box_predictor=detection.faster_rcnn.FastRCNNPredictor(64, 3), min_size=96, max_size=128,
        box_detections_per_img=20, rpn_pre_nms_top_n_test=50, rpn_post_nms_top_n_test=30, box_score_thresh=0.15)
    return Export(Wrap(spread(model), lambda m, x: detections(m([x])[0])), (torch.rand(3, 100, 120),), ["image"], ["boxes", "scores", "labels"],
                  {"image": {1: "height", 2: "width"}, **{k: {0: "found"} for k in ("boxes", "scores", "labels")}}, 11)


def conv_silu(i, o, k=3, s=1):
    return nn.Sequential(nn.Conv2d(i, o, k, s, k // 2, bias=False), nn.BatchNorm2d(o), nn.SiLU())


def keypoint_rcnn():
    detection = torchvision.models.detection
    backbone = nn.Sequential(*(conv_silu(i, o, 3, 2) for i, o in ((3, 16), (16, 32))))
    backbone.out_channels = 32
    pool = lambda size: torchvision.ops.MultiScaleRoIAlign(["0"], size, 2)
    model = detection.KeypointRCNN(
        backbone, None, rpn_anchor_generator=detection.rpn.AnchorGenerator(((16, 32),), ((0.5, 1.0),)), box_roi_pool=pool(7), keypoint_roi_pool=pool(14),
        box_head=detection.faster_rcnn.TwoMLPHead(32 * 49, 64), box_predictor=detection.faster_rcnn.FastRCNNPredictor(64, 2),
        keypoint_head=detection.keypoint_rcnn.KeypointRCNNHeads(32, (16,)), keypoint_predictor=detection.keypoint_rcnn.KeypointRCNNPredictor(16, 5),
        min_size=64, max_size=96, box_detections_per_img=10, rpn_pre_nms_top_n_test=30, rpn_post_nms_top_n_test=20, box_score_thresh=0.15)
    names = ["boxes", "keypoints", "keypoints_scores"]
    return Export(Wrap(spread(model), lambda m, x: (lambda found: tuple(found[k] for k in names))(m([x])[0])), (torch.rand(3, 70, 80),), ["image"], names,
                  {"image": {1: "height", 2: "width"}, **{k: {0: "found"} for k in names}}, 11)


def detr():
    backbone = transformers.ResNetConfig(embedding_size=16, hidden_sizes=[16, 32, 48, 64], depths=[1] * 4, layer_type="basic", out_features=["stage4"])
    config = transformers.DetrConfig(
        use_timm_backbone=False, use_pretrained_backbone=False, backbone_config=backbone, d_model=64, encoder_layers=1, decoder_layers=1,
        encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, num_queries=10)
    model = spread(transformers.DetrForObjectDetection(config))
    call = lambda m, x: (lambda out: torch.cat([out.logits, out.pred_boxes], -1))(m(x))
    return vision(Wrap(model, call), dynamic=("batch", "size"), opset=14)


def raft():
    model = Wrap(torchvision.models.optical_flow.raft_small(), lambda m, a, b: m(a, b, num_flow_updates=2)[-1])
    return Export(model, (torch.rand(1, 3, 128, 128), torch.rand(1, 3, 128, 128)), ["first", "second"], ["flow"], {}, 16)


class CrossStage(nn.Module):
    """Bottlenecks of which every stage's output is kept and joined."""

    def __init__(self, i, o, n=1, add=True):
        super().__init__()
        self.first, self.last, self.add = conv_silu(i, o, 1), conv_silu((2 + n) * o // 2, o, 1), add
        self.stages = nn.ModuleList(nn.Sequential(conv_silu(o // 2, o // 2), conv_silu(o // 2, o // 2)) for _ in range(n))

    def forward(self, x):
        parts = list(self.first(x).chunk(2, 1))
        for stage in self.stages:
            y = stage(parts[-1])
            parts.append(parts[-1] + y if self.add else y)
        return self.last(torch.cat(parts, 1))


class YoloV8(nn.Module):
    """Cross-stage backbone, pooled pyramid, a path up and a path down, box sides as expectations over bins."""

    def __init__(self, classes=6, w=16, bins=16):
        super().__init__()
        self.bins, self.classes = bins, classes
        self.p3 = nn.Sequential(conv_silu(3, w, 3, 2), conv_silu(w, 2 * w, 3, 2), CrossStage(2 * w, 2 * w), conv_silu(2 * w, 2 * w, 3, 2), CrossStage(2 * w, 2 * w, 2))
        self.p4 = nn.Sequential(conv_silu(2 * w, 4 * w, 3, 2), CrossStage(4 * w, 4 * w, 2))
        self.p5 = nn.Sequential(conv_silu(4 * w, 8 * w, 3, 2), CrossStage(8 * w, 8 * w))
        self.squeeze, self.pool, self.spread = conv_silu(8 * w, 4 * w, 1), nn.MaxPool2d(5, 1, 2), conv_silu(16 * w, 8 * w, 1)
        self.up4, self.up3 = CrossStage(12 * w, 4 * w, add=False), CrossStage(6 * w, 2 * w, add=False)
        self.down3, self.down4 = conv_silu(2 * w, 2 * w, 3, 2), conv_silu(4 * w, 4 * w, 3, 2)
        self.join4, self.join5 = CrossStage(6 * w, 4 * w, add=False), CrossStage(12 * w, 8 * w, add=False)
        def head(i, o):
            return nn.Sequential(conv_silu(i, 2 * w), nn.Conv2d(2 * w, o, 1))
        self.boxes = nn.ModuleList(head(i * w, 4 * bins) for i in (2, 4, 8))
        self.scores = nn.ModuleList(head(i * w, classes) for i in (2, 4, 8))
        self.expectation = nn.Conv2d(bins, 1, 1, bias=False)
        self.expectation.weight.data[:] = torch.arange(bins, dtype=torch.float).view(1, bins, 1, 1)

    def forward(self, x):
        p3 = self.p3(x)
        p4 = self.p4(p3)
        y = self.squeeze(self.p5(p4))
        pools = [y]
        for _ in range(3):
            pools.append(self.pool(pools[-1]))
        p5 = self.spread(torch.cat(pools, 1))
        p4 = self.up4(torch.cat([nn.functional.interpolate(p5, scale_factor=2.0), p4], 1))
        p3 = self.up3(torch.cat([nn.functional.interpolate(p4, scale_factor=2.0), p3], 1))
        p4 = self.join4(torch.cat([self.down3(p3), p4], 1))
        p5 = self.join5(torch.cat([self.down4(p4), p5], 1))
        levels = [torch.cat([box(p), score(p)], 1) for box, score, p in zip(self.boxes, self.scores, (p3, p4, p5))]
        points, strides = [], []
        for level, stride in zip(levels, (8, 16, 32)):
            h, w = level.shape[2:]
            sy, sx = torch.meshgrid(torch.arange(h) + 0.5, torch.arange(w) + 0.5, indexing="ij")
            points.append(torch.stack((sx, sy), -1).view(-1, 2))
            strides.append(torch.full((h * w, 1), float(stride)))
        points, strides = torch.cat(points).transpose(0, 1).unsqueeze(0), torch.cat(strides).transpose(0, 1)
        boxes, scores = torch.cat([level.view(x.shape[0], 4 * self.bins + self.classes, -1) for level in levels], 2).split((4 * self.bins, self.classes), 1)
        batch, _, anchors = boxes.shape
        sides = self.expectation(boxes.view(batch, 4, self.bins, anchors).transpose(2, 1).softmax(1)).view(batch, 4, anchors)
        near, far = sides.chunk(2, 1)
        near, far = points - near, points + far
        return torch.cat([torch.cat([(near + far) / 2, far - near], 1) * strides, scores.sigmoid()], 1)


def yolov8():
    return vision(YoloV8(), size=96, dynamic=("batch", "size"))


class Yolo(nn.Module):
    """Anchor-free, decoupled head, decoded boxes, then class-wise suppression with a number of results that the image decides."""

    def __init__(self, classes=4, w=16):
        super().__init__()
        conv = conv_silu
        self.stem = nn.Sequential(conv(3, w, 6, 2), conv(w, 2 * w, 3, 2), conv(2 * w, 2 * w))
        self.deep = nn.Sequential(conv(2 * w, 4 * w, 3, 2), conv(4 * w, 4 * w))
        self.pools = nn.ModuleList(nn.MaxPool2d(k, 1, k // 2) for k in (3, 5))
        self.squeeze, self.merge = conv(12 * w, 2 * w, 1), conv(4 * w, 2 * w)
        self.heads = nn.ModuleList(nn.Conv2d(2 * w, 5 + classes, 1) for _ in range(2))

    def forward(self, x):
        a = self.stem(x)
        b = self.deep(a)
        b = self.squeeze(torch.cat([b, *(pool(b) for pool in self.pools)], 1))
        up = nn.functional.interpolate(b, size=a.shape[-2:], mode="nearest")
        found = []
        for head, level, stride in zip(self.heads, (self.merge(torch.cat([a, up], 1)), b), (4, 8)):
            y = head(level)
            height, width = y.shape[-2:]
            grid = torch.stack(torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")[::-1], -1).reshape(1, -1, 2)
            y = y.flatten(2).permute(0, 2, 1)
            centre, size = (y[..., :2].sigmoid() + grid) * stride, y[..., 2:4].exp() * stride * 2
            found.append(torch.cat([centre - size / 2, centre + size / 2, y[..., 4:].sigmoid()], -1))
        found = torch.cat(found, 1)[0]
        scores, labels = (found[:, 4:5] * found[:, 5:]).max(1)
        keep = scores > 0.25
        boxes, scores, labels = found[keep, :4], scores[keep], labels[keep]
        kept = torchvision.ops.nms(boxes + labels[:, None] * 4096.0, scores, 0.45)[:50]
        return boxes[kept], scores[kept], labels[kept]


def yolo_nms():
    return Export(Yolo(), (image(1, 3, 96, 128),), ["image"], ["boxes", "scores", "labels"],
                  {"image": {2: "height", 3: "width"}, **{k: {0: "found"} for k in ("boxes", "scores", "labels")}}, 13)


# Text ------------------------------------------------------------------------------------------------------------------------

SMALL = dict(hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, vocab_size=500, max_position_embeddings=128)
TEXT = {"input_ids": {0: "batch", 1: "length"}, "attention_mask": {0: "batch", 1: "length"}}


def bert():
    model = transformers.BertForSequenceClassification(transformers.BertConfig(**SMALL, num_labels=3))
    call = lambda m, i, a: m(i, a).logits
    return Export(Wrap(model, call), (tokens(2, 9, 500), torch.ones(2, 9, dtype=torch.int64)), ["input_ids", "attention_mask"], ["logits"],
                  {**TEXT, "logits": {0: "batch"}}, 14)


def decoder(model, config, heads, size):
    """One step of a decoder: new tokens behind a cache of any length."""
    layers = config.num_hidden_layers
    names = [f"{kind}.{i}" for i in range(layers) for kind in ("key", "value")]

    def call(m, ids, mask, positions, *past):
        pairs = tuple(zip(past[::2], past[1::2]))
        out = m(input_ids=ids, attention_mask=mask, position_ids=positions, past_key_values=pairs, use_cache=True)
        return (out.logits, *(t for pair in out.past_key_values for t in pair))

    past = [torch.randn(2, heads, 6, size) for _ in names]
    arguments = (tokens(2, 3, 500), torch.ones(2, 9, dtype=torch.int64), torch.arange(6, 9).repeat(2, 1), *past)
    dynamic = {"input_ids": {0: "batch", 1: "length"}, "attention_mask": {0: "batch", 1: "total"}, "position_ids": {0: "batch", 1: "length"},
               "logits": {0: "batch", 1: "length"}}
    for name in names:
        dynamic |= {f"past.{name}": {0: "batch", 2: "past"}, f"present.{name}": {0: "batch", 2: "total"}}
    return Export(Wrap(model, call), arguments, ["input_ids", "attention_mask", "position_ids", *(f"past.{n}" for n in names)],
                  ["logits", *(f"present.{n}" for n in names)], dynamic)


def gpt2():
    config = transformers.GPT2Config(vocab_size=500, n_positions=128, n_embd=64, n_layer=2, n_head=4)
    return decoder(transformers.GPT2LMHeadModel(config), config, 4, 16)


def llama():
    config = transformers.LlamaConfig(**SMALL, num_key_value_heads=2)
    return decoder(transformers.LlamaForCausalLM(config), config, 2, 16)


def routed(block, x):
    """What MixtralSparseMoeBlock computes, with tensors for the tokens of an expert: its own loop is lost in tracing."""
    batch, length, width = x.shape
    x = x.reshape(-1, width)
    logits = block.gate(x)
    weights, chosen = torch.topk(torch.softmax(logits, 1), block.top_k, -1)
    weights = weights / weights.sum(-1, keepdim=True)
    out = torch.zeros_like(x)
    for i, expert in enumerate(block.experts):
        rows, ranks = torch.nonzero(chosen == i).unbind(1)
        part = expert(x[rows], weights[rows, ranks].unsqueeze(-1))
        out = out.index_add(0, rows, part)
    return out.reshape(batch, length, width), logits


def mixtral():
    transformers.models.mixtral.modeling_mixtral.MixtralSparseMoeBlock.forward = routed
    config = transformers.MixtralConfig(**SMALL, num_key_value_heads=2, num_local_experts=4, num_experts_per_tok=2)
    return decoder(transformers.MixtralForCausalLM(config), config, 2, 16)


def text(model, opset=14, length=9):
    call = lambda m, i, a: m(input_ids=i, attention_mask=a).last_hidden_state
    return Export(Wrap(model, call), (tokens(2, length, 500), torch.ones(2, length, dtype=torch.int64)), ["input_ids", "attention_mask"], ["hidden"],
                  {**TEXT, "hidden": {0: "batch", 1: "length"}}, opset)


def deberta():
    return text(transformers.DebertaV2Model(transformers.DebertaV2Config(
        **SMALL, relative_attention=True, position_buckets=16, pos_att_type=["p2c", "c2p"], norm_rel_ebd="layer_norm", share_att_key=True)))


def bloom():
    return text(transformers.BloomModel(transformers.BloomConfig(vocab_size=500, hidden_size=64, n_layer=2, n_head=4)), 13)


def gptj():
    return text(transformers.GPTJModel(transformers.GPTJConfig(vocab_size=500, n_positions=128, n_embd=64, n_layer=2, n_head=4, rotary_dim=8)), 15)


def xlnet():
    return text(transformers.XLNetModel(transformers.XLNetConfig(vocab_size=500, d_model=64, n_layer=2, n_head=4, d_inner=128)))


def t5():
    config = transformers.T5Config(vocab_size=500, d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=4)
    model = transformers.T5ForConditionalGeneration(config)
    call = lambda m, i, a, d: m(input_ids=i, attention_mask=a, decoder_input_ids=d, use_cache=False).logits
    return Export(Wrap(model, call), (tokens(2, 9, 500), torch.ones(2, 9, dtype=torch.int64), tokens(2, 4, 500)),
                  ["input_ids", "attention_mask", "decoder_input_ids"], ["logits"],
                  {**TEXT, "decoder_input_ids": {0: "batch", 1: "target"}, "logits": {0: "batch", 1: "target"}}, 13)


def clip():
    text = dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, vocab_size=500, max_position_embeddings=32,
                bos_token_id=498, eos_token_id=499)
    picture = dict(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, image_size=64, patch_size=16)
    model = transformers.CLIPModel(transformers.CLIPConfig(text_config=text, vision_config=picture, projection_dim=32))
    call = lambda m, i, p, a: m(i, p, a).logits_per_image
    return Export(Wrap(model, call), (tokens(3, 9, 498), image(2, 3, 64, 64), torch.ones(3, 9, dtype=torch.int64)),
                  ["input_ids", "pixel_values", "attention_mask"], ["logits_per_image"],
                  {"input_ids": {0: "texts", 1: "length"}, "attention_mask": {0: "texts", 1: "length"}, "pixel_values": {0: "images"},
                   "logits_per_image": {0: "images", 1: "texts"}}, 14)


def segformer():
    config = transformers.SegformerConfig(hidden_sizes=[16, 32, 40, 64], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 2, 4], decoder_hidden_size=32, num_labels=6)
    return vision(Wrap(transformers.SegformerForSemanticSegmentation(config), lambda m, x: m(x).logits), dynamic=("batch", "size"), opset=12)


# Sound -----------------------------------------------------------------------------------------------------------------------

WHISPER = dict(vocab_size=500, num_mel_bins=20, d_model=64, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4,
               encoder_ffn_dim=128, decoder_ffn_dim=128, max_source_positions=50, max_target_positions=64, pad_token_id=0, bos_token_id=1, eos_token_id=2,
               decoder_start_token_id=3, suppress_tokens=None, begin_suppress_tokens=None)


def whisper_encoder():
    model = transformers.WhisperModel(transformers.WhisperConfig(**WHISPER)).encoder
    return Export(Wrap(model, lambda m, x: m(x).last_hidden_state), (torch.randn(2, 20, 100),), ["features"], ["hidden"],
                  {"features": {0: "batch"}, "hidden": {0: "batch"}})


def whisper_decoder():
    model = transformers.WhisperForConditionalGeneration(transformers.WhisperConfig(**WHISPER))
    names = [f"{part}.{kind}.{i}" for i in range(2) for part, kind in (("self", "key"), ("self", "value"), ("cross", "key"), ("cross", "value"))]

    def call(m, ids, *past):
        pairs = tuple(past[i:i + 4] for i in range(0, len(past), 4))
        hidden = torch.zeros(1, 50, 64)  # its keys and values come from the cache
        out = m.model.decoder(input_ids=ids, encoder_hidden_states=hidden, past_key_values=pairs, use_cache=True)
        return (m.proj_out(out.last_hidden_state), *(t for layer in out.past_key_values for t in layer[:2]))

    past = [torch.randn(2, 4, 5 if name.startswith("self") else 50, 16) for name in names]
    dynamic = {"input_ids": {0: "batch", 1: "length"}, "logits": {0: "batch", 1: "length"}}
    for name in names:
        dynamic |= {f"past.{name}": {0: "batch", **({2: "past"} if name.startswith("self") else {})}, f"present.{name}": {0: "batch", 2: "total"}}
    return Export(Wrap(model, call), (tokens(2, 1, 500), *past), ["input_ids", *(f"past.{n}" for n in names)],
                  ["logits", *(f"present.{n}" for n in names if n.startswith("self"))], dynamic)


def wav2vec2():
    config = transformers.Wav2Vec2Config(
        vocab_size=32, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128, conv_dim=(32, 32, 32), conv_stride=(5, 2, 2),
        conv_kernel=(10, 3, 2), num_feat_extract_layers=3, num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4, apply_spec_augment=False)
    return Export(Wrap(transformers.Wav2Vec2ForCTC(config), lambda m, x: m(x).logits), (torch.randn(2, 1600),), ["waveform"], ["logits"],
                  {"waveform": {0: "batch", 1: "samples"}, "logits": {0: "batch", 1: "frames"}})


def encodec():
    config = transformers.EncodecConfig(num_filters=4, hidden_size=16, codebook_dim=16, codebook_size=32, num_lstm_layers=1, upsampling_ratios=[4, 2])
    return Export(Wrap(transformers.EncodecModel(config), lambda m, x: m.decoder(m.encoder(x))), (torch.randn(1, 1, 320),), ["waveform"], ["output"],
                  {"waveform": {2: "samples"}}, 14)


def vits():
    config = transformers.VitsConfig(
        vocab_size=500, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, ffn_dim=32, flow_size=32, spectrogram_bins=33,
        upsample_initial_channel=32, prior_encoder_num_flows=2, prior_encoder_num_wavenet_layers=2, duration_predictor_num_flows=2,
        depth_separable_num_layers=2, noise_scale=0.0, noise_scale_duration=0.0)
    return Export(Wrap(transformers.VitsModel(config), lambda m, i, a: m(input_ids=i, attention_mask=a).waveform),
                  (tokens(2, 9, 500), torch.ones(2, 9, dtype=torch.int64)), ["input_ids", "attention_mask"], ["waveform"],
                  {**TEXT, "waveform": {0: "batch", 1: "samples"}}, 16)


class Conformer(nn.Module):
    """A streaming-free conformer: convolution subsampling, gated depth-wise convolution, attention."""

    def __init__(self, d=48):
        super().__init__()
        self.front = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Conv2d(8, 8, 3, 2, 1), nn.ReLU())
        self.into = nn.Linear(8 * 10, d)
        self.attention, self.norms = nn.MultiheadAttention(d, 4, batch_first=True), nn.ModuleList(nn.LayerNorm(d) for _ in range(4))
        self.feed = nn.ModuleList(nn.Sequential(nn.Linear(d, 2 * d), nn.SiLU(), nn.Linear(2 * d, d)) for _ in range(2))
        self.gate, self.depth, self.point = nn.Conv1d(d, 2 * d, 1), nn.Conv1d(d, d, 7, padding=3, groups=d), nn.Conv1d(d, d, 1)
        self.batch, self.head = nn.BatchNorm1d(d), nn.Linear(d, 30)

    def forward(self, x):
        x = self.front(x.unsqueeze(1))
        x = self.into(x.permute(0, 2, 1, 3).flatten(2))
        x = x + 0.5 * self.feed[0](self.norms[0](x))
        y = self.norms[1](x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        y = nn.functional.glu(self.gate(self.norms[2](x).transpose(1, 2)), dim=1)
        x = x + self.point(nn.functional.silu(self.batch(self.depth(y)))).transpose(1, 2)
        return self.head(self.norms[3](x + 0.5 * self.feed[1](x))).log_softmax(-1)


def conformer():
    return Export(Conformer(), (torch.randn(2, 60, 40),), ["features"], ["output"],
                  {"features": {0: "batch", 1: "frames"}, "output": {0: "batch", 1: "frames"}}, 17)


class CBHG(nn.Module):
    """The block of Tacotron: a bank of convolutions, highway layers and a GRU in both directions."""

    def __init__(self, d=32, bank=6):
        super().__init__()
        self.bank = nn.ModuleList(nn.Sequential(nn.Conv1d(d, d, k, padding=k // 2), nn.ReLU(), nn.BatchNorm1d(d)) for k in range(1, bank + 1))
        self.pool = nn.MaxPool1d(2, 1, 1)
        self.project = nn.Sequential(nn.Conv1d(bank * d, d, 3, padding=1), nn.ReLU(), nn.BatchNorm1d(d), nn.Conv1d(d, d, 3, padding=1))
        self.high = nn.ModuleList(nn.Linear(d, 2 * d) for _ in range(3))
        self.gru = nn.GRU(d, d, batch_first=True, bidirectional=True)
        self.last = nn.Linear(2 * d, 80)

    def forward(self, x, state):
        length = x.shape[1]
        y = x.transpose(1, 2)
        y = torch.cat([b(y)[:, :, :length] for b in self.bank], 1)
        x = self.project(self.pool(y)[:, :, :length]).transpose(1, 2) + x
        for layer in self.high:
            h, t = layer(x).chunk(2, -1)
            t = t.sigmoid()
            x = h.relu() * t + x * (1 - t)
        x, state = self.gru(x, state)
        return self.last(x), state


def cbhg():
    return Export(CBHG(), (torch.randn(2, 20, 32), torch.randn(2, 2, 32)), ["features", "state"], ["mel", "next"],
                  {"features": {0: "batch", 1: "frames"}, "state": {1: "batch"}, "mel": {0: "batch", 1: "frames"}, "next": {1: "batch"}}, 15)


class Recogniser(nn.Module):
    """Greedy decoding of a transducer in scripted control flow: a loop over frames, a condition inside."""

    def __init__(self, d=16, words=12):
        super().__init__()
        self.embed, self.cell, self.join = nn.Embedding(words, d), nn.Linear(2 * d, d), nn.Linear(2 * d, words)

    def forward(self, frames):
        token, state = torch.zeros([1], dtype=torch.int64), torch.zeros([1, frames.shape[1]])
        scores = torch.zeros([1, 12])
        for i in range(frames.shape[0]):
            logits = self.join(torch.cat([frames[i].unsqueeze(0), state], 1))
            best = logits.argmax(1)
            if bool(best[0] > 3):
                token = best
                state = torch.tanh(self.cell(torch.cat([self.embed(token), state], 1)))
            scores = scores + torch.log_softmax(logits, 1)
        return token, state, scores


def greedy_loop():
    module = torch.jit.script(Recogniser())
    return Export(module, (torch.randn(9, 16),), ["frames"], ["token", "state", "scores"], {"frames": {0: "frames"}}, 16)


# Diffusion -------------------------------------------------------------------------------------------------------------------


def diffusion_unet():
    model = diffusers.UNet2DConditionModel(
        sample_size=16, in_channels=4, out_channels=4, block_out_channels=(32, 64), layers_per_block=1, norm_num_groups=8, cross_attention_dim=32,
        attention_head_dim=8, down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"), up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"))
    model.set_attn_processor(diffusers.models.attention_processor.AttnProcessor())
    call = lambda m, x, t, e: m(x, t, e, return_dict=False)[0]
    return Export(Wrap(model, call), (torch.randn(2, 4, 16, 16), torch.tensor([7]), torch.randn(2, 5, 32)), ["sample", "timestep", "context"], ["noise"],
                  {"sample": {0: "batch", 2: "height", 3: "width"}, "context": {0: "batch", 1: "length"}, "noise": {0: "batch"}})


def vae_decoder():
    model = diffusers.AutoencoderKL(block_out_channels=(16, 32), down_block_types=("DownEncoderBlock2D",) * 2, up_block_types=("UpDecoderBlock2D",) * 2,
                                    latent_channels=4, norm_num_groups=8, layers_per_block=1)
    model.set_attn_processor(diffusers.models.attention_processor.AttnProcessor())
    return Export(Wrap(model, lambda m, x: m.decode(x, return_dict=False)[0]), (torch.randn(1, 4, 8, 8),), ["latent"], ["picture"],
                  {"latent": {0: "batch", 2: "height", 3: "width"}, "picture": {0: "batch"}}, 14)


MODELS = {f.__name__: f for f in (
    resnet18, mobilenet_v3, efficientnet, convnext, swin, vit, deeplab, unet, super_resolution, gan, crnn, yolov8, yolo_nms, ssd, faster_rcnn,
    keypoint_rcnn, detr, raft, bert, deberta, xlnet, bloom, gptj, gpt2, llama, mixtral, t5, clip, segformer, whisper_encoder, whisper_decoder, wav2vec2, encodec, vits, conformer, cbhg, greedy_loop,
    diffusion_unet, vae_decoder)}
