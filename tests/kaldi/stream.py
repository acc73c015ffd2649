"""Kaldi's tokens, numbers, vectors and matrices as its Write() functions put them, binary and text; and the binary ones read back."""
import struct

import numpy as np

from kaldi import compressed


class Double(np.ndarray):
    """A matrix or vector that is stored in doubles, as a Kaldi of double precision does."""


def double(array):
    return np.asarray(array, np.float64).view(Double)


class Writer:
    def __init__(self, binary):
        self.binary = binary
        self.parts = []

    def bytes(self):
        head = b"\0B" if self.binary else b""
        return head + b"".join(self.parts)

    def put(self, data):
        self.parts.append(data if isinstance(data, bytes) else data.encode())

    def line(self):
        """A line break that only text has."""
        if not self.binary:
            self.put("\n")

    def token(self, text):
        self.put(text + " ")

    def int(self, value):
        self.put(b"\4" + struct.pack("<i", value) if self.binary else f"{value} ")

    def float(self, value):
        self.put(b"\4" + struct.pack("<f", value) if self.binary else f"{value:.7g} ")

    def double(self, value):
        self.put(b"\x08" + struct.pack("<d", value) if self.binary else f"{value:.7g} ")

    def bool(self, value):
        self.put(("T" if value else "F") + ("" if self.binary else " "))

    def ints(self, values):
        if self.binary:
            self.put(b"\4" + struct.pack(f"<i{len(values)}i", len(values), *values))
        else:
            self.put("[ " + "".join(f"{value} " for value in values) + "]\n")

    def pairs(self, values):
        if self.binary:
            self.put(b"\4" + struct.pack("<i", len(values)) + b"".join(struct.pack("<2i", *pair) for pair in values))
        else:
            self.put("[ " + "".join(f"{first},{second} " for first, second in values) + "]\n")

    def vector(self, values):
        stored = np.float64 if isinstance(values, Double) else np.float32
        if self.binary:
            self.put(("DV " if stored is np.float64 else "FV ").encode() + b"\4" + struct.pack("<i", len(values)) + np.asarray(values, stored).tobytes())
        else:
            self.put(" [ " + "".join(f"{value:.7g} " for value in np.asarray(values)) + "]\n")

    def matrix(self, values):
        if isinstance(values, compressed.Compressed):
            if self.binary:
                self.put(values.stored)
                return
            values = values.values
        stored = np.float64 if isinstance(values, Double) else np.float32
        values = np.asarray(values, stored)
        if self.binary:
            rows, columns = values.shape
            self.put(("DM " if stored is np.float64 else "FM ").encode() + b"\4" + struct.pack("<i", rows) + b"\4" + struct.pack("<i", columns) + values.tobytes())
        elif not values.size:
            self.put(" [ ]\n")
        else:
            self.put(" [" + "".join("\n  " + "".join(f"{value:.7g} " for value in row) for row in values) + "]\n")

    # Statistics are in doubles whatever Kaldi was built with.
    def doubles(self, values):
        self.vector(double(values))

    def double_matrix(self, values):
        self.matrix(double(values))


class Reader:
    """Of binary files only: for the files that Kaldi wrote."""

    def __init__(self, data):
        assert data[:2] == b"\0B"
        self.data, self.at = data, 2

    def take(self, size):
        self.at += size
        assert self.at <= len(self.data)
        return self.data[self.at - size:self.at]

    def unpack(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def token(self):
        while self.data[self.at:self.at + 1].isspace():
            self.at += 1
        end = self.data.index(b" ", self.at)
        text = self.data[self.at:end].decode()
        self.at = end + 1
        return text

    def peek(self):
        before = self.at
        text = self.token()
        self.at = before
        return text

    def line(self):
        end = self.data.index(b"\n", self.at)
        text = self.data[self.at:end].decode()
        self.at = end + 1
        return text

    def int(self):
        size, value = self.unpack("bi")
        assert size == 4
        return value

    def float(self):
        size, = self.unpack("b")
        return self.unpack("f" if size == 4 else "d")[0]

    double = float

    def bool(self):
        return {b"T": True, b"F": False}[self.take(1)]

    def ints(self):
        size, count = self.unpack("bi")
        assert size == 4
        return [*self.unpack(f"{count}i")]

    def pairs(self):
        size, count = self.unpack("bi")
        assert size == 4
        flat = self.unpack(f"{2 * count}i")
        return [*zip(flat[::2], flat[1::2])]

    def vector(self):
        stored = {"FV": np.float32, "DV": np.float64}[self.token()]
        values = np.frombuffer(self.take(self.int() * np.dtype(stored).itemsize), stored)
        return values.view(Double) if stored is np.float64 else values

    doubles = vector

    def matrix(self):
        stored = {"FM": np.float32, "DM": np.float64}[self.token()]
        rows, columns = self.int(), self.int()
        values = np.frombuffer(self.take(rows * columns * np.dtype(stored).itemsize), stored).reshape(rows, columns)
        return values.view(Double) if stored is np.float64 else values

    double_matrix = matrix
