/** TextEncoder and TextDecoder for UTF-8, as the Encoding standard has them. */
class Encoder {
  readonly encoding = 'utf-8';

  encode(text = ''): Uint8Array {
    const bytes: number[] = [];
    for (const character of String(text)) {
      const point = character.codePointAt(0)!;
      const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
      const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      bytes.push(more === 0 ? code : (0xff00 >> (more + 1)) & 0xff | code >> (6 * more));
      for (let left = more - 1; left >= 0; left--) bytes.push(0x80 | (code >> (6 * left)) & 0x3f);
    }
    return Uint8Array.from(bytes);
  }
}

/** The number of bytes that follow the first one, and the limits of the second byte. */
function sequence(first: number): [more: number, low: number, high: number] | undefined {
  if (first >= 0xc2 && first < 0xe0) return [1, 0x80, 0xbf];
  if (first >= 0xe0 && first < 0xf0) return [2, first === 0xe0 ? 0xa0 : 0x80, first === 0xed ? 0x9f : 0xbf];
  if (first >= 0xf0 && first < 0xf5) return [3, first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf];
  return undefined;
}

class Decoder {
  readonly encoding = 'utf-8';

  decode(source: ArrayBuffer | ArrayBufferView = new Uint8Array()): string {
    const bytes = ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : new Uint8Array(source);
    const parts: string[] = [];
    let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    while (at < bytes.length) {
      const first = bytes[at++]!;
      if (first < 0x80) {
        parts.push(String.fromCharCode(first));
        continue;
      }
      const [more, low, high] = sequence(first) ?? [0, 0, 0];
      let code = first & (0x3f >> more);
      let read = 0;
      for (; read < more && at < bytes.length; read++, at++) {
        const byte = bytes[at]!;
        if (byte < (read === 0 ? low : 0x80) || byte > (read === 0 ? high : 0xbf)) break;
        code = code << 6 | byte & 0x3f;
      }
      parts.push(more > 0 && read === more ? String.fromCodePoint(code) : '\ufffd');
    }
    return parts.join('');
  }
}

export function addTextCoding(): void {
  Object.assign(globalThis, { TextEncoder: Encoder, TextDecoder: Decoder });
}
