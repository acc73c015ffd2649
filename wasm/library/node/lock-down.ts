/** Ways out of a worker. Importing modules of Node is refused by the loader. */
const NAMES = ['process', 'fetch', 'WebSocket', 'EventSource', 'BroadcastChannel'];

/** Extensions run without files, network and processes: a mistake is an error, as in other hosts. Those that mean harm find a way. */
export function lockDown(): void {
  for (const name of NAMES) delete (globalThis as Record<string, unknown>)[name];
}
