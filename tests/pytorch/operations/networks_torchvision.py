"""Networks of torchvision, small ones: classifiers of pictures and films."""
from models import Family, fed

family = Family(__name__)
module = family.module


def named(name, **options):
    def build():
        import torchvision
        return torchvision.models.get_model(name, weights=None, **options)
    return build


def resnet(block, **options):
    def build():
        from torchvision.models import resnet
        return resnet.ResNet(getattr(resnet, block), [1, 1, 1, 1], num_classes=10, **options)
    return build


def densenet():
    from torchvision.models import DenseNet
    return DenseNet(8, (2, 2, 2, 2), 16, num_classes=10)


def efficientnet():
    from torchvision.models.efficientnet import EfficientNet, FusedMBConvConfig, MBConvConfig
    blocks = [FusedMBConvConfig(1, 3, 1, 8, 8, 1), MBConvConfig(4, 3, 2, 8, 16, 2), MBConvConfig(6, 5, 2, 16, 24, 1)]
    return EfficientNet(blocks, 0.2, num_classes=10, last_channel=64)


def convnext():
    from torchvision.models.convnext import CNBlockConfig, ConvNeXt
    return ConvNeXt([CNBlockConfig(16, 32, 1), CNBlockConfig(32, 48, 1), CNBlockConfig(48, None, 1)], num_classes=10)


def swin(version):
    def build():
        from torchvision.models import swin_transformer
        options = {} if version == 1 else {"block": swin_transformer.SwinTransformerBlockV2, "downsample_layer": swin_transformer.PatchMergingV2}
        return swin_transformer.SwinTransformer([4, 4], 16, [2, 2], [2, 4], [4, 4], num_classes=10, **options)
    return build


def vit():
    from torchvision.models import VisionTransformer
    return VisionTransformer(32, 8, 2, 2, 16, 32, num_classes=10)


def swin3d():
    from torchvision.models.video.swin_transformer import SwinTransformer3d
    return SwinTransformer3d([2, 4, 4], 12, [2], [2], [4, 4, 4], num_classes=5)


PICTURE, TINY = fed(2, 3, 64, 64), fed(2, 3, 32, 32)
module("resnet", resnet("BasicBlock"), PICTURE, unknown=(0,), core=True)
module("resnext", resnet("Bottleneck", groups=8, width_per_group=4), TINY, unknown=(0,))
module("mobilenet_v2", named("mobilenet_v2", num_classes=10, width_mult=0.35), PICTURE, unknown=(0,))
module("mobilenet_v3_small", named("mobilenet_v3_small", num_classes=10), PICTURE, unknown=(0,))
module("squeezenet", named("squeezenet1_1", num_classes=10), PICTURE, unknown=(0,))
module("shufflenet_v2", named("shufflenet_v2_x0_5", num_classes=10), PICTURE, unknown=(0,))
module("densenet", densenet, PICTURE, unknown=(0,), core=True)
module("efficientnet", efficientnet, PICTURE, unknown=(0,))
module("mnasnet", named("mnasnet0_5", num_classes=10), PICTURE, unknown=(0,))
module("regnet_y", named("regnet_y_400mf", num_classes=10), TINY, unknown=(0,))
module("googlenet", named("googlenet", num_classes=10, init_weights=False, aux_logits=False), TINY)
module("convnext", convnext, PICTURE, unknown=(0,), core=True)
module("swin", swin(1), TINY)
module("swin_v2", swin(2), TINY)
module("vit", vit, TINY, unknown=(0,))
module("swin3d", swin3d, fed(1, 3, 4, 16, 16))
