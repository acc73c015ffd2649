/**
 * The service worker: keeps all files of one version of the page, and answers from them. Each version has a cache of its own, so windows
 * of different versions each find the files that they may still load.
 */
import { giveShared, keepShared } from './shared.js';

declare const self: ServiceWorkerGlobalScope;

/** A file of the page: its URL relative to this script, and its hash as `integrity` says it. */
type Row = readonly [url: string, integrity: string];

/** The build puts them here. */
declare const FILES: readonly Row[];
declare const VERSION: string;

/** Other pages of the same origin may have caches, too. */
const OURS = `mo ${self.registration.scope} `;
const CACHE = OURS + VERSION;
const PAGE = self.registration.scope;
const SHARE = new URL('share', PAGE).href;

self.addEventListener('install', (event) => event.waitUntil(keepFiles()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'POST' && request.url === SHARE) {
    event.waitUntil(keepShared(request.formData()));
    event.respondWith(Response.redirect(`${PAGE}?shared`, 303));
  } else if (request.method === 'GET') {
    event.respondWith(answer(request));
    if (request.mode === 'navigate') event.waitUntil(forgetOthers([event.resultingClientId]));
  }
});
self.addEventListener('message', (event) => {
  if (event.data === 'take over') event.waitUntil(self.skipWaiting());
  else if (event.data === 'shared') event.waitUntil(giveShared(event.source as Client));
});

/** A file that is not what the build made, for example of a version that is just being published, ends the installation. */
async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map(([url, integrity]) => new Request(url, { integrity, cache: url.startsWith('assets/') ? 'default' : 'no-cache' })));
}

async function takeOver(): Promise<void> {
  await self.clients.claim();
  // One window has asked for this version, and loads it now.
  await forgetOthers((await openWindows()).slice(0, 1));
}

/** The windows of all versions, by their ids. */
async function openWindows(): Promise<string[]> {
  return (await self.clients.matchAll({ type: 'window', includeUncontrolled: true })).map(({ id }) => id);
}

/** Deletes the caches of other versions, unless a window that is not one of `current` may need them. */
async function forgetOthers(current: readonly string[]): Promise<void> {
  if ((await openWindows()).some((id) => !current.includes(id))) return;
  const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

async function answer(request: Request): Promise<Response> {
  const { origin, pathname } = new URL(request.url);
  // The page is the same with each query.
  const url = request.mode === 'navigate' && origin + pathname === PAGE ? PAGE : request.url;
  const own = await (await caches.open(CACHE)).match(url);
  return own ?? (await caches.match(url)) ?? fetch(request);
}
