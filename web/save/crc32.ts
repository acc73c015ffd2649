/** The checksum of zip archives. */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The checksum of what was read before, `crc`, and of these bytes. */
export function crc32(bytes: Uint8Array, crc = 0): number {
  let value = ~crc;
  for (let at = 0; at < bytes.length; at++) value = TABLE[(value ^ bytes[at]!) & 255]! ^ (value >>> 8);
  return ~value >>> 0;
}
