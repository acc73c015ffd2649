/** A tar archive of files, composed of Blobs: whatever the size of the files, nothing is copied. The same files give the same bytes. */
import type { OutFile } from './out-file.js';

const BLOCK = 512;
/** The first second that zip archives know, too. */
const TIME = 315_532_800;
const LONGEST_NAME = 100;
/** Sizes from here on are too large for the header's own field. */
const LARGE = 8 * 2 ** 30;

const encoder = new TextEncoder();

export function tarOf(files: readonly OutFile[]): Blob {
  const parts = files.flatMap(({ path, download: { content } }): BlobPart[] => [...headersOf(path, content.size), content, padding(content.size)]);
  return new Blob([...parts, new Uint8Array(2 * BLOCK)], { type: 'application/x-tar' });
}

/** The header, after those attributes that it has no room for. */
export function headersOf(path: string, size: number): BlobPart[] {
  const fits = encoder.encode(path).length <= LONGEST_NAME && /^[\x20-\x7e]*$/.test(path);
  const records = [...(fits ? [] : [record('path', path)]), ...(size < LARGE ? [] : [record('size', String(size))])].join('');
  const plain = header(fits ? path : 'file', size < LARGE ? size : 0, '0');
  if (records === '') return [plain];
  const bytes = encoder.encode(records);
  return [header('attributes', bytes.length, 'x'), bytes as BlobPart, padding(bytes.length), plain];
}

/** `LENGTH KEY=VALUE`, where the length counts its own digits. */
function record(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  if (rest + String(length).length !== length) length++;
  return `${length} ${key}=${value}\n`;
}

function header(name: string, size: number, type: string): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => block.set(encoder.encode(text), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  put(0, name);
  put(100, '0000644\0');
  put(108, '0000000\0');
  put(116, '0000000\0');
  put(124, `${octal(size, 11)}\0`);
  put(136, `${octal(TIME, 11)}\0`);
  put(148, ' '.repeat(8));
  put(156, type);
  put(257, 'ustar\x0000');
  put(148, `${octal(block.reduce((sum, byte) => sum + byte, 0), 6)}\0 `);
  return block;
}

function padding(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
}
