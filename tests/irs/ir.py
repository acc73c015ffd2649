"""An .xml of an IR and its .bin, to be damaged."""
import os
import xml.etree.ElementTree as ET


class Ir:
    def __init__(self, path):
        self.root = ET.parse(path).getroot()
        self.binary = path.with_suffix(".bin")
        self.bin = self.whole = self.binary.read_bytes() if self.binary.exists() else None

    def layers(self, inside=None):
        return (inside if inside is not None else self.root).find("layers")

    def layer(self, name, inside=None):
        """The first one with that name or type."""
        return next(l for l in self.layers(inside) if name in (l.get("name"), l.get("type")))

    def edges(self, inside=None):
        return (inside if inside is not None else self.root).find("edges")

    def edge_to(self, name, port="0"):
        id = self.layer(name).get("id")
        return next(e for e in self.edges() if e.get("to-layer") == id and e.get("to-port") == port)

    def readers(self, layer, port, inside=None):
        """The input ports that read an output."""
        by_id = {l.get("id"): l for l in self.layers(inside)}
        for edge in self.edges(inside):
            if edge.get("from-layer") == layer.get("id") and edge.get("from-port") == port.get("id"):
                yield next(p for p in by_id[edge.get("to-layer")].find("input") if p.get("id") == edge.get("to-port"))

    def write(self, path):
        ET.ElementTree(self.root).write(path)
        if self.bin is self.whole and self.bin:
            os.symlink(os.path.abspath(self.binary), path.with_suffix(".bin"))  # nobody writes to it
        elif self.bin is not None:
            path.with_suffix(".bin").write_bytes(self.bin)


def dims_of(port):
    return [int(dim.text) for dim in port.findall("dim")]


def set_port(port, precision=None, dims=None):
    if precision is not None:
        port.set("precision", precision)
    if dims is not None:
        for dim in port.findall("dim"):
            port.remove(dim)
        for value in dims:
            ET.SubElement(port, "dim").text = str(value)


def set_tensor(ir, layer, index=0, inside=None, **values):
    """Of the output of a layer, and of what reads it."""
    port = layer.find("output")[index]
    for one in [port, *ir.readers(layer, port, inside)]:
        set_port(one, **values)
