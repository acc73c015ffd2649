import type { FileWithPath } from '@mo/wasm';

import { addressIn, refusedAddress } from './address.js';
import type { Brought } from './brought.js';
import { handlesOf, readHandle } from './handles.js';
import { unreadable } from '../report/messages.js';

/** Accepts files dropped anywhere on the page; `overlay` is visible while files are dragged over it. */
export function acceptDrops(overlay: HTMLElement, onFiles: (brought: Brought) => void): void {
  const carries = (event: DragEvent, type: string) => event.dataTransfer?.types.includes(type) ?? false;
  // A link that is dragged here from elsewhere; in a field it is text.
  const carriesFiles = (event: DragEvent) => carries(event, 'Files') || (carries(event, 'text/uri-list') && !(event.target as Element).closest?.('input, textarea'));
  let depth = 0;
  const show = (change: number) => {
    depth = change && depth + change;
    overlay.hidden = depth <= 0;
  };
  addEventListener('dragenter', (event) => carriesFiles(event) && show(1));
  addEventListener('dragleave', (event) => carriesFiles(event) && show(-1));
  addEventListener('dragover', (event) => carriesFiles(event) && event.preventDefault());
  addEventListener('drop', async (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    show(0);
    const transfer = event.dataTransfer!;
    const address = carries(event, 'Files') ? undefined : addressIn(transfer.getData('text/uri-list'));
    if (address !== undefined) return onFiles(refusedAddress(address));
    if (carries(event, 'Files')) onFiles(await transferredFiles(transfer));
  });
}

/** Files from an `<input type="file">`, with their paths if a folder was chosen. */
export function filesWithPaths(files: FileList | readonly File[]): FileWithPath[] {
  return Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Dropped or pasted files. Folders are walked if the browser supports it; otherwise only single files are accepted. */
export async function transferredFiles(transfer: DataTransfer): Promise<Brought> {
  const items = Array.from(transfer.items).filter((item) => item.kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  const brought: Brought = { files: filesWithPaths(transfer.files), errors: [] };
  if (!entries.some((entry) => entry?.isDirectory)) return brought;
  const handles = handlesOf(items);
  brought.files = [];
  if (handles) {
    await Promise.all((await handles).map((handle) => handle && readHandle(handle, brought)));
    return brought;
  }
  await Promise.all(entries.map((entry) => entry && walk(entry, brought)));
  return brought;
}

/** Adds a file, or the files of a folder. One that cannot be read becomes an error; the others still come. */
async function walk(entry: FileSystemEntry, brought: Brought): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '');
  try {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      brought.files.push({ path, file });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    const entries: FileSystemEntry[] = [];
    // A reader returns some entries at a time, and none at the end.
    for (let some; (some = await nextEntries(reader)).length > 0; ) for (const one of some) entries.push(one);
    await Promise.all(entries.map((inner) => walk(inner, brought)));
  } catch (error) {
    brought.errors.push(unreadable(entry.isFile ? 'file' : 'folder', path, error));
  }
}

function nextEntries(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}
