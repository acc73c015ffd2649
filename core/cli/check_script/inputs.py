#!/usr/bin/env python3
"""Runs a model and its IR on the same random inputs, and prints how far their outputs are apart.

Needs numpy, openvino, and the model's own runtime: onnxruntime (for cut models and changed shapes onnx, too), tensorflow,
ai-edge-litert (or tensorflow) for TensorFlow Lite, opencv-python for Caffe, whose layers it reads in part, paddlepaddle for PaddlePaddle, mxnet, or torch. Outputs that were
computed elsewhere are compared by --expected; those of Kaldi always are, frame by frame: its programs write them.
Exit code 0: all outputs agree. 1: some do not. 2: they cannot be compared.
"""
import argparse
import contextlib
import json
import os
import re
import sys

import numpy as np

FACTS = json.loads(r'''FACTS_JSON''')
MODEL = json.loads(r'''MODEL_JSON''')
HERE = os.path.dirname(os.path.abspath(__file__))
OPTIONS, INPUTS, OUTPUTS, FROZEN = (FACTS[key] for key in ("options", "inputs", "outputs", "frozen"))
# Weights of 8 and 4 bits round: what that does to outputs depends on the model. --float-ir shows how much of the error is theirs.
TOLERANCES = {"int8": 0.1, "int4": 0.5}
TOLERANCE = TOLERANCES.get(OPTIONS.get("weight_format"), 2e-2 if "compress_to_fp16" in OPTIONS else 1e-3)
TOLERANCE_OF_INTEGERS = 0.1  # each layer rounds, and an IR rounds elsewhere


class NotComparable(Exception):
    pass


def arguments(add_more):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", help="the model that was converted; by default %s" % (json.dumps(MODEL).replace("%", "%%") if MODEL else "none"))
    parser.add_argument("--ir", default=os.path.join(HERE, FACTS["name"] + ".xml"), help="the .xml; by default the one beside this script")
    parser.add_argument("--float-ir", metavar="FILE.xml", help="the IR without --weight_format, to be compared with, too")
    parser.add_argument("--shape", action="append", default=[], metavar="NAME=1,3,224,224", help="the shape of an input in the model, for inputs of dynamic shape")
    parser.add_argument("--data", action="append", default=[], metavar="NAME=FILE.npy", help="numbers for an input, before mean and scale values, in the layout of the model; of Kaldi a text archive, too")
    parser.add_argument("--expected", metavar="FILE.npz", help="arrays by names of outputs, in the layout of the model, in place of a run of the model; --data gives their inputs. Of Kaldi a text archive, too")
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers")
    parser.add_argument("--tolerance", type=float, help="the largest error that is accepted, relative to the largest number of the output; by default "
                        "%g, and %g for models of TensorFlow Lite that compute in integers" % (TOLERANCE, TOLERANCE_OF_INTEGERS))
    add_more(parser)
    return parser.parse_args()


def folders_above(folder):
    """`folder`, the one that it is in, and so on."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def model_path(given):
    """The path of the conversion begins in another folder, perhaps of another machine. Mostly the IR is in that folder, or below it."""
    if given:
        choices = [given]
    elif MODEL:
        choices = [MODEL, *(os.path.join(folder, MODEL) for folder in folders_above(HERE)), os.path.join(HERE, os.path.basename(MODEL.rstrip("/\\")))]
    else:
        choices = []
    for path in choices:
        if os.path.exists(path):
            return path
    raise NotComparable("%s is not there: give the path of the model as argument" % choices[0] if choices else "give the path of the model as argument")


def by_name(items, what):
    """The texts behind NAME=, by the position of the input."""
    out = {}
    for item in items:
        name, _, text = item.rpartition("=")
        found = [i for i, one in enumerate(INPUTS) if name == one["name"] or name in one["names"]]
        if not found:
            raise NotComparable("--%s %s: the inputs are %s" % (what, item, ", ".join(one["name"] for one in INPUTS)))
        out[found[0]] = text
    return out


def size_of(text, axis, rank):
    """A size for a dimension: as it is, else 1 for the batch and something small for the others, within the range."""
    if text.isdigit():
        return int(text)
    low, _, high = text.partition("..")
    size = 1 if axis == 0 else 64 if rank > 3 else 8
    size = max(size, int(low)) if low.isdigit() else size
    return min(size, int(high)) if high.isdigit() else size


def sizes_of(one):
    """The sizes of the input in the model, as texts."""
    sizes = [size.strip() for size in one["shape"].split(",")] if one["shape"] else []
    return [sizes[one["order"].index(axis)] for axis in range(len(sizes))] if one["order"] else sizes


def shape_of(one, given):
    try:
        if given is not None:
            return [int(size) for size in given.strip("[]").split(",") if size.strip()]
        if one["shape"] == "...":
            raise ValueError("its rank is not known: give --shape")
        sizes = sizes_of(one)
        return [size_of(size, axis, len(sizes)) for axis, size in enumerate(sizes)]
    except ValueError as error:
        raise NotComparable("input %s: %s" % (one["name"], error)) from None


def random_input(one, shape, random, quantised):
    """Numbers that every type holds exactly. Integers may be indices or masks: only 0 and 1 fit both. Where they mean real numbers, `quantised` is their type, and all fit.
    It is float32 where the model rounds real numbers: it has been quantised for those of a range, which is mostly that of pictures, -1 to 1."""
    if one["type"] == "string":
        raise NotComparable("input %s has texts" % one["name"])
    if quantised is not None and quantised is not np.float32:
        return random.integers(np.iinfo(quantised).min, np.iinfo(quantised).max + 1, shape)
    if one["type"][0] not in "fb" or one["type"] == "boolean":
        return random.integers(0, 2, shape)
    image = one["mean"] or one["scale"] or "usual_mean" in one
    numbers = random.integers(0, 256, shape) if image else random.uniform(-1, 1, shape) if quantised else random.standard_normal(shape)
    if "usual_mean" in one:  # what stands beside the model prepares pictures so
        numbers = (numbers - per_channel(one, "usual_mean", len(shape))) / per_channel(one, "usual_scale", len(shape))
    return numbers.astype(np.float16).astype(np.float32)


def per_channel(one, key, rank):
    numbers = np.array([float(text) for text in one[key].split(",") if text], np.float32)
    if numbers.size == 1:
        return numbers[0]
    return numbers.reshape([-1 if axis == one["channels"] else 1 for axis in range(rank)])


def for_model(one, array):
    """What the IR does to its input before the model begins."""
    if one["reverse"] and "channels" in one and (sizes_of(one)[one["channels"]] == "3" or not sizes_of(one)[one["channels"]].isdigit()):
        array = np.flip(array, one["channels"])
    if one["mean"]:
        array = array - per_channel(one, "mean", array.ndim)
    if one["scale"]:
        array = array / per_channel(one, "scale", array.ndim)
    return array


def inputs(args, quantised):
    """For each input of the IR: what the model gets, and what the IR gets. `quantised` gives what random_input() needs to know of one."""
    random = np.random.default_rng(args.seed)
    shapes, files = by_name(args.shape, "shape"), by_name(args.data, "data")
    out = []
    for i, one in enumerate(INPUTS):
        array = np.load(files[i]) if i in files else random_input(one, shape_of(one, shapes.get(i)), random, quantised(one))
        out.append((for_model(one, array), array.transpose(one["order"]) if one["order"] else array))
    return out


def frozen_value(one, dtype, shape):
    texts, kind = [text.strip() for text in one["elements"]], np.dtype(dtype).kind
    if kind == "O":
        array = np.array([text[1:-1] for text in texts], object)  # they are in quotes
    else:
        words = {"true": 1, "false": 0}
        array = np.array([words.get(text.lower()) if text.lower() in words else int(text) if text.lstrip("+-").isdigit() else float(text) for text in texts]).astype(dtype)
    if shape is not None and np.prod(shape, dtype=np.int64) == array.size:
        return array.reshape(shape)
    return array if one["list"] else array[0]


