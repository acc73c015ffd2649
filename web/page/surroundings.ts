/** The surroundings of the page: its files beside it, and a service worker that keeps them. The page as one file has another module. */
import type { Places } from '@mo/wasm';
import workerUrl from '@mo/wasm/worker?worker&url';

import { policy } from './trusted.js';

export { keepOffline } from './offline.js';

/** The documents of this page are a site beside it. */
export function offerDocuments(): void {}

/**
 * The frame is made of a text. A file would be requested for each conversion, because a service worker does not control a frame without an
 * origin. The worker has a URL, because what the bundler makes of its name does not go through the policy.
 */
export const places: Places = { extensionFrame: 'text', trustedTypes: policy, workerUrl };
