"""Networks of torchvision, timm and transformers with drawn weights."""
import torch
from torch import nn

from models import Family, fed, given, ints

family = Family(__name__)
module = family.module


def vision(name, **options):
    def build():
        import torchvision
        return torchvision.models.get_model(name, weights=None, **options)
    return build


def timm(name, **options):
    def build():
        import timm
        return timm.create_model(name, pretrained=False, **options)
    return build


class Logits(nn.Module):
    """A network of transformers, without what is no tensor in its output."""

    def __init__(self, network, *keys):
        super().__init__()
        self.network, self.keys = network, keys

    def forward(self, *args):
        out = self.network(*args)
        return {key: out[key] for key in self.keys}


def transformer(kind, config, *keys, **options):
    def build():
        import transformers
        return Logits(getattr(transformers, kind)(getattr(transformers, config)(**options)).eval(), *keys)
    return build


PICTURE = fed(2, 3, 64, 64)
for name in "resnet18 mobilenet_v2 mobilenet_v3_small squeezenet1_1 shufflenet_v2_x0_5 densenet121 efficientnet_b0 mnasnet0_5 regnet_y_400mf".split():
    module(name, vision(name, num_classes=10), PICTURE, unknown=(0,))
module("googlenet", vision("googlenet", num_classes=10, init_weights=False, aux_logits=False), PICTURE)
module("convnext_tiny", vision("convnext_tiny", num_classes=10), PICTURE)
module("swin_t", vision("swin_t", num_classes=10), PICTURE)
module("vit_b_32", vision("vit_b_32", num_classes=10, image_size=64), PICTURE, unknown=(0,))
module("lraspp", vision("lraspp_mobilenet_v3_large", weights_backbone=None, num_classes=5), PICTURE)
for name in "ghostnet_050 mixer_s32_224 rexnet_100 repvgg_a0".split():
    module("timm_" + name, timm(name, num_classes=10), fed(2, 3, 224, 224) if "224" in name else PICTURE)
SMALL = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32, "vocab_size": 60, "max_position_embeddings": 32}
IDS = ints(2, 7, high=60)
module("bert", transformer("BertForSequenceClassification", "BertConfig", "logits", **SMALL), IDS, given([[1] * 7, [1] * 5 + [0] * 2], "int64"), unknown=(0, 1))
module("roberta", transformer("RobertaModel", "RobertaConfig", "last_hidden_state", "pooler_output", **SMALL), IDS)
module("distilbert", transformer("DistilBertModel", "DistilBertConfig", "last_hidden_state", dim=16, n_layers=2, n_heads=2, hidden_dim=32, vocab_size=60, max_position_embeddings=32), IDS, unknown=(0,))
module("vit_hf", transformer("ViTModel", "ViTConfig", "last_hidden_state", hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, image_size=32, patch_size=8), fed(2, 3, 32, 32), unknown=(0,))
