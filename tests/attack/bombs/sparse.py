"""Arrays of MXNet of which few rows are stored, in no order."""
import json
import os
import struct

from . import save


def rows_in_no_order(folder, n):
    """Two of n rows."""
    sizes = [struct.pack("<I2q", 2, 2, 3), struct.pack("<I2q", 2, n, 3)]  # of what is stored, and of the array
    head = struct.pack("<Ii", 0xF993FAC9, 1) + b"".join(sizes) + struct.pack("<iii", 1, 0, 0) + struct.pack("<i", 6) + struct.pack("<Iq", 1, 2)
    record = head + struct.pack("<6f", *range(6)) + struct.pack("<2q", n - 2, 1)
    name = b"arg:w"
    with open(os.path.join(folder, "m-0000.params"), "wb") as file:
        file.write(struct.pack("<QQQ", 0x112, 0, 1) + record + struct.pack("<QQ", 1, len(name)) + name)
    nodes = [{"op": "null", "name": "x", "attrs": {"__shape__": "(2, 3)"}, "inputs": []}, {"op": "null", "name": "w", "inputs": []},
             {"op": "FullyConnected", "name": "y", "attrs": {"num_hidden": str(n), "no_bias": "True"}, "inputs": [[0, 0, 0], [1, 0, 0]]}]
    text = json.dumps({"nodes": nodes, "arg_nodes": [0, 1], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})
    return save(folder, text.encode(), name="m-symbol.json")


CASES = [(rows_in_no_order, 1_000_000, 4_000_000)]
