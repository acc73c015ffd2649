"""The table format of checkpoints: sorted keys and values in blocks. Read, written, and mended where a test damages it."""
import struct

FOOTER, MAGIC = 48, 0xDB4775248B80FB57


def _table():
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        yield byte


TABLE = tuple(_table())


def masked_crc32c(content):
    """CRC-32C in the masked form, which is stored beside the content."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(value):
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    return bytes(written) + bytes([value])


def read_varint(content, at):
    """The number and where it ends; ValueError if it has no end."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(content):
            break
        value |= (content[at] & 127) << shift
        at += 1
        if content[at - 1] < 128:
            return value, at
    raise ValueError("a number passes the end")


def sealed_block(content, kind=0):
    """A block and its trailer. `kind` is 1 for a compressed one."""
    content += bytes([kind])
    return content + struct.pack("<I", masked_crc32c(content))


def block(entries, kind=0):
    content = b"".join(varint(0) + varint(len(key)) + varint(len(value)) + key + value for key, value in entries)
    return sealed_block(content + struct.pack("<II", 0, 1), kind)


def table(blocks, last_key=b"\xff"):
    """A table of one sealed block, with its index."""
    def handle(offset, size):
        return varint(offset) + varint(size - 5)

    nothing = block([])
    index = block([(last_key, handle(0, len(blocks)))])
    footer = handle(len(blocks), len(nothing)) + handle(len(blocks) + len(nothing), len(index))
    return blocks + nothing + index + footer.ljust(FOOTER - 8, b"\0") + struct.pack("<Q", MAGIC)


def _entries(content, offset, size):
    """(key, value, where the value begins) for each entry of a block."""
    restarts, = struct.unpack_from("<I", content, offset + size - 4)
    at, end, key = offset, offset + size - 4 - 4 * restarts, b""
    while at < end:
        shared, at = read_varint(content, at)
        own, at = read_varint(content, at)
        length, at = read_varint(content, at)
        key = key[:shared] + bytes(content[at:at + own])
        yield key, bytes(content[at + own:at + own + length]), at + own
        at += own + length


def _handle(written, at, file_size):
    offset, at = read_varint(written, at)
    size, at = read_varint(written, at)
    if offset + size + 5 > file_size or size < 4:
        raise ValueError("a block outside the file")
    return (offset, size), at


def blocks(content):
    """(offset, size) of each block with entries, the index last, as far as the file leads to them."""
    found = []
    try:
        _, at = _handle(content, len(content) - FOOTER, len(content))
        found.append(_handle(content, at, len(content))[0])
        for _, value, _ in _entries(content, *found[0]):
            found.insert(-1, _handle(value, 0, len(content))[0])
    except (ValueError, IndexError, struct.error):
        pass
    return found


def entries(content):
    """Every (key, value) of the table."""
    return [entry[:2] for place in blocks(content)[:-1] for entry in _entries(content, *place)]


def mended(content):
    """The table with checksums that fit: without them damage would be noticed before anything else."""
    content = bytearray(content)
    for offset, size in blocks(content):
        struct.pack_into("<I", content, offset + size + 1, masked_crc32c(content[offset:offset + size + 1]))
    return bytes(content)
