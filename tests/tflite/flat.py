"""Writes FlatBuffers field by field, so that each can be wrong. Needs no library.

A value is written behind the table or vector that refers to it. A table is a dict of fields by id; "vtable" in it is the size that its vtable
claims, "field" an id and the place that its vtable claims for it.
"""
import struct


class Scalar:
    def __init__(self, layout, value):
        self.content = struct.pack("<" + layout, value)


class Reference:
    """A value that is written elsewhere. `write` gives its bytes, (place in them, value) for each value that they refer to, and the
    place in them to which references lead."""

    def __init__(self, write):
        self.write = write


def byte(value):
    return Scalar("b", value)


def word(value):
    return Scalar("i", value)


def long(value):
    return Scalar("Q", value)


def numbers(layout, values):
    return Reference(lambda: (struct.pack("<I", len(values)) + struct.pack(f"<{len(values)}{layout}", *values), [], 0))


def ints(*values):
    return numbers("i", values)


def longs(*values):
    return numbers("q", values)


def floats(*values):
    return numbers("f", values)


def data(content):
    return Reference(lambda: (struct.pack("<I", len(content)) + content, [], 0))


def text(value):
    return Reference(lambda: (struct.pack("<I", len(value.encode())) + value.encode() + b"\0", [], 0))


def claiming(count):
    """A vector that says it is longer than the file."""
    return Reference(lambda: (struct.pack("<I", count) + bytes(16), [], 0))


def vector(*values):
    return Reference(lambda: (struct.pack("<I", len(values)) + bytes(4 * len(values)), [(4 + 4 * at, value) for at, value in enumerate(values)], 0))


def table(fields):
    def write():
        fields_by_id = {number: value for number, value in fields.items() if isinstance(number, int)}
        places, body, later = {}, bytearray(4), []
        for number, value in sorted(fields_by_id.items(), key=lambda entry: -len(getattr(entry[1], "content", b"refe"))):
            content = getattr(value, "content", bytes(4))
            body += bytes(-len(body) % len(content))
            places[number] = len(body)
            if isinstance(value, Reference):
                later.append((len(body), value))
            body += content
        count = max(places, default=-1) + 1
        if "field" in fields:
            places[fields["field"][0]] = fields["field"][1]
        vtable = struct.pack("<HH", fields.get("vtable", 4 + 2 * count), len(body)) + b"".join(struct.pack("<H", places.get(number, 0)) for number in range(count))
        vtable += bytes(-len(vtable) % 8)
        body[:4] = struct.pack("<i", len(vtable))
        return vtable + bytes(body), [(len(vtable) + at, value) for at, value in later], len(vtable)
    return Reference(write)


def written(root, identifier):
    """The file. References are offsets forward, so a value comes behind the references to it."""
    content = bytearray(4) + identifier
    waiting = [(0, root)]
    while waiting:
        place, value = waiting.pop(0)
        content += bytes(-len(content) % 8)
        part, later, begin = value.write()
        start = len(content)
        struct.pack_into("<I", content, place, start + begin - place)
        content += part
        waiting += [(start + at, other) for at, other in later]
    return bytes(content)
