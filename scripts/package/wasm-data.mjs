// wasm-opt leaves out the zeros between data and makes thousands of segments of two. Their addresses take more room in a
// compressed file than the zeros do.

const DATA = 11;
const I32_CONST = 0x41;
const END = 0x0b;

/** The WebAssembly module with one data segment instead of many. Its memory begins with zeros, as the gaps do. */
export function withOneSegment(wasm) {
  const read = reader(wasm);
  read.bytes(8);  // magic and version
  const pieces = [wasm.subarray(0, 8)];
  while (read.at() < wasm.length) {
    const begin = read.at();
    const id = read.bytes(1)[0];
    const section = read.bytes(read.unsigned());
    pieces.push(id === DATA ? dataSection(joined(segments(section))) : wasm.subarray(begin, read.at()));
  }
  return Buffer.concat(pieces);
}

function segments(section) {
  const read = reader(section);
  return Array.from({ length: read.unsigned() }, () => {
    const [mode, opcode] = read.bytes(2);
    const address = read.unsigned();
    if (mode !== 0 || opcode !== I32_CONST || read.bytes(1)[0] !== END) throw new Error('core.wasm has a data segment without a fixed address');
    return { address, bytes: read.bytes(read.unsigned()) };
  });
}

function joined(all) {
  const begin = Math.min(...all.map(({ address }) => address));
  const end = Math.max(...all.map(({ address, bytes }) => address + bytes.length));
  const bytes = Buffer.alloc(end - begin);
  for (const segment of all) bytes.set(segment.bytes, segment.address - begin);
  return { address: begin, bytes };
}

function dataSection({ address, bytes }) {
  const content = Buffer.concat([Buffer.from([1, 0, I32_CONST]), leb128(address, 64), Buffer.from([END]), leb128(bytes.length), bytes]);
  return Buffer.concat([Buffer.from([DATA]), leb128(content.length), content]);
}

/** A positive number in LEB128. The last byte is below `limit`: 64 where the number has a sign, which is the bit below. */
function leb128(number, limit = 128) {
  const out = [];
  for (; number >= limit; number = Math.floor(number / 128)) out.push((number % 128) | 128);
  return Buffer.from([...out, number]);
}

function reader(bytes) {
  let at = 0;
  return {
    at: () => at,
    bytes: (count) => bytes.subarray(at, (at += count)),
    unsigned() {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * scale;
        if (byte < 128) return value;
      }
    },
  };
}
