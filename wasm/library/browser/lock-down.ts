/** What could carry data away from a worker, or keep it: to be called or constructed, and to be asked for. */
const FUNCTIONS = [
  'fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'EventSource', 'WebTransport', 'importScripts', 'BroadcastChannel',
  'Worker', 'SharedWorker',
];
const OBJECTS = ['indexedDB', 'caches', 'localStorage', 'sessionStorage', 'cookieStore'];

/**
 * Makes each of them say, when it is used, that extensions have no network and no storage. The frame's origin and its
 * policy are what keeps them from it; this tells the user why, also where a browser would stay silent.
 */
export function lockDown(): void {
  const refuse = (name: string) => (): never => {
    throw new Error(`${name} is not there for extensions: they run without network and storage`);
  };
  for (const name of FUNCTIONS) {
    const refused = refuse(name);
    Object.defineProperty(globalThis, name, { value: function () { refused(); }, configurable: false, writable: false });
  }
  for (const name of OBJECTS) Object.defineProperty(globalThis, name, { get: refuse(name), configurable: false });
}
