import type { FileWithPath } from '@mo/wasm';

/** Accepts files dropped anywhere on the page; `overlay` is visible while files are dragged over it. */
export function acceptDrops(overlay: HTMLElement, onFiles: (files: FileWithPath[]) => void): void {
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
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
    onFiles(await droppedFiles(event.dataTransfer!));
  });
}

/** Files from an `<input type="file">`, with their paths if a folder was chosen. */
export function filesWithPaths(files: FileList | readonly File[]): FileWithPath[] {
  return Array.from(files, (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** Folders are walked if the browser supports it; otherwise only single files are accepted. */
async function droppedFiles(transfer: DataTransfer): Promise<FileWithPath[]> {
  const items = Array.from(transfer.items).filter((item) => item.kind === 'file');
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = filesWithPaths(transfer.files);
  if (!entries.some((entry) => entry?.isDirectory)) return files;
  return (await Promise.all(entries.map((entry) => (entry ? walk(entry) : [])))).flat();
}

async function walk(entry: FileSystemEntry): Promise<FileWithPath[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path: entry.fullPath.replace(/^\//, ''), file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const entries: FileSystemEntry[] = [];
  // A reader returns some entries at a time, and none at the end.
  for (let some; (some = await nextEntries(reader)).length > 0; ) entries.push(...some);
  return (await Promise.all(entries.map(walk))).flat();
}

function nextEntries(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject));
}
