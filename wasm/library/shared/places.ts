import { fileMissing } from './messages.js';
import { msg } from './msg.js';

/** Where those files of the package are that it loads by itself. The options have the same names on every host. */
export interface Places {
  /** The package's folder `dist/`, copied to somewhere else. */
  distUrl?: string | URL | undefined;
  /** `@mo/wasm/core.wasm` alone. */
  wasmUrl?: string | URL | undefined;
  /** The core, compiled already. */
  wasmModule?: WebAssembly.Module | Promise<WebAssembly.Module> | undefined;
  /** The content of `@mo/wasm/core.wasm`. */
  wasmBinary?: ArrayBuffer | Uint8Array<ArrayBuffer> | Promise<ArrayBuffer | Uint8Array<ArrayBuffer>> | undefined;
  /** The worker alone: on a page `@mo/wasm/worker`, in Node `dist/library/node/node-worker.js`, as it is or bundled. */
  workerUrl?: string | URL | undefined;
}

/** In which thread a conversion runs. */
export interface ThreadOptions {
  /**
   * `false`: the conversion runs in the thread that calls. That thread is busy meanwhile, and extensions, which need a worker of their own,
   * are refused.
   */
  worker?: boolean | undefined;
}

/** The places that are given: neither undefined nor null. */
export function said<Given extends object>(places: Given): Partial<Given> {
  return Object.fromEntries(Object.entries(places ?? {}).filter(([, place]) => place !== undefined && place !== null)) as Partial<Given>;
}

/** @throws {MoError} when `place` is no URL. */
export function urlOf(place: string | URL, base?: string): URL {
  try {
    return new URL(place, base);
  } catch {
    throw fileMissing(msg`"${String(place)}" is no URL`, 'correct where the files of @mo/wasm are: README.md, "In bundlers"');
  }
}
