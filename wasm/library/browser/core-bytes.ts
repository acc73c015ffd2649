import { fileMissing, sentence } from '../shared/messages.js';
import { coreUrl, givenCore } from './places.js';
import { msg } from '../shared/msg.js';

const MAGIC = [0x00, 0x61, 0x73, 0x6d];

/**
 * The bytes of the core: those that the page gives, or else those of the file.
 *
 * @throws {MoError} when it cannot be fetched, or is not WebAssembly.
 */
export async function fetchCore(): Promise<ArrayBuffer> {
  const given = await givenCore();
  if (given) return given instanceof ArrayBuffer ? given : given.slice().buffer;
  const url = coreUrl();
  const bytes = await fetchBytes(url);
  const head = new Uint8Array(bytes, 0, Math.min(bytes.byteLength, 64));
  if (MAGIC.every((byte, index) => head[index] === byte)) return bytes;
  // Servers often answer a request for a missing file with the page.
  const html = /^\s*</.test(new TextDecoder().decode(head));
  throw fileMissing(html ? msg`${url.href} is not WebAssembly: the bundler or the server sent an HTML page in its place` : msg`${url.href} is not WebAssembly`);
}

async function fetchBytes(url: URL): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    return await response.arrayBuffer();
  } catch (error) {
    throw fileMissing(msg`${url.href}: ${sentence(error)}`);
  }
}
