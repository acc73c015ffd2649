/** The page as an app: a service worker keeps its files, so that it opens without a network, and hands over what the system brings. */
import { button, byId, h } from './dom.js';
import { t } from '../language/texts.js';
import type { Brought } from '../bring/brought.js';
import { filesWithPaths } from '../bring/drop.js';
import { followLaunches } from '../bring/launched.js';
import { trustedUrl } from './trusted.js';

/** Browsers without service workers, and those that refuse them here, have the page as it is. `onFiles` gets what the system brings. */
export function keepOffline(onFiles: (brought: Brought) => void): void {
  followLaunches(onFiles);
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  takeShared(serviceWorker, onFiles);
  // It registers after the page has loaded, because what it loads can wait.
  const register = () => serviceWorker.register(trustedUrl('./service-worker.js'), { updateViaCache: 'none' }).then(followVersions, () => undefined);
  if (document.readyState === 'complete') void register();
  else addEventListener('load', register, { once: true });
}

/** A new version waits until every window with the page is closed, or the user asks for it: the page never reloads by itself. */
function followVersions(registration: ServiceWorkerRegistration): void {
  const offer = () => registration.waiting && registration.active && offerReload(registration);
  const follow = () => registration.installing?.addEventListener('statechange', offer);
  offer();
  follow();
  registration.addEventListener('updatefound', follow);
}

function offerReload(registration: ServiceWorkerRegistration): void {
  const notice = byId('update');
  if (!notice.hidden) return;
  notice.append(h('span', {}, t('A new version is ready.')), button(t('Reload'), 'quiet', () => {
    // Another window may have asked for it already.
    if (!registration.waiting) return location.reload();
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    registration.waiting.postMessage('take over');
  }));
  notice.hidden = false;
}

/** Files that were shared with the app are with the service worker, which has opened the page for them. */
function takeShared(serviceWorker: ServiceWorkerContainer, onFiles: (brought: Brought) => void): void {
  const { pathname, search, hash } = location;
  if (search !== '?shared') return;
  history.replaceState(null, '', pathname + hash);
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<File[]>) => {
    if (data.length > 0) onFiles({ files: filesWithPaths(data), errors: [], sent: true });
  }, { once: true });
  serviceWorker.startMessages();
  serviceWorker.controller?.postMessage('shared');
}
