/** The checksum of zip and gzip. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

/** `before` is the checksum of the bytes before these. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let sum = ~before;
  for (let index = 0; index < bytes.length; index++) sum = TABLE[(sum ^ bytes[index]!) & 255]! ^ (sum >>> 8);
  return ~sum >>> 0;
}
