/** Files and folders that the browser gives as handles. */
import type { Brought } from './brought.js';
import { unreadable } from '../report/messages.js';

/** Adds a file, or the files of a folder. One that cannot be read becomes an error; the others still come. */
export async function readHandle(handle: FileSystemHandle, brought: Brought, path = handle.name): Promise<void> {
  try {
    if (handle.kind === 'file') {
      brought.files.push({ path, file: await (handle as FileSystemFileHandle).getFile() });
      return;
    }
    const inner: Promise<void>[] = [];
    for await (const entry of (handle as FileSystemDirectoryHandle).values()) inner.push(readHandle(entry, brought, `${path}/${entry.name}`));
    await Promise.all(inner);
  } catch (error) {
    brought.errors.push(unreadable(handle.kind === 'file' ? 'file' : 'folder', path, error));
  }
}

/**
 * Dropped items as handles: on a page that was opened as a file, Chromium gives entries that cannot be read. undefined if entries can be
 * read.
 */
export function handlesOf(items: readonly DataTransferItem[]): Promise<(FileSystemHandle | null)[]> | undefined {
  type WithHandle = DataTransferItem & { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> };
  const given = items as readonly WithHandle[];
  if (location.protocol !== 'file:' || !given.every((item) => item.getAsFileSystemHandle)) return undefined;
  // The items are gone after the event, so all handles are requested before one is awaited.
  return Promise.all(given.map((item) => item.getAsFileSystemHandle!()));
}
