"""What an IR computes, without names and the order of layers: equal for two files with the same operations, connected in the same way."""
import collections
import hashlib
import xml.etree.ElementTree as ElementTree

BODIES = (("body", "port_map"), ("then_body", "then_port_map"), ("else_body", "else_port_map"))


def digest(*parts):
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def of_layers(net, weights):
    """A digest of each layer, by its id; it contains those of all that the layer reads."""
    layers = {layer.get("id"): layer for layer in net.find("layers")}
    sources = {(edge.get("to-layer"), edge.get("to-port")): (edge.get("from-layer"), edge.get("from-port")) for edge in net.find("edges")}
    found = {}

    def of(key):
        if key in found:
            return found[key]
        layer = layers[key]
        data = dict(layer.find("data").attrib) if layer.find("data") is not None else {}
        if layer.get("type") == "Const":
            at = int(data.pop("offset"))
            data["content"] = weights[at:at + int(data["size"])].hex()
        inputs = {}
        for port in layer.iterfind("input/port"):
            source, output = sources[key, port.get("id")]
            inputs[port.get("id")] = (of(source), [one.get("id") for one in layers[source].find("output")].index(output))
        bodies = []
        for name, ports in BODIES:
            if layer.find(name) is not None:
                inner = of_layers(layer.find(name), weights)
                read = {one.get("id") for one in layer.find(name).iterfind("layers/layer[@type='Result']")}
                entries = [dict(entry.attrib) for entry in layer.find(ports)]
                maps = sorted(digest(sorted((entry | {"internal_layer_id": inner[entry["internal_layer_id"]] if entry["internal_layer_id"] in read else "",
                                                      "external_port_id": inputs.get(entry["external_port_id"])}).items())) for entry in entries)
                edges = layer.find("back_edges") if name == "body" else None
                bodies.append((sorted(inner.values()), maps, sorted(inner[edge.get("from-layer")] for edge in edges) if edges is not None else []))
        shapes = [[size.text for size in port] for port in layer.iterfind("output/port")]
        # Loops and Ifs may have their ports in another order.
        read = sorted(inputs.values()) if bodies else list(inputs.values())
        found[key] = digest(layer.get("type"), layer.get("version"), sorted(data.items()), read, bodies, sorted(shapes) if bodies else shapes)
        return found[key]

    # In the order of the file, which has the layers that a layer reads before it.
    return {key: of(key) for key in layers}


def of_file(xml):
    with open(xml[:-len("xml")] + "bin", "rb") as file:
        return collections.Counter(of_layers(ElementTree.parse(xml).getroot(), file.read()).values())


def counts(xml):
    return collections.Counter(layer.get("type") for layer in ElementTree.parse(xml).getroot().iter("layer"))
