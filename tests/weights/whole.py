"""Converts a model and compresses its weights as people do it in one process: whole.py MODEL int8|int4 FOLDER."""
import os
import sys

import nncf
import openvino

path, kind, folder = sys.argv[1:]
model = openvino.convert_model(path)
if kind == "int8":
    model = nncf.compress_weights(model, mode=nncf.CompressWeightsMode.INT8_ASYM)
else:
    model = nncf.compress_weights(model, mode=nncf.CompressWeightsMode.INT4_ASYM, ratio=1, group_size=128)
os.makedirs(folder, exist_ok=True)
openvino.save_model(model, os.path.join(folder, "model.xml"), compress_to_fp16=False)
