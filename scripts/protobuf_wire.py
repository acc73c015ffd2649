"""Protobuf's wire format, for the generators of the build, which have Python but no packages, and for tests that write byte for byte."""


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def written(value):
    """The bytes of a number; one below 0 has 64 bits."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(message):
    """(number, value, the field's bytes) for each field: a number, bytes, or None for fixed sizes."""
    at = 0
    while at < len(message):
        start = at
        tag, at = varint(message, at)
        value = None
        if tag & 7 == 0:
            value, at = varint(message, at)
        elif tag & 7 == 2:
            size, at = varint(message, at)
            value = message[at : at + size]
            at += size
        else:
            at += {1: 8, 5: 4}[tag & 7]
        yield tag >> 3, value, message[start:at]
