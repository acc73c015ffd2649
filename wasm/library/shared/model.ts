/** The types of models that can be converted. They are the same on every host, so that a program that runs on several needs one type. */

import { kindOf, noModel } from './messages.js';
import { msg } from './msg.js';

/** Bytes in memory. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** A file with its path, if `File.webkitRelativePath` does not have it. */
export interface FileWithPath {
  path: string;
  file: Blob;
}

/** Bytes in memory with their path. */
export interface BytesWithPath {
  path: string;
  file: Bytes;
}

/** A file of a model. */
export type ModelFile = File | FileWithPath | BytesWithPath | HostReader;

/**
 * A file that is read by a function: one that is neither on a disk nor in a Blob. A function cannot be handed to another thread, so a model
 * with such a file is converted in the thread that calls, as with `worker: false`. That thread should be a worker, because it is busy
 * meanwhile.
 */
export interface HostReader {
  /** The file's name, or its path relative to the model's folder. */
  readonly name: string;
  readonly size: number;
  /** Fills `target` with the bytes from `offset` on, before it returns. An exception ends the conversion with MO7001. */
  read(offset: number, target: Uint8Array): void;
}

/**
 * A model of several files. Those with weights are found by their path relative to the main file, or by their bare name. A model that is a
 * folder is given by its path, below which are the `files`.
 */
export interface ModelFiles {
  main: ModelFile | { path: string };
  files: Iterable<ModelFile>;
}

/**
 * A model: its path or `file:` URL, where there are paths, with its side files next to it; or its content. A stream is copied first, to a
 * temporary file without a name, or to a Blob.
 */
export type Model =
  | string | URL | Bytes | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | HostReader | ModelFiles;

/** A model's files under their paths relative to the main one, which may be a folder of them. */
export interface Gathered {
  main: string;
  files: [path: string, content: Blob | Uint8Array | HostReader][];
}

const WANTED = "give a File, { path, file } or { name, size, read }; main may be { path } of a folder";

/** The bytes of an ArrayBuffer or of a view. They may come from another realm, as in a frame or in a test runner. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value)) ? new Uint8Array(value as ArrayBuffer) : undefined;
}

/** The error for a value that is no model, or a promise of one. */
export function notModel(value: unknown, wanted: string): Error {
  if (typeof value === 'object' && value !== null && 'then' in value) return noModel(msg`a promise is no model`, 'await it first');
  if (value === null || value === undefined) return noModel(msg`${value} is no model`, wanted);
  return noModel(msg`${typeof value === 'object' ? msg`this object` : kindOf(value)} is no model`, wanted);
}

export function isReader(value: object): value is HostReader {
  return 'read' in value && typeof value.read === 'function' && 'size' in value && 'name' in value;
}

export function isModelFiles(value: object): value is ModelFiles {
  return 'main' in value && 'files' in value;
}

export function gather({ main, files }: ModelFiles): Gathered {
  const own = isFolder(main) ? undefined : named(main);
  const path = own?.path ?? (main as { path: string }).path;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const relative = (name: string): string => (name.startsWith(folder) ? name.slice(folder.length) : name);
  const others = typeof files === 'object' && files !== null && Symbol.iterator in files ? Array.from(files, named) : undefined;
  if (!others) throw noModel(msg`files is no list of files`, WANTED);
  const all = [...(own ? [own] : []), ...others];
  return { main: relative(path), files: all.map(({ path: name, content }) => [relative(name), content]) };
}

/** Files under their paths; one of which only the path is known has no content. */
export function* listFiles(files: Iterable<ModelFile | { path: string }>): Generator<[path: string, content: Named['content'] | undefined]> {
  for (const file of files) {
    if (isFolder(file)) {
      yield [file.path, undefined];
    } else {
      const { path, content } = named(file);
      yield [path, content];
    }
  }
}

function isFolder(main: ModelFiles['main']): main is { path: string } {
  return isObject(main) && !(main instanceof Blob) && !isReader(main) && !('file' in main) && typeof main.path === 'string';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

interface Named {
  path: string;
  content: Blob | Uint8Array | HostReader;
}

function named(file: ModelFile): Named {
  if (file instanceof Blob && 'name' in file) return { path: file.webkitRelativePath || file.name, content: file };
  if (isObject(file) && isReader(file)) return { path: String(file.name), content: file };
  if (!isObject(file) || !('path' in file)) throw noModel(msg`main or one of the files has no name`, WANTED);
  const { path, file: content } = file as FileWithPath | BytesWithPath;
  const held = content instanceof Blob ? content : bytesOf(content);
  if (typeof path !== 'string' || !held) throw noModel(msg`its file "${String(path)}" has no content`, WANTED);
  return { path, content: held };
}
