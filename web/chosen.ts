import { findModels, FORMATS, type CompanionFiles, type FileWithPath, type FoundModels } from '@mo/wasm';

import { PackedBlob } from './archive/packed.js';

/** A model that the user brought: the file to convert, or the folder that it is, and the files that may be its data. */
export interface Chosen {
  main: FileWithPath | { path: string };
  side: FileWithPath[];
  /** What its format needs besides, present or not. */
  companions: readonly CompanionFiles[];
}

type Kind = (file: FileWithPath) => boolean;

const endsAs = (reads: boolean): Kind => {
  const endings = FORMATS.filter((format) => format.reads === reads).flatMap((format) => format.endings);
  return ({ path }) => endings.some((ending) => path.toLowerCase().endsWith(ending));
};
/** Models that the core only recognises. */
export const isOther = endsAs(false);
export const isJson: Kind = ({ path }) => /\.json$/i.test(path);

/** Of so many packed files whose names do not tell what they are the first bytes are looked at. */
const MOST_UNPACKED = 1000;

/** The models among the files: those that lie highest come first. */
export async function chooseModels(files: readonly FileWithPath[]): Promise<Chosen[]> {
  const { models } = await find(files);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const claimed = models.filter(({ isFolder }) => isFolder).map(({ main }) => `${main}/`);
  const mains = new Set(models.map(({ main }) => main));
  const folders = [...new Set(models.filter(({ isFolder }) => !isFolder).map(({ main }) => folderOf(main)))];
  const sides = new Map<string | undefined, FileWithPath[]>([...folders, undefined].map((folder) => [folder, []]));
  const inFolder = new Map(claimed.map((folder): [string, FileWithPath[]] => [folder, []]));
  for (const file of files) {
    const folder = claimed.find((one) => file.path.startsWith(one));
    if (folder !== undefined) inFolder.get(folder)!.push(file);
    else if (!mains.has(file.path)) sides.get(nearest(file.path, folders))!.push(file);
  }
  return models.map(({ main, isFolder, companions }): Chosen => isFolder
    ? { main: { path: main }, side: inFolder.get(`${main}/`)!, companions }
    : { main: byPath.get(main)!, side: [...sides.get(folderOf(main))!, ...sides.get(undefined)!], companions },
  ).sort((a, b) => byPlace(a.main, b.main));
}

/** Packed files are unpacked where names do not tell what they are. */
async function find(files: readonly FileWithPath[]): Promise<FoundModels> {
  const unpacked = new Map<string, Blob>();
  const look = () => findModels(files.map(({ path, file }) => (file instanceof PackedBlob && !unpacked.has(path) ? { path } : { path, file: unpacked.get(path) ?? file })));
  const found = await look();
  const unread = new Set(found.unread.slice(0, MOST_UNPACKED));
  if (unread.size === 0) return found;
  for (const { path, file } of files) if (unread.has(path) && file instanceof PackedBlob) unpacked.set(path, await file.whole());
  return look();
}

/** Whether the file is a part of a model that is a folder. */
export function isPart({ path }: FileWithPath, models: readonly Chosen[]): boolean {
  return models.some(({ main }) => !('file' in main) && path.startsWith(`${main.path}/`));
}

/**
 * If no file looks like a model, the core gets this one and says what is wrong: a file of a format that it recognises, the only file, or
 * the folder.
 */
export function guessModel(files: readonly FileWithPath[]): Chosen | undefined {
  const [only] = files;
  const main = files.filter(isOther).sort(byPlace)[0] ?? (files.length === 1 && !isJson(only!) ? only : commonFolder(files));
  return main && { main, side: files.filter((file) => file !== main), companions: [] };
}

const collator = new Intl.Collator('en', { numeric: true });

export function byPath(a: { path: string }, b: { path: string }): number {
  return collator.compare(a.path, b.path);
}

function byPlace(a: { path: string }, b: { path: string }): number {
  const depth = ({ path }: { path: string }) => path.split('/').length;
  return depth(a) - depth(b) || byPath(a, b);
}

/** The innermost of these folders of models in which the file lies: it belongs to the models there. A file in none of them belongs to all models. */
function nearest(path: string, folders: readonly string[]): string | undefined {
  return folders.filter((folder) => path.startsWith(folder)).sort((a, b) => b.length - a.length)[0];
}

function commonFolder(files: readonly FileWithPath[]): { path: string } | undefined {
  const [folder, rest] = files[0]?.path.split('/') ?? [];
  return folder && rest && files.every(({ path }) => path.startsWith(`${folder}/`)) ? { path: folder } : undefined;
}

/** In bytes. A model that is a folder is as large as what is in it. */
export function sizeOf({ main, side }: Chosen): number {
  return 'file' in main ? main.file.size : side.reduce((sum, { file }) => sum + file.size, 0);
}

/** The model with more side files; a file with the same path replaces the old one. */
export async function withMore({ main, side, companions }: Chosen, more: readonly FileWithPath[]): Promise<Chosen> {
  const paths = new Set(more.map(({ path }) => path));
  const all = [...side.filter(({ path }) => !paths.has(path)), ...more];
  const again = await find('file' in main ? [main, ...all] : all);
  return { main, side: all, companions: again.models.find((model) => model.main === main.path)?.companions ?? companions };
}

/** The folder of a path, with the slash behind it; '' where there is none. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The bare name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
