/** The surroundings of the page: its files beside it, and a service worker that keeps them. The page as one file has another module. */
import type { Places } from '@mo/wasm';

export { keepOffline } from './offline.js';

/**
 * The frame is made of a text. A file would be requested for each conversion, because a service worker does not control a frame without an
 * origin.
 */
export const places: Places = { extensionFrame: 'text' };
