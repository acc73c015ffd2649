import { closeSync, writeSync } from 'node:fs';
import { Stream } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { MoError, noModel, sentence, unreadable } from '../shared/messages.js';
import { bytesOf, gather, isModelFiles, isReader, notModel, type HostReader, type Model } from '../shared/model.js';
import type { SideFile } from '../shared/options.js';
import { pieces } from '../shared/waiting.js';
import { msg } from '../shared/msg.js';
import { openUnnamed } from './unnamed-file.js';

/** What a worker needs to open a model, or a file that an option names. A reader cannot be handed to another thread. */
export type Source =
  | { kind: 'path'; path: string }
  | OneFile
  | { kind: 'files'; name: string; files: [name: string, file: OneFile][] };

export type OneFile =
  | { kind: 'bytes'; name: string; bytes: Uint8Array }
  | { kind: 'descriptor'; name: string; descriptor: number }
  | { kind: 'reader'; name: string; reader: HostReader };

const NAMELESS = 'model.onnx';
const WANTED = 'give a path, a file: URL, bytes, a Blob, a stream, { main, files } or { name, size, read }';

/**
 * Opens a model. A stream or Blob is spooled to a temporary file that has no name and disappears with the process.
 *
 * @throws {MoError} when `model` is no model, or when its content cannot be read.
 */
export async function openSource(model: Model, signal?: AbortSignal): Promise<Source> {
  if (typeof model === 'string') return { kind: 'path', path: /^(file|https?):\/\//.test(model) ? pathOf(new URL(model)) : path(model) };
  if (model instanceof URL) return { kind: 'path', path: pathOf(model) };
  if (typeof model !== 'object' || model === null) throw notModel(model, WANTED);
  if (!isModelFiles(model)) return openFile(model, signal);
  const { main, files } = gather(model);
  const opened: [string, OneFile][] = [];
  try {
    for (const [name, content] of files) opened.push([name, await openFile(content, signal)]);
    return { kind: 'files', name: main, files: opened };
  } catch (error) {
    for (const [, file] of opened) closeSource(file);
    throw error;
  }
}

async function openFile(model: Exclude<Model, string | URL>, signal?: AbortSignal): Promise<OneFile> {
  const given = bytesOf(model);
  if (given) {
    const bytes = new Uint8Array(new SharedArrayBuffer(given.length));
    bytes.set(given);
    return { kind: 'bytes', name: NAMELESS, bytes };
  }
  if (model instanceof Blob) {
    const name = 'name' in model ? String(model.name) : NAMELESS;
    return { kind: 'descriptor', name, descriptor: await spool(model.stream(), signal) };
  }
  if (isReader(model)) {
    if (!Number.isSafeInteger(model.size) || model.size < 0) throw noModel(msg`its size is "${model.size}"`, 'give its number of bytes');
    return { kind: 'reader', name: String(model.name), reader: model };
  }
  if (!('getReader' in model) && !(Symbol.asyncIterator in model)) throw notModel(model, WANTED);
  return { kind: 'descriptor', name: NAMELESS, descriptor: await spool(model as AsyncIterable<Uint8Array>, signal) };
}

/** Opens a file that an option names. A text is its content, a URL its location. */
export function openSideFile(file: SideFile | URL, signal?: AbortSignal): Promise<Source> {
  return openSource(typeof file === 'string' ? new TextEncoder().encode(file) : file, signal);
}

/** The name of the model's main file, or its path. */
export function mainFile(source: Source): string {
  return source.kind === 'path' ? source.path : source.name;
}

/** Whether only the thread that has it can read it. */
export function staysHere(source: Source): boolean {
  return source.kind === 'reader' || (source.kind === 'files' && source.files.some(([, file]) => file.kind === 'reader'));
}

export function closeSource(source: Source): void {
  if (source.kind === 'descriptor') closeSync(source.descriptor);
  if (source.kind === 'files') for (const [, file] of source.files) closeSource(file);
}

function pathOf(url: URL): string {
  if (url.protocol !== 'file:') throw noModel(msg`"${url.href}" is no file`, 'load it first: nothing is requested from a network');
  return path(fileURLToPath(url));
}

function path(text: string): string {
  if (text.includes('\0')) throw noModel(msg`its path has a NUL character`, 'check the path');
  return text;
}

async function spool(stream: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<number> {
  // A stream of Node that fails before it is read would end the process, unless somebody listens.
  if (stream instanceof Stream) stream.on('error', () => {});
  const descriptor = openUnnamed();
  try {
    for await (const piece of pieces(stream, signal))
      for (let done = 0; done < piece.length; ) done += writeSync(descriptor, piece, done);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    if (error instanceof MoError || (signal?.aborted && error === signal.reason)) throw error;
    throw unreadable(msg`the stream: ${sentence(error)}`, error);
  }
}
