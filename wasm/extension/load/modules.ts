/** What the files of an extensions root are by their paths. */
import { FORMATS } from '../../library/shared/formats.js';

/** What folders below `front/` may be called. */
export const FRAMEWORKS: readonly string[] = FORMATS.map(({ framework }) => framework);

export type Folder = 'ops' | 'front' | 'middle' | 'back';

/** What a module is by the folder that it stands in. */
export interface ModuleKind {
  readonly folder: Folder;
  /** Empty for all frameworks. */
  readonly framework: string;
}

/** A module that has run, with what it exports. */
export interface LoadedModule {
  readonly root: string;
  readonly path: string;
  /** undefined: it stands outside the known folders, and only others import it. */
  readonly kind: ModuleKind | undefined;
  readonly exports: Readonly<Record<string, unknown>>;
}

export function isModule(path: string): boolean {
  return /\.m?js$/.test(path);
}

/** undefined for a file outside the folders that say what it is. */
export function kindOf(path: string): ModuleKind | undefined {
  const [folder, ...rest] = path.split('/');
  if ((folder === 'ops' || folder === 'middle' || folder === 'back' || folder === 'front') && rest.length === 1)
    return { folder, framework: '' };
  if (folder === 'front' && rest.length === 2 && FRAMEWORKS.includes(rest[0]!)) return { folder, framework: rest[0]! };
  return undefined;
}

/** `my_ext/front/onnx/mish.js` and Mish give `my_ext.front.onnx.mish.Mish`. */
export function fullName(file: string, className: string): string {
  return `${file.replace(/\.m?js$/, '').replaceAll('/', '.')}.${className}`;
}

/** The path that `specifier` means in the module at `path`; undefined when it leaves the root. */
export function resolvePath(path: string, specifier: string): string | undefined {
  const parts = path.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
