import { FORMATS, type FileWithPath } from '@mo/wasm';

/** A model from the user: the file or folder to convert, and all files that came with it. */
export interface Chosen {
  main: FileWithPath | { path: string };
  side: FileWithPath[];
}

type Kind = (file: FileWithPath) => boolean;

const endsAs = (reads: boolean): Kind => {
  const endings = FORMATS.filter((format) => format.reads === reads).flatMap((format) => format.endings);
  return ({ path }) => endings.some((ending) => path.toLowerCase().endsWith(ending));
};
const isModel = endsAs(true);
/** Models that the core only recognises. */
const isOther = endsAs(false);

/**
 * Finds the model among the files: by extension, in the topmost folder; else the only file, or the folder that contains
 * all files.
 */
export function choose(files: readonly FileWithPath[]): Chosen | undefined {
  const depth = ({ path }: FileWithPath) => path.split('/').length;
  const highest = (kind: Kind) => files.filter(kind).sort((a, b) => depth(a) - depth(b))[0];
  const main = highest(isModel) ?? highest(isOther) ?? (files.length === 1 ? files[0] : commonFolder(files));
  return main && { main, side: files.filter((file) => file !== main) };
}

function commonFolder(files: readonly FileWithPath[]): { path: string } | undefined {
  const [folder] = files[0]?.path.split('/') ?? [];
  return folder && files.every(({ path }) => path.startsWith(`${folder}/`)) ? { path: folder } : undefined;
}

/** Whether none of the files is a model, so that they can only be side files. */
export function onlySide(files: readonly FileWithPath[]): boolean {
  return !files.some(isModel);
}

/** The model with more side files; a file with the same path replaces the old one. */
export function withMore(chosen: Chosen, more: readonly FileWithPath[]): Chosen {
  const paths = new Set(more.map(({ path }) => path));
  return { main: chosen.main, side: [...chosen.side.filter(({ path }) => !paths.has(path)), ...more] };
}

/** The bare name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
