import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { SideFile } from '../shared/options.js';

/**
 * A model in Node: its path, with its side files next to it; or its content. A stream or Blob is spooled to a temporary
 * file that has no name and disappears with the process.
 */
export type Model = string | URL | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** What a worker needs to open a model, or a file that an option names. */
export type Source =
  | { kind: 'path'; path: string }
  | { kind: 'bytes'; name: string; bytes: Uint8Array }
  | { kind: 'descriptor'; name: string; descriptor: number };

const NAMELESS = 'model.onnx';

export async function openSource(model: Model, signal?: AbortSignal): Promise<Source> {
  if (typeof model === 'string') return { kind: 'path', path: model };
  if (model instanceof URL) return { kind: 'path', path: fileURLToPath(model) };
  if (model instanceof Uint8Array) {
    const bytes = new Uint8Array(new SharedArrayBuffer(model.length));
    bytes.set(model);
    return { kind: 'bytes', name: NAMELESS, bytes };
  }
  if (!(model instanceof Blob)) return { kind: 'descriptor', name: NAMELESS, descriptor: await spool(model, signal) };
  const name = 'name' in model ? String(model.name) : NAMELESS;
  return { kind: 'descriptor', name, descriptor: await spool(model.stream(), signal) };
}

/** The content of a file that an option names; a URL gives its location. */
export function openSideFile(file: SideFile | URL, signal?: AbortSignal): Promise<Source> {
  return openSource(typeof file === 'string' ? new TextEncoder().encode(file) : file, signal);
}

/** The name of the model's main file, or its path. */
export function mainFile(source: Source): string {
  return source.kind === 'path' ? source.path : source.name;
}

export function closeSource(source: Source): void {
  if (source.kind === 'descriptor') closeSync(source.descriptor);
}

async function spool(stream: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'mo-'));
  let descriptor: number;
  try {
    descriptor = openSync(join(folder, 'model'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  try {
    for await (const chunk of stream) {
      signal?.throwIfAborted();
      for (let done = 0; done < chunk.length; ) done += writeSync(descriptor, chunk, done);
    }
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
