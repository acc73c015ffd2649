import { FORMATS, type FileWithPath } from '@mo/wasm';

/** A model that the user brought: the file to convert, or the folder that it is, and the files that may be its data. */
export interface Chosen {
  main: FileWithPath | { path: string };
  side: FileWithPath[];
}

type Kind = (file: FileWithPath) => boolean;

const endsAs = (reads: boolean): Kind => {
  const endings = FORMATS.filter((format) => format.reads === reads).flatMap((format) => format.endings);
  return ({ path }) => endings.some((ending) => path.toLowerCase().endsWith(ending));
};
/** Files beside a SavedModel's graph whose names end in `.pb`, too, and which are no models. */
const isBesides: Kind = ({ path }) => /(^|\/)(fingerprint|keras_metadata)\.pb$/.test(path);
const hasModelEnding = endsAs(true);
const isModel: Kind = (file) => hasModelEnding(file) && !isBesides(file);
/** Models that the core only recognises. */
export const isOther = endsAs(false);
export const isJson: Kind = ({ path }) => /\.json$/i.test(path);

/** The models among the files, by their endings, and folders of SavedModels: those that lie highest come first. */
export function chooseModels(files: readonly FileWithPath[]): Chosen[] {
  const saved = [...new Set(files.filter(({ path }) => /\/saved_model\.pb(txt)?$/.test(path)).map(({ path }) => folderOf(path)))];
  const isIn = (folder: string): Kind => ({ path }) => path.startsWith(folder);
  const free = files.filter((file) => !saved.some((folder) => isIn(folder)(file)));
  const mains = free.filter(isModel);
  const folders = [...new Set(mains.map(({ path }) => folderOf(path)))];
  const sides = new Map<string | undefined, FileWithPath[]>([...folders, undefined].map((folder) => [folder, []]));
  for (const file of free) if (!isModel(file)) sides.get(nearest(file.path, folders))!.push(file);
  return [
    ...saved.map((folder): Chosen => ({ main: { path: folder.slice(0, -1) }, side: files.filter(isIn(folder)) })),
    ...mains.map((main): Chosen => ({ main, side: [...sides.get(folderOf(main.path))!, ...sides.get(undefined)!] })),
  ].sort((a, b) => byPlace(a.main, b.main));
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
  return main && { main, side: files.filter((file) => file !== main) };
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
export function withMore(chosen: Chosen, more: readonly FileWithPath[]): Chosen {
  const paths = new Set(more.map(({ path }) => path));
  return { main: chosen.main, side: [...chosen.side.filter(({ path }) => !paths.has(path)), ...more] };
}

/** The folder of a path, with the slash behind it; '' where there is none. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The bare name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
