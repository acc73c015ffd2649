"""Messages of protobuf, field by field: quick for 100,000 nodes, and wrong where a bomb needs it."""


def varint(value):
    written, value = bytearray(), value & 0xFFFFFFFFFFFFFFFF
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def datas(field, contents):
    return b"".join(data(field, content) for content in contents)


def packed(field, values):
    return data(field, b"".join(map(varint, values)))
