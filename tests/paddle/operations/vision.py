"""Networks of paddle.vision, with drawn weights. The widest are narrower, and those with large layers at their end have small ones."""
from paddle import nn
from paddle.vision import models
from paddle.vision.models.resnet import BottleneckBlock

from models import Family
from values import fed

family = Family(__name__)
CLASSES = {"num_classes": 10}


def features(network, channels):
    """The part before large linear layers, and a small one."""
    return nn.Sequential(network, nn.AdaptiveAvgPool2D(2), nn.Flatten(), nn.Linear(channels * 4, 10))


# Builder, side of the picture.
NETWORKS = {
    "LeNet": (lambda: models.LeNet(), 28),
    "AlexNet": (lambda: features(models.AlexNet(num_classes=0), 256), 96),
    "VGG11": (lambda: features(models.vgg11(num_classes=0, with_pool=False), 512), 64),
    "VGG11_bn": (lambda: features(models.vgg11(batch_norm=True, num_classes=0, with_pool=False), 512), 64),
    "ResNet18": (lambda: models.resnet18(**CLASSES), 64),
    "ResNet50": (lambda: models.resnet50(**CLASSES), 64),
    "ResNeXt50": (lambda: models.ResNet(BottleneckBlock, 50, width=4, groups=16, **CLASSES), 64),
    "WideResNet50": (lambda: models.ResNet(BottleneckBlock, 50, width=32, **CLASSES), 64),
    "MobileNetV1": (lambda: models.mobilenet_v1(scale=0.5, **CLASSES), 64),
    "MobileNetV2": (lambda: models.mobilenet_v2(scale=0.5, **CLASSES), 64),
    "MobileNetV3Small": (lambda: models.mobilenet_v3_small(**CLASSES), 64),
    "MobileNetV3Large": (lambda: models.mobilenet_v3_large(scale=0.5, **CLASSES), 64),
    "SqueezeNet1_0": (lambda: models.squeezenet1_0(**CLASSES), 64),
    "SqueezeNet1_1": (lambda: models.squeezenet1_1(**CLASSES), 64),
    "DenseNet121": (lambda: models.densenet121(**CLASSES), 64),
    "GoogLeNet": (lambda: models.googlenet(**CLASSES), 224),
    "InceptionV3": (lambda: models.inception_v3(**CLASSES), 96),
    "ShuffleNetV2": (lambda: models.shufflenet_v2_x0_5(**CLASSES), 64),
    "ShuffleNetV2_swish": (lambda: models.shufflenet_v2_swish(**CLASSES), 64),
}

for name, (make, side) in NETWORKS.items():
    @family.graph(name, picture=True)
    def network(b, make=make, side=side):
        x = b.fed("x", fed(1, 1 if side == 28 else 3, side, side))
        found = make()(x)
        return list(found) if isinstance(found, (list, tuple)) else [found]


@family.graph("ResNet18_any_size", unknown=(0, 2, 3), picture=True)
def any_size(b):
    return [models.resnet18(num_classes=10)(b.fed("x", fed(1, 3, 64, 96)))]


@family.graph("MobileNetV3Small_any_size", unknown=(0, 2, 3), picture=True)
def any_size_mobile(b):
    return [models.mobilenet_v3_small(scale=0.5, num_classes=10)(b.fed("x", fed(1, 3, 64, 96)))]


def traced(make):
    return lambda: make()


for name in ("ResNet18", "MobileNetV2", "ShuffleNetV2"):
    family.traced(name + "_traced", (0,), {"picture": True}, x=fed(1, 3, 64, 64))(traced(NETWORKS[name][0]))
