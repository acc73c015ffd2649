/** Ways out of a worker. Importing modules of Node is refused by the loader. */
const NAMES = ['process', 'fetch', 'WebSocket', 'EventSource', 'BroadcastChannel'];

/**
 * Takes files, network and processes away from extensions, so that using them by mistake is an error, as in other hosts. It does not stop
 * malicious code.
 */
export function lockDown(): void {
  for (const name of NAMES) delete (globalThis as Record<string, unknown>)[name];
}
