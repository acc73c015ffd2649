/** The surroundings of the page as one file: its core and its worker are in the file, and it needs no service worker. */
import type { Places } from '@mo/wasm';
import worker from 'virtual:worker';

import { byId } from '../page/dom.js';
import { policy } from '../page/trusted.js';

export const places: Places = {
  wasmBinary: unpack(byId('core').textContent!),
  workerUrl: URL.createObjectURL(new Blob([worker], { type: 'text/javascript' })),
  extensionFrame: 'text',
  trustedTypes: policy,
};

export { offerDocuments } from '../report/documents.js';

export function keepOffline(): void {}

async function unpack(base64: string): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
