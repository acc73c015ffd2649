/** Where the files of the package are that a page loads by itself. */
import { fileMissing } from '../shared/messages.js';
import { said, urlOf, type Places as SharedPlaces } from '../shared/places.js';

/** For pages whose bundler does not know where they are, and for those that want them from elsewhere. A `workerUrl` with the scheme `blob:` is no module, but bundled into one classic script. */
export interface Places extends SharedPlaces {
  /**
   * What the frame of extensions is made of: `@mo/wasm/extension-frame.html`, or a text that needs no request. The text
   * has the policy of the page besides its own: that has to allow `worker-src blob:`, and `script-src blob:` with the hash of the frame's
   * script, which the browser names in its console.
   */
  extensionFrame?: 'file' | 'text' | undefined;
}

let given: Places = {};

/** What is given is used from the next start on. */
export function setPlaces(places: Places): void {
  given = { ...given, ...said(places) };
}

/** What the page has said about parts that need not be fetched. */
export const givenCore = (): Places['wasmBinary'] => given.wasmBinary;
export const givenModule = (): Places['wasmModule'] => given.wasmModule;
export const givenFrame = (): Places['extensionFrame'] => given.extensionFrame;

// Bundlers look for exactly this text, and put a file's URL where they name an export of this package. They find it also
// where they have moved this module away from its files. Without a bundler the name stays in the URL.
const core = () => new URL('@mo/wasm/core.wasm', import.meta.url);
const frame = () => new URL('@mo/wasm/extension-frame.html', import.meta.url);

export const coreUrl = (): URL =>
  given.wasmUrl === undefined ? place(core, 'library/shared/core.wasm') : urlOf(given.wasmUrl, location.href);
export const frameUrl = (): URL => place(frame, 'library/browser/extension-frame.html');

/** undefined where the bundler knows it. */
export function workerUrl(): URL | undefined {
  if (given.workerUrl !== undefined) return urlOf(given.workerUrl, location.href);
  return given.distUrl === undefined && folderOf(core) === undefined ? undefined : place(core, 'library/browser/browser-worker.js');
}

function place(named: () => URL, path: string): URL {
  if (given.distUrl !== undefined) return new URL(path, urlOf(String(given.distUrl).replace(/\/?$/, '/'), location.href));
  const folder = folderOf(named);
  return folder === undefined ? named() : new URL(`../../${path}`, folder);
}

/** The folder of this module; undefined in a bundle. */
function folderOf(named: () => URL): string | undefined {
  try {
    const { href } = named();
    return /^(.*\/)@mo\/wasm\/[\w.-]+$/.exec(href)?.[1];
  } catch {
    throw fileMissing('the bundle does not know its own URL', 'say where the files of @mo/wasm are with distUrl: README.md, "In bundlers"');
  }
}
