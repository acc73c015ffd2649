"""Networks of Gluon's model zoo, with drawn weights."""
from models import Family
from values import fed

family = Family(__name__, picture=True)

SIZES = {"alexnet": 64, "densenet121": 224, "inceptionv3": 299, "mobilenet0.25": 64, "mobilenet1.0": 64, "mobilenetv2_0.25": 64, "mobilenetv2_1.0": 64, "resnet18_v1": 64, "resnet50_v1": 64, "resnet152_v1": 64,
         "resnet18_v2": 64, "resnet50_v2": 64, "squeezenet1.0": 224, "squeezenet1.1": 224, "vgg11": 32, "vgg11_bn": 32}
for name, size in SIZES.items():
    @family.gluon(name.replace(".", "_"), data=fed(1, 3, size, size))
    def network(name=name):
        from mxnet.gluon.model_zoo import vision
        return vision.get_model(name, classes=40)
