#!/usr/bin/env python3
"""The recorded programs of PyTorch. Needs numpy only.

    .venv/bin/python tests/pytorch/stored_torch.py [NAME ...]      build/pytorch/shapes.view.pt2 and so on; all without names
"""
import json
import os
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import programs  # noqa: E402

RECORDED = os.path.join(HERE, "recorded")
FOLDER = os.path.normpath(os.path.join(HERE, "..", "..", "build", "pytorch"))
ENDING = ".pt2"


def written(path, entries):
    """A zip as PyTorch writes it: stored, payloads at multiples of 64 bytes, sizes in descriptors behind them."""
    with open(path, "wb") as file:
        directory = b""
        for name, content in entries:
            name, start, crc = name.encode(), file.tell(), zlib.crc32(content)
            fill = -(start + 30 + len(name) + 4) % 64
            file.write(struct.pack("<IHHHHHIIIHH", 0x04034B50, 0, 0x0808, 0, 0, 0, 0, 0, 0, len(name), fill + 4) + name + b"FB" + struct.pack("<H", fill) + b"Z" * fill)
            file.write(content + struct.pack("<IIII", 0x08074B50, crc, len(content), len(content)))
            directory += struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 0, 0, 0x0808, 0, 0, 0, crc, len(content), len(content), len(name), 0, 0, 0, 0, 0, start) + name
        start = file.tell()
        file.write(directory)
        end = file.tell()
        file.write(struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 0, 0, 0, 0, len(entries), len(entries), len(directory), start))
        file.write(struct.pack("<IIQI", 0x07064B50, 0, end, 1))
        file.write(struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, len(entries), len(entries), len(directory), start, 0))


class Case(programs.Case):
    """A program: JSON of its parts, "program", "weights" and "constants". Parameters are its storages, as bytes or drawn."""

    def write(self, path):
        parts, folder = json.loads(self.model), os.path.basename(path).partition(".")[0]
        entries = [(f"data/{name}", array.tobytes()) for name, array in self.parameters.items()]
        for kind in ("weights", "constants"):
            entries.append((f"data/{kind}/model_{kind}_config.json", json.dumps({"config": parts[kind]}).encode()))
        entries.append(("models/model.json", json.dumps(parts["program"]).encode()))
        entries += [("archive_format", b"pt2"), ("archive_version", b"0"), (".data/version", b"6"), ("byteorder", b"little")]
        written(path, [(f"{folder}/{name}", content) for name, content in entries])


def load(path):
    return programs.load(path, Case)


def everything(families=None):
    return programs.everything(RECORDED, Case, families)


if __name__ == "__main__":
    programs.command(sys.argv[1:], RECORDED, Case, FOLDER, ENDING)
