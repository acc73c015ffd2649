/** Names through which a worker could send or store data: functions and classes, and objects. */
const FUNCTIONS = [
  'fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'EventSource', 'WebTransport', 'importScripts', 'BroadcastChannel',
  'Worker', 'SharedWorker',
];
const OBJECTS = ['indexedDB', 'caches', 'localStorage', 'sessionStorage', 'cookieStore'];

/**
 * Makes each of them throw an error that extensions have no network and no storage. The protection itself is the frame's
 * origin and policy; this gives the user the reason, even if a browser is silent.
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
