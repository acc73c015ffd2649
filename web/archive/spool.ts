/** Where unpacked files lie while the page is open: in the origin's private file system, or in memory where there is none. */
import { msg } from '@mo/wasm/msg';

import { archiveError } from './bounds.js';

const FOLDER = 'unpacked';
/** Bytes of one file. */
const MOST_IN_MEMORY = 1e9;

let own: Promise<FileSystemDirectoryHandle | undefined> | undefined;
let count = 0;

/** The bytes of the stream as a Blob. `path` is for messages. */
export async function spool(stream: ReadableStream<Uint8Array>, path: string, signal?: AbortSignal): Promise<Blob> {
  own ??= ownFolder();
  const folder = await own;
  return folder ? onDisk(stream, folder, signal) : inMemory(stream, path, signal);
}

async function onDisk(stream: ReadableStream<Uint8Array>, folder: FileSystemDirectoryHandle, signal: AbortSignal | undefined): Promise<Blob> {
  const name = String(count++);
  const handle = await folder.getFileHandle(name, { create: true });
  try {
    await stream.pipeTo(await handle.createWritable(), signal && { signal });
    return await handle.getFile();
  } catch (error) {
    await folder.removeEntry(name).catch(() => undefined);
    throw error;
  }
}

async function inMemory(stream: ReadableStream<Uint8Array>, path: string, signal: AbortSignal | undefined): Promise<Blob> {
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MOST_IN_MEMORY) throw archiveError(msg`unpacked it has more than 1 GB, and this browser lets the page store nothing`, path);
      controller.enqueue(chunk);
    },
  });
  return new Response(stream.pipeThrough(limit, signal && { signal }) as BodyInit).blob();
}

/** A folder of this page's own. While the page is open it holds a lock with the folder's name, so other pages leave the folder alone. */
async function ownFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    const name = crypto.randomUUID();
    await new Promise<void>((resolve, reject) => {
      const held = navigator.locks.request(name, () => {
        resolve();
        return new Promise<never>(() => undefined);
      });
      held.catch(reject);
    });
    const root = await navigator.storage.getDirectory();
    return await (await root.getDirectoryHandle(FOLDER, { create: true })).getDirectoryHandle(name, { create: true });
  } catch {
    return undefined;
  }
}

/** Removes the folders that closed pages have left. */
export async function removeLeftOver(): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(FOLDER);
    for await (const name of folder.keys())
      await navigator.locks.request(name, { ifAvailable: true }, (lock) => lock && folder.removeEntry(name, { recursive: true }));
  } catch {
    // There is no such folder, or the browser has none for pages.
  }
}
