"""Writes VGG16 with random weights, 553 MB, without computing it: build/models/caffe_vgg16.prototxt and .caffemodel.

    .venv/bin/python tests/caffe/vgg16.py
"""
import os

import numpy as np

import wire
from net import text_of

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "build", "models")
BLOCKS = ((2, 64), (2, 128), (3, 256), (3, 512), (3, 512))


class Vgg16:
    def __init__(self):
        self.random = np.random.default_rng(16)
        self.lines, self.layers = ['name: "VGG16"', text_of("layer", {"name": "data", "type": "Input", "top": "data", "input_param": {"shape": {"dim": [1, 3, 224, 224]}}})], []

    def layer(self, name, kind, bottom, weights=None, **params):
        top = bottom if kind in ("ReLU", "Dropout") else name
        self.lines.append(text_of("layer", {"name": name, "type": kind, "bottom": bottom, "top": top, **params}))
        if weights:
            drawn = self.random.standard_normal(weights, np.float32) / np.float32(np.sqrt(np.prod(weights[1:])))
            self.layers.append((name, kind, [drawn, np.zeros(weights[0], np.float32)]))
        return top

    def describe(self):
        x, channels = "data", 3
        for block, (count, outputs) in enumerate(BLOCKS, 1):
            for at in range(1, count + 1):
                x = self.layer(f"conv{block}_{at}", "Convolution", x, (outputs, channels, 3, 3), convolution_param={"num_output": outputs, "pad": 1, "kernel_size": 3})
                x = self.layer(f"relu{block}_{at}", "ReLU", x)
                channels = outputs
            x = self.layer(f"pool{block}", "Pooling", x, pooling_param={"pool": "MAX", "kernel_size": 2, "stride": 2})
        for at, (inner, outputs) in enumerate(((25088, 4096), (4096, 4096), (4096, 1000)), 6):
            x = self.layer(f"fc{at}", "InnerProduct", x, (outputs, inner), inner_product_param={"num_output": outputs})
            if at < 8:
                x = self.layer(f"drop{at}", "Dropout", self.layer(f"relu{at}", "ReLU", x))
        self.layer("prob", "Softmax", x)

    def write(self, path):
        self.describe()
        with open(path + ".prototxt", "w", encoding="utf-8") as file:
            file.write("\n".join(self.lines) + "\n")
        with open(path + ".caffemodel", "wb") as file:
            file.write(wire.network(self.layers, "VGG16", 2, "shape"))


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    Vgg16().write(os.path.join(FOLDER, "caffe_vgg16"))
