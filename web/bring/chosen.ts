import { findModels, FORMATS, type CompanionFiles, type FileWithPath, type Format, type FoundModels, type Message } from '@mo/wasm';

import { PackedBlob, StoredBlob } from '../archive/packed.js';
import { byPath } from '../archive/paths.js';
import { filteredInParts, forEachInParts, sortedInParts } from '../page/pauses.js';

/** A model that the user brought: the file to convert, or the folder that it is, and the files that may be its data. */
export interface Chosen {
  main: FileWithPath | { path: string };
  side: FileWithPath[];
  /** What its format needs besides, present or not. */
  companions: readonly CompanionFiles[];
  /** The value of option model_name that chooses it, if its file has several models. */
  model?: string;
}

type Kind = (file: FileWithPath) => boolean;

const endsAs = (formats: readonly Format[]): Kind => {
  const endings = formats.flatMap((format) => format.endings);
  return ({ path }) => {
    const lower = path.toLowerCase();
    return endings.some((ending) => lower.endsWith(ending));
  };
};
const isKnown = endsAs(FORMATS);
/** Models that the core only recognises. */
export const isOther = endsAs(FORMATS.filter(({ reads }) => !reads));
export const isJson: Kind = ({ path }) => /\.json$/i.test(path);

/** Of so many packed files whose names do not tell what they are the first bytes are looked at. */
const MOST_UNPACKED = 1000;

/** The models among the files, those that lie highest first, and what some of the others are, by their paths. */
export interface Found {
  models: Chosen[];
  recognised: ReadonlyMap<string, Message>;
}

export async function chooseModels(files: readonly FileWithPath[]): Promise<Found> {
  const companionsOf = new Map<string, readonly CompanionFiles[]>();
  const namesOf = new Map<string, readonly string[]>();
  const saved = new Map<string, FileWithPath[]>();
  const found = await find(files);
  await forEachInParts(found.models, ({ main, isFolder, companions }) => {
    companionsOf.set(main, companions);
    const names = companions.find(({ option }) => option === 'model_name')?.candidates;
    if (names) namesOf.set(main, names);
    if (isFolder) saved.set(`${main}/`, []);
  });
  const mains: FileWithPath[] = [];
  const others: FileWithPath[] = [];
  // Models in one folder share their list.
  const sides = new Map<string, FileWithPath[]>();
  await forEachInParts(files, (file) => {
    const inside = saved.size === 0 ? [] : foldersAround(file.path).filter((folder) => saved.has(folder));
    for (const folder of inside) saved.get(folder)!.push(file);
    if (inside.length > 0) return;
    if (!companionsOf.has(file.path)) return void others.push(file);
    mains.push(file);
    sides.set(folderOf(file.path), []);
  });
  const common: FileWithPath[] = [];
  await forEachInParts(others, (file) => {
    const nearest = foldersAround(file.path).findLast((folder) => sides.has(folder));
    (nearest === undefined ? common : sides.get(nearest)!).push(file);
  });
  const lists = new Map(sides.size <= MOST_LISTS ? Array.from(sides, ([folder, own]) => [folder, own.concat(common)]) : sides);
  const models = Array.from(saved, ([folder, side]): Chosen => ({ main: { path: folder.slice(0, -1) }, side, companions: companionsOf.get(folder.slice(0, -1))! }));
  await forEachInParts(mains, (main) => void models.push({ main, side: lists.get(folderOf(main.path))!, companions: companionsOf.get(main.path)! }));
  const each = namesOf.size === 0 ? models : models.flatMap((one) => namesOf.get(one.main.path)?.map((model) => ({ ...one, model })) ?? [one]);
  return { models: await sortedInParts(each, (a, b) => byPlace(a.main, b.main)), recognised: new Map(found.recognised.map((message) => [message.file, message])) };
}

/** More files than this with one ending that no model has are data of somebody: which of them belong to a model only the model says. */
const BULK = 1000;

async function withoutBulk(files: readonly FileWithPath[]): Promise<readonly FileWithPath[]> {
  if (files.length <= BULK) return files;
  const count = new Map<string, number>();
  await forEachInParts(files, ({ path }) => void count.set(endingOf(path), (count.get(endingOf(path)) ?? 0) + 1));
  return filteredInParts(files, (file) => count.get(endingOf(file.path))! <= BULK || isKnown(file));
}

function endingOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(dot).toLowerCase() : '';
}

/** Packed files are unpacked where names do not tell what they are. */
async function find(files: readonly FileWithPath[]): Promise<FoundModels> {
  if (files.length === 0) return { models: [], others: [], unread: [], recognised: [] };
  const looked = await withoutBulk(files);
  const unpacked = new Map<string, Blob>();
  // To make very many Blobs takes long.
  const areFew = looked.length <= MOST_UNPACKED;
  const bytesOf = ({ path, file }: FileWithPath) => unpacked.get(path) ?? (file instanceof StoredBlob && areFew ? file.part : file instanceof PackedBlob ? undefined : file);
  const look = () => findModels(looked.map((one) => {
    const file = bytesOf(one);
    return file ? { path: one.path, file } : { path: one.path };
  }));
  const found = await look();
  // An .xml may be an IR, which is wanted where no model is.
  const xmls = found.models.length > 0 ? [] : looked.map(({ path }) => path).filter((path) => /\.xml$/i.test(path));
  const unread = new Set([...found.unread, ...xmls].slice(0, MOST_UNPACKED));
  for (const { path, file } of looked) if (unread.has(path) && file instanceof PackedBlob) unpacked.set(path, await file.whole());
  return unpacked.size > 0 ? look() : found;
}

/** Models in more folders than this do not share the files outside of all these folders: such lists would be immense. */
const MOST_LISTS = 1000;

/** The folders in which a file lies, the outermost first; '' for none. */
function foldersAround(path: string): string[] {
  const folders = [''];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at + 1));
  return folders;
}

/** A function that says whether a file is a part of one of these models that is a folder. */
export function partsOf(models: readonly Chosen[]): (file: FileWithPath) => boolean {
  const folders = new Set(models.flatMap(({ main }) => ('file' in main ? [] : [`${main.path}/`])));
  return ({ path }) => folders.size > 0 && foldersAround(path).some((folder) => folders.has(folder));
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

function byPlace(a: { path: string }, b: { path: string }): number {
  const depth = ({ path }: { path: string }) => path.split('/').length;
  return depth(a) - depth(b) || byPath(a, b);
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
export async function withMore({ main, side, companions, ...rest }: Chosen, more: readonly FileWithPath[]): Promise<Chosen> {
  const paths = new Set(more.map(({ path }) => path));
  const all = [...side.filter(({ path }) => !paths.has(path)), ...more];
  const again = await find('file' in main ? [main, ...all] : all);
  return { ...rest, main, side: all, companions: again.models.find((model) => model.main === main.path)?.companions ?? companions };
}

/**
 * Files that could be models may be the other halves of those that have failed: a network of Caffe and its weights each are one. Gives the models of
 * all files together, if one of these is a part of another now, or a file of a `wanted` name, and no new one is left over; otherwise undefined.
 */
export async function joinedModels(failed: readonly Chosen[], models: readonly Chosen[], more: readonly FileWithPath[], wanted: ReadonlySet<string>): Promise<readonly Chosen[] | undefined> {
  if (failed.length === 0 || models.length === 0) return undefined;
  const own = failed.flatMap(({ main, side }) => ('file' in main ? [main, ...side] : side));
  const all = new Map([...own, ...more].map((file) => [file.path, file]));
  const together = (await chooseModels([...all.values()])).models;
  const mains = new Set(together.map(({ main }) => main.path));
  const parts = new Set(together.flatMap(({ companions }) => companions.flatMap(({ files }) => files)));
  const isPart = partsOf(together);
  const isJoined = ({ main }: Chosen) => !mains.has(main.path) && ('file' in main ? parts.has(main.path) || isPart(main) || wanted.has(baseName(main.path)) : false);
  return [...failed, ...models].some(isJoined) && models.every((model) => mains.has(model.main.path) || isJoined(model)) ? together : undefined;
}

/** The folder of a path, with the slash behind it; '' where there is none. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** The bare name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
