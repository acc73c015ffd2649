"""Writes the networks of the tests, and each form of blobs and of versions, each in a folder of its own: write.py FOLDER."""
import os
import sys

import architectures
import net as caffe
import networks


def small(version):
    net = caffe.Net(seed=5)
    net.version = version
    x = net.input("data", (1, 3, 8, 8), form="input_dim")
    x = net.layer("Convolution", x, name="first", param={"num_output": 4, "kernel_size": 3})
    net.layer("InnerProduct", net.layer("ReLU", x), "fc", name="last", param={"num_output": 5})
    return net


def write(folder, name, net, **more):
    os.makedirs(os.path.join(folder, name))
    net.write(os.path.join(folder, name), **more)


def main(folder):
    for name, make in {**networks.NETWORKS, **architectures.ARCHITECTURES}.items():
        net = caffe.Net(seed=7)
        make(net)
        write(folder, name, net)
    for name, *case in networks.LAYERS:
        net = caffe.Net(seed=3)
        networks.fill_layer(net, *case)
        write(folder, f"layer_{name}", net)
    for form in ("legacy", "both", "double", "raw", "half", "unpacked", "pieces", "flat"):
        write(folder, f"form_{form}", small(2), form=form)
    write(folder, "version_1", small(1), form="legacy")
    net = small(0)
    net.lines = [net.lines[0], 'layers { layer { name: "first" type: "conv" num_output: 4 kernelsize: 3 } bottom: "data" top: "c" }',
                 'layers { layer { name: "last" type: "innerproduct" num_output: 5 } bottom: "c" top: "fc" }']
    write(folder, "version_0", net, form="legacy")


main(sys.argv[1])
