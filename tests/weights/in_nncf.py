"""in_nncf.py JSON: compresses IRs by NNCF in its environment, .venv-nncf.

JSON is a list of [IR, mode, options]. Prints JSON: for each of them the constants that were added or changed, {name: [type, shape, the
first half of the SHA-256 of the bytes]}, and the named operations {name: type}; or the text of an error.
"""
import hashlib
import json
import logging
import sys

import nncf
import numpy as np
import openvino as ov

nncf.set_log_level(logging.ERROR) if hasattr(nncf, "set_log_level") else None


def bytes_of(node):
    element, data = node.get_element_type(), node.data
    if element in (ov.Type.u4, ov.Type.i4):
        # The packed bytes of a constant of less than a byte are its tensor's.
        values = np.asarray(data).reshape(-1)
        size = (int(np.prod(node.get_output_shape(0))) + 1) // 2
        if values.dtype.itemsize == 1 and values.size == size:
            return values.view(np.uint8).tobytes()
        raise RuntimeError(f"{node}: {values.dtype} {values.shape}")
    return np.ascontiguousarray(data).tobytes()


def constants(model):
    found = {}
    for op in model.get_ops():
        if op.get_type_name() == "Constant":
            found[op.get_friendly_name()] = [op.get_element_type().get_type_name(), list(op.get_output_shape(0)), hashlib.sha256(bytes_of(op)).hexdigest()[:32]]
    return found


def compress(xml, mode, options):
    mode = mode.split("_")
    model = ov.Core().read_model(xml)
    before = constants(model)
    names = {op.get_friendly_name() for op in model.get_ops()}
    options = dict(options)
    fallback = options.pop("fallback", "adjust")
    if mode[0] == "int4":
        options["advanced_parameters"] = nncf.AdvancedCompressionParameters(group_size_fallback_mode=nncf.GroupSizeFallbackMode(fallback))
    if "backup_mode" in options:
        options["backup_mode"] = nncf.BackupMode(options["backup_mode"])
    small = nncf.compress_weights(model, mode=nncf.CompressWeightsMode("_".join(mode[:2])), **options)
    after = {name: what for name, what in constants(small).items() if before.get(name) != what and not name.startswith("Constant_")}
    made = {op.get_friendly_name(): op.get_type_name() for op in small.get_ops()}
    automatic = ("Constant_", "Convert_", "Reshape_", "Constant")
    return {"constants": after, "operations": {name: kind for name, kind in made.items() if name not in names and kind != "Constant" and not name.startswith(automatic)}}


def main():
    answers = []
    for xml, mode, options in json.load(open(sys.argv[1], encoding="utf-8")):
        try:
            answers.append(compress(xml, mode, options))
        except Exception as error:  # NNCF's words are the answer
            answers.append(str(error))
    json.dump(answers, open(sys.argv[2], "w", encoding="utf-8"))


if __name__ == "__main__":
    main()
