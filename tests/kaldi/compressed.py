"""Kaldi's compressed matrices: CM (a byte each, by percentiles of its column), CM2 (two bytes) and CM3 (a byte)."""
import struct

import numpy as np


class Compressed:
    """`stored`: the bytes of a binary file. `values`: what a reader makes of them."""

    def __init__(self, stored, values):
        self.stored, self.values = stored, values.astype(np.float32)
        self.shape = values.shape


def header(kind, low, span, shape):
    return f"{kind} ".encode() + struct.pack("<2f2i", low, span, *shape)


def by_steps(values, kind, steps, stored):
    low = np.float32(values.min())
    span = np.float32(max(values.max() - low, 1e-5))
    codes = np.clip(np.rint((values - low) / span * steps), 0, steps).astype(stored)
    return Compressed(header(kind, low, span, values.shape) + codes.tobytes(), low + codes.astype(np.float64) * (span / steps))


def two_bytes(values):
    return by_steps(np.asarray(values), "CM2", 65535, "<u2")


def one_byte(values):
    return by_steps(np.asarray(values), "CM3", 255, "u1")


def columns(values):
    """A column's codes up to 64 lie between its smallest value and its first quartile, up to 192 between the quartiles, the others above."""
    values = np.asarray(values)
    low = np.float32(values.min())
    span = np.float32(max(values.max() - low, 1e-5))
    marks = np.rint((np.percentile(values, (0, 25, 75, 100), axis=0) - low) / span * 65535)
    for at in range(1, 4):
        marks[at] = np.maximum(marks[at], marks[at - 1] + 1)
    marks = np.minimum(marks, 65535 - np.arange(3, -1, -1)[:, None]).astype("<u2")
    p0, p25, p75, p100 = low + marks.astype(np.float64) * (span / 65535)
    codes = np.where(values <= p25, np.rint((values - p0) / (p25 - p0) * 64),
                     np.where(values <= p75, 64 + np.rint((values - p25) / (p75 - p25) * 128), 192 + np.rint((values - p75) / (p100 - p75) * 63)))
    codes = np.clip(codes, 0, 255)
    decoded = np.where(codes <= 64, p0 + (p25 - p0) * codes / 64,
                       np.where(codes <= 192, p25 + (p75 - p25) * (codes - 64) / 128, p75 + (p100 - p75) * (codes - 192) / 63))
    return Compressed(header("CM", low, span, values.shape) + marks.T.tobytes() + codes.T.astype("u1").tobytes(), decoded)
