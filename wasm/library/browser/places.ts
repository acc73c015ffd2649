/** The places of the package's files that a page loads by itself. */
import { fileMissing } from '../shared/messages.js';
import { said, urlOf, type Places as SharedPlaces } from '../shared/places.js';
import { msg } from '../shared/msg.js';

/**
 * Places of files, for pages whose bundler does not know them, and for pages that load the files from elsewhere. A `workerUrl` with the
 * scheme `blob:` has to be one classic script, not a module.
 */
export interface Places extends SharedPlaces {
  /**
   * What the frame of extensions is made of: `@mo/wasm/extension-frame.html`, or a text that needs no request. The policy of the page
   * applies to the text, too. It has to allow `worker-src blob:`, and `script-src blob:` with the hash of the frame's script. The browser
   * shows this hash in its console.
   */
  extensionFrame?: 'file' | 'text' | undefined;
  /**
   * For pages whose policy has `require-trusted-types-for 'script'`: the Trusted Types policy through which the URLs of workers and the text
   * of the frame go. Without it the library makes one with the name `mo`, which `trusted-types` has to allow, for the frame in any case.
   */
  trustedTypes?: TrustedTypes | undefined;
}

/** What the library asks of a Trusted Types policy, which TypeScript's library does not have yet. */
export interface TrustedTypes {
  createHTML(text: string): unknown;
  createScriptURL(url: string): unknown;
}

let given: Places = {};

/** The given places are used from the next start on. */
export function setPlaces(places: Places): void {
  given = { ...given, ...said(places) };
}

/** The values that the page has given; undefined for others. */
export const givenCore = (): Places['wasmBinary'] => given.wasmBinary;
export const givenModule = (): Places['wasmModule'] => given.wasmModule;
export const givenTypes = (): Places['trustedTypes'] => given.trustedTypes;
export const givenFrame = (): Places['extensionFrame'] => given.extensionFrame;

// Bundlers look for exactly this text, and replace it by the URL of the exported file. That works even if they have moved this module away
// from the package's files. Without a bundler the name stays in the URL.
const core = () => new URL('@mo/wasm/core.wasm', import.meta.url);
const frame = () => new URL('@mo/wasm/extension-frame.html', import.meta.url);

export const coreUrl = (): URL =>
  given.wasmUrl === undefined ? place(core, 'library/shared/core.wasm') : urlOf(given.wasmUrl, location.href);
export const frameUrl = (): URL => place(frame, 'library/browser/extension-frame.html');

/** undefined if only the bundler knows the URL. */
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
    throw fileMissing(msg`the bundle does not know its own URL`, 'say where the files of @mo/wasm are with distUrl: README.md, "In bundlers"');
  }
}
