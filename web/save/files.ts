/** Files to be saved together. */
import type { Task } from '../convert/task.js';
import { folderOf } from '../bring/chosen.js';
import type { Download, OutFile } from './out-file.js';

export function filesOf(downloads: readonly Download[]): OutFile[] {
  return downloads.map((download) => ({ path: download.name, download }));
}

/** The files of several models. If two names are equal, or differ only in case, all files are in folders as their models were. */
export function filesOfAll(tasks: readonly Task[]): OutFile[] {
  const downloads = tasks.flatMap(({ path, done }) => (done?.downloads ?? []).map((download) => ({ download, folder: folderOf(path) })));
  const isUnique = (paths: readonly string[]) => new Set(paths.map((path) => path.toLowerCase())).size === paths.length;
  const names = downloads.map(({ download }) => download.name);
  if (isUnique(names)) return filesOf(downloads.map(({ download }) => download));
  const paths = downloads.map(({ folder, download }) => folder + download.name);
  if (isUnique(paths)) return downloads.map(({ download }, index) => ({ path: paths[index]!, download }));
  // Models of the same name that lay in no folder, or were brought apart from it.
  return tasks.filter(({ done }) => done).flatMap(({ done }, index) =>
    done!.downloads.map((download) => ({ path: `${index + 1}/${download.name}`, download })));
}

export function sizeOf(files: readonly OutFile[]): number {
  return files.reduce((sum, { download }) => sum + download.size, 0);
}

const saved = new WeakSet<Download>();

/** Notes that the user has the files, or that the browser is saving them. */
export function markSaved(downloads: readonly Download[]): void {
  for (const download of downloads) saved.add(download);
}

export function areSaved(downloads: readonly Download[]): boolean {
  return downloads.every((download) => saved.has(download));
}
