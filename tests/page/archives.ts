/** Archives for tests, byte by byte: what no program would write is in them, too. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  path: string;
  content?: string | Uint8Array;
  /** 0 stores, 8 deflates; other numbers are written into the header, but their methods are not carried out. */
  method?: number;
  /** Wrong values for the directory. */
  size?: number;
  crc?: number;
  flags?: number;
  mode?: number;
  /** The header says that the content is deflated, but it is not. */
  garbled?: boolean;
  /** Sizes and place stand in an attribute of 64 bits. */
  zip64?: boolean;
}

const uint = (bytes: number, ...values: number[]) => {
  const out = Buffer.alloc(bytes * values.length);
  values.forEach((value, index) => (bytes === 8 ? out.writeBigUInt64LE(BigInt(value), index * 8) : out.writeUIntLE(value, index * bytes, bytes)));
  return out;
};

export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { path, content = '', method = 8, flags = 0x800, mode = 0o100644, zip64 = false, garbled = false, ...said } of entries) {
    const bytes = Buffer.from(content as string);
    const data = method === 8 && !garbled ? deflateRawSync(bytes) : bytes;
    const name = Buffer.from(path);
    const size = said.size ?? bytes.length;
    const crc = said.crc ?? crc32(bytes);
    const extra = zip64 ? Buffer.concat([uint(2, 1, 24), uint(8, size, data.length, at)]) : Buffer.alloc(0);
    const local = zip64 ? Buffer.concat([uint(2, 1, 16), uint(8, size, data.length)]) : Buffer.alloc(0);
    const sizes = zip64 ? uint(4, 0xffffffff, 0xffffffff) : uint(4, data.length, size);
    const common = Buffer.concat([uint(2, 45, flags, method, 0, 0x21), uint(4, crc), sizes, uint(2, name.length)]);
    parts.push(uint(4, 0x04034b50), common, uint(2, local.length), name, local, data);
    directory.push(uint(4, 0x02014b50), uint(2, 0x032d), common, uint(2, extra.length, 0, 0, 0),
      uint(4, mode * 0x10000, zip64 ? 0xffffffff : at), name, extra);
    at = Buffer.concat(parts).length;
  }
  const list = Buffer.concat(directory);
  const end64 = entries.some(({ zip64 }) => zip64)
    ? Buffer.concat([uint(4, 0x06064b50), uint(8, 44), uint(2, 45, 45), uint(4, 0, 0), uint(8, entries.length, entries.length, list.length, at),
        uint(4, 0x07064b50, 0), uint(8, at + list.length), uint(4, 1)])
    : Buffer.alloc(0);
  const counts = end64.length > 0 ? uint(2, 0xffff, 0xffff) : uint(2, entries.length, entries.length);
  const place = end64.length > 0 ? uint(4, 0xffffffff, 0xffffffff) : uint(4, list.length, at);
  return Buffer.concat([...parts, list, end64, uint(4, 0x06054b50), uint(2, 0, 0), counts, place, uint(2, 0)]);
}

export interface TarEntry {
  path: string;
  content?: string | Uint8Array;
  type?: string;
  link?: string;
}

export function tar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ path, content = '', type = '0', link = '' }) => {
    const bytes = Buffer.from(content as string);
    const header = Buffer.alloc(512);
    header.write(path, 0, 100);
    header.write('0000644\x000000000\x000000000\0', 100);
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\x0000000000000\0        ${type}`, 124);
    header.write(link, 157, 100);
    header.write('ustar\x0000', 257);
    header.write(`${header.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** An attribute of POSIX's format, for the entry after it. */
export function pax(key: string, value: string): TarEntry {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return { path: 'attributes', type: 'x', content: `${length} ${key}=${value}\n` };
}
