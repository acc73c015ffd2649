/** What the page finds around it: here its files beside it, and a service worker that keeps them. A page of one file has another module. */
import type { Places } from '@mo/wasm';

export { keepOffline } from './offline.js';

/** A file would be asked for anew with each conversion, and a service worker has no say in what loads into a frame without an origin. */
export const places: Places = { extensionFrame: 'text' };
