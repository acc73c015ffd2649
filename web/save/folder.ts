/** Writes files into a folder of the user, while they are read. */
import { MoError } from '@mo/wasm';

import { baseName, folderOf } from '../bring/chosen.js';
import { pageMessage } from '../report/page-message.js';
import type { OutFile, SaveControls } from './out-file.js';
import { HostWriteFailed } from '../report/codes.js';
import { msg, withDetail, type Template } from '@mo/wasm/msg';

/** A file that is written beside the one of that name, if there is one, and takes its place when it is closed. */
interface Open {
  path: string;
  folder: FileSystemDirectoryHandle;
  stream: FileSystemWritableFileStream;
  isNew: boolean;
}

/** `showDirectoryPicker`, which TypeScript's library does not have. */
type Picker = (options: { id: string; mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;

export function canPickFolder(): boolean {
  return 'showDirectoryPicker' in globalThis;
}

/** The folder that the user chooses; undefined for none. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await (globalThis as unknown as { showDirectoryPicker: Picker }).showDirectoryPicker({ id: 'ir', mode: 'readwrite' });
  } catch (error) {
    if (isNamed(error, 'AbortError')) return undefined;
    throw writeError(error, '');
  }
}

/**
 * Writes the files into the folder. There is never an `.xml` without the whole `.bin` that belongs to it: the `.xml` is written last, and
 * an older one is removed first.
 *
 * @throws {MoError} which names the file that cannot be written; then older files are as they were, unless they have been replaced or
 * removed already.
 */
export async function saveToFolder(folder: FileSystemDirectoryHandle, files: readonly OutFile[], controls: SaveControls): Promise<void> {
  let before = 0;
  for (const pair of pairsOf(files)) {
    await savePair(folder, pair, { ...controls, onBytes: (bytes) => controls.onBytes(before + bytes) });
    before += pair.reduce((sum, { download }) => sum + download.size, 0);
  }
}

/** The files of each model, its `.xml` last. */
function pairsOf(files: readonly OutFile[]): OutFile[][] {
  const pairs = new Map<string, OutFile[]>();
  for (const file of files) {
    const stem = file.path.replace(/\.[^.]*$/, '');
    pairs.set(stem, isXml(file.path) ? [...(pairs.get(stem) ?? []), file] : [file, ...(pairs.get(stem) ?? [])]);
  }
  return [...pairs.values()];
}

async function savePair(folder: FileSystemDirectoryHandle, files: readonly OutFile[], { signal, onBytes }: SaveControls): Promise<void> {
  const open: Open[] = [];
  let path = '';
  let bytes = 0;
  try {
    for (const file of files) {
      ({ path } = file);
      if (isXml(path)) await closeAll(open, await folderFor(path, folder), baseName(path));
      const one = await openFile(path, folder);
      open.push(one);
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          onBytes((bytes += chunk.length));
          controller.enqueue(chunk);
        },
      });
      await file.download.content.stream().pipeThrough(counted).pipeTo(one.stream as WritableStream, { signal, preventClose: true });
      signal.throwIfAborted();
    }
    for (; open.length > 0; open.shift()) {
      ({ path } = open[0]!);
      await open[0]!.stream.close();
    }
  } catch (error) {
    for (const { path, folder, stream, isNew } of open) {
      await stream.abort().catch(() => undefined);
      if (isNew) await removeUnlocked(folder, baseName(path)).catch(() => undefined);
    }
    signal.throwIfAborted();
    throw writeError(error, path);
  }
}

/** Removes the old `.xml`, and then lets the other files take their places, before the new `.xml` begins. */
async function closeAll(open: Open[], folder: FileSystemDirectoryHandle, xml: string): Promise<void> {
  await folder.removeEntry(xml).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  for (; open.length > 0; open.shift()) await open[0]!.stream.close();
}

/** Removes a file whose stream has just been aborted: Chromium may unlock it a moment after it says that the stream has ended. */
async function removeUnlocked(folder: FileSystemDirectoryHandle, name: string): Promise<void> {
  for (const pause of [0, 10, 30, 100, 300, 1000]) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      return await folder.removeEntry(name);
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
  }
}

async function openFile(path: string, root: FileSystemDirectoryHandle): Promise<Open> {
  const folder = await folderFor(path, root);
  const name = baseName(path);
  let isNew = false;
  const handle = await folder.getFileHandle(name).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    isNew = true;
    return folder.getFileHandle(name, { create: true });
  });
  return { path, folder, stream: await handle.createWritable(), isNew };
}

async function folderFor(path: string, root: FileSystemDirectoryHandle): Promise<FileSystemDirectoryHandle> {
  let folder = root;
  for (const part of folderOf(path).split('/').slice(0, -1)) folder = await folder.getDirectoryHandle(part, { create: true });
  return folder;
}

function isXml(path: string): boolean {
  return path.endsWith('.xml');
}

const isNamed = (error: unknown, name: string): boolean => error instanceof DOMException && error.name === name;
const isMissing = (error: unknown): boolean => isNamed(error, 'NotFoundError');
const isLocked = (error: unknown): boolean => isNamed(error, 'NoModificationAllowedError');

/** Of a Blob whose file has changed. */
const UNREADABLE: [reason: Template, hint: string] = [msg`the model's file has changed or cannot be read any more`, 'convert the model again'];
const REASONS: Readonly<Record<string, [reason: Template, hint: string]>> = {
  QuotaExceededError: [msg`there is no space left`, 'make room, or choose another folder'],
  NotAllowedError: [msg`the browser was not allowed to`, 'choose the folder again and allow changes in it, or choose another one'],
  NoModificationAllowedError: [msg`another program or page has it open`, 'close that, or choose another folder'],
  NotReadableError: UNREADABLE,
  // Chromium's, while it streams.
  TypeError: UNREADABLE,
};

function writeError(error: unknown, path: string): MoError {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  const [reason, hint] = REASONS[name] ?? [msg`${message}`, "check the folder's permissions and the free space"];
  return new MoError([pageMessage(HostWriteFailed, withDetail('a file could not be written', reason), hint, path)]);
}
