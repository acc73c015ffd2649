#!/usr/bin/env python3
"""The recorded programs of PyTorch. Needs numpy only.

    .venv/bin/python tests/pytorch/stored_torch.py [NAME ...]      build/pytorch/shapes.view.pt2 and so on; all without names
"""
import json
import os
import re
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "recorded")]
import pickled  # noqa: E402
import programs  # noqa: E402

RECORDED = os.path.join(HERE, "recorded")
FOLDER = os.path.normpath(os.path.join(HERE, "..", "..", "build", "pytorch"))
ENDING = ".pt2"


def zipped(entries):
    """A zip as PyTorch writes it: stored, payloads at multiples of 64 bytes, sizes in descriptors behind them."""
    file, directory = bytearray(), b""
    for name, content in entries:
        name, start, crc = name.encode(), len(file), zlib.crc32(content)
        fill = -(start + 30 + len(name) + 4) % 64
        file += struct.pack("<IHHHHHIIIHH", 0x04034B50, 0, 0x0808, 0, 0, 0, 0, 0, 0, len(name), fill + 4) + name + b"FB" + struct.pack("<H", fill) + b"Z" * fill
        file += content + struct.pack("<IIII", 0x08074B50, crc, len(content), len(content))
        directory += struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 0, 0, 0x0808, 0, 0, 0, crc, len(content), len(content), len(name), 0, 0, 0, 0, 0, start) + name
    start, end = len(file), len(file) + len(directory)
    file += directory + struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 0, 0, 0, 0, len(entries), len(entries), len(directory), start)
    file += struct.pack("<IIQI", 0x07064B50, 0, end, 1) + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, len(entries), len(entries), len(directory), start, 0)
    return bytes(file)


class Case(programs.Case):
    """A program: JSON of its parts, "program", "weights" and "constants". Parameters are its storages, as bytes or drawn."""

    def entries(self, form="2.9"):
        """The files of the archive, as PyTorch 2.9, 2.8 or 2.6 lays them out."""
        parts = json.loads(self.model)
        program, entries = json.dumps(parts["program"]).encode(), []
        if form == "2.9":
            entries += [(f"data/{name}", array.tobytes()) for name, array in self.parameters.items()]
        for kind, flat in (("weights", "state_dict"), ("constants", "constants")):
            if form == "2.9":
                entries.append((f"data/{kind}/model_{kind}_config.json", json.dumps({"config": parts[kind]}).encode()))
                continue
            storages = {name.partition("/")[2]: array.tobytes() for name, array in self.parameters.items() if name.startswith(kind + "/")}
            entries.append((f"data/{kind}/model.pt" if form == "2.8" else f"serialized_{flat}.pt", pickled.saved(parts[kind], storages, zipped)))
        if form == "2.6":
            return [("serialized_exported_program.json", program), *entries, ("version", b"8.2")]
        examples = [("data/sample_inputs/model.pt", b"")]  # what PyTorch writes for none
        return entries + examples + [("models/model.json", program), ("archive_format", b"pt2"), ("archive_version", b"0"), (".data/version", b"6"), ("byteorder", b"little")]

    def write(self, path, form="2.9"):
        folder = "" if form == "2.6" else os.path.basename(path).partition(".")[0] + "/"
        with open(path, "wb") as file:
            file.write(zipped([(folder + name, content) for name, content in self.entries(form)]))


def together(cases):
    """The files of one archive of several programs, by their names, as package_pt2 lays them out: the numbers of storages go on."""
    out, number = {}, re.compile(r"(weight_|tensor_)(\d+)$")
    for first, (model, case) in enumerate(cases.items()):
        def numbered(path, first=first):
            return number.sub(lambda found: f"{found[1]}{int(found[2]) + 1000 * first}", path)
        for path, content in case.entries():
            if path.endswith("s_config.json"):
                value = json.loads(content)
                for weight in value["config"].values():
                    weight["path_name"] = numbered(weight["path_name"])
                content = json.dumps(value).encode()
            out[numbered(path).replace("/model_", f"/{model}_").replace("models/model.", f"models/{model}.")] = content
    return list(out.items())


def load(path):
    return programs.load(path, Case)


def everything(families=None):
    return programs.everything(RECORDED, Case, families)


if __name__ == "__main__":
    programs.command(sys.argv[1:], RECORDED, Case, FOLDER, ENDING)
