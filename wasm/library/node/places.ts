import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { fileMissing, lacksMemory, MoError, sentence } from '../shared/messages.js';
import { said, urlOf, type Places } from '../shared/places.js';
import { packageFile } from './package-file.js';
import { CORE_ROOM, leaveRoom, noRoom, requireRoom } from './room.js';
import { msg } from '../shared/msg.js';

let given: Places = {};
let compiled: Promise<WebAssembly.Module> | undefined;

/** The given places are used from the next start on. */
export function setPlaces(places: Places): void {
  const news = said(places);
  if ('distUrl' in news || 'wasmUrl' in news || 'wasmModule' in news || 'wasmBinary' in news) {
    // If several places of the core were given, the last one counts.
    const { wasmUrl: _url, wasmModule: _module, wasmBinary: _binary, ...others } = given;
    if (Object.entries(news).some(([name, place]) => given[name as keyof Places] !== place)) compiled = undefined;
    given = { ...others, ...news };
  } else given = { ...given, ...news };
}

/**
 * The core's module, compiled once for all workers.
 *
 * @throws {MoError} when it cannot be loaded, or is not WebAssembly.
 */
export function compileCore(): Promise<WebAssembly.Module> {
  const compiling = (compiled ??= load());
  compiling.catch(() => compiled === compiling && (compiled = undefined));
  return compiling;
}

async function load(): Promise<WebAssembly.Module> {
  const { wasmModule, wasmBinary } = given;
  leaveRoom();
  if (wasmModule) return wasmModule;
  requireRoom(CORE_ROOM);
  const place = given.wasmUrl ?? inDist('library/shared/core.wasm') ?? packageFile('shared/core.wasm');
  try {
    return await WebAssembly.compile((await wasmBinary) ?? (await contentOf(placeOf(place))));
  } catch (error) {
    if (lacksMemory(error)) throw noRoom(error);
    throw error instanceof MoError ? error : fileMissing(msg`${wasmBinary ? 'wasmBinary' : String(place)}: ${sentence(error)}`);
  }
}

/** The worker's script. */
export function workerFile(): URL {
  return placeOf(given.workerUrl ?? inDist('library/node/node-worker.js') ?? packageFile('node/node-worker.js'));
}

function inDist(path: string): URL | undefined {
  if (given.distUrl === undefined) return undefined;
  return new URL(path, `${String(placeOf(given.distUrl)).replace(/\/$/, '')}/`);
}

/** A relative path begins at the folder in which the program runs. */
function placeOf(place: string | URL): URL {
  if (typeof place !== 'string' || (/^[a-z]{2,}:/i.test(place) && !isAbsolute(place))) return urlOf(place);
  return pathToFileURL(resolve(place));
}

async function contentOf(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  if (url.protocol === 'file:') return Uint8Array.from(await readFile(url));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}
