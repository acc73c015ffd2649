/** The surroundings of the page as one file: its core and its worker are in the file, and it needs no service worker. */
import type { Places } from '@mo/wasm';
import worker from 'virtual:worker';

import { policy } from '../page/trusted.js';
import { unpack } from './unpack.js';

export const places: Places = {
  wasmBinary: unpack('core', 'application/wasm').arrayBuffer(),
  workerUrl: URL.createObjectURL(new Blob([worker], { type: 'text/javascript' })),
  extensionFrame: 'text',
  trustedTypes: policy,
};

export { offerDocuments } from '../report/documents.js';

export function keepOffline(): void {}
