import { FORMATS, type FileWithPath } from '@mo/wasm';

/** A model that the user brought: the file to convert, or the folder that it is, and everything that came with it. */
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
/** Models that the core recognises, to say that it does not read them. */
const isOther = endsAs(false);

/**
 * Finds the model among the files: by its extension, the one that lies highest; else the only file there is, or the folder
 * that all of them lie in.
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

/** Whether none of the files is a model, so that they can only go with one. */
export function onlySide(files: readonly FileWithPath[]): boolean {
  return !files.some(isModel);
}

/** The model with more side files; one of the same path takes the place of the older. */
export function withMore(chosen: Chosen, more: readonly FileWithPath[]): Chosen {
  const paths = new Set(more.map(({ path }) => path));
  return { main: chosen.main, side: [...chosen.side.filter(({ path }) => !paths.has(path)), ...more] };
}

/** The bare name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
