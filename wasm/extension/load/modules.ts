/** The role of the files of a folder of extensions, by path. */
import { FORMATS } from '../../library/shared/formats.js';

/** The allowed names of folders in `front/`. */
export const FRAMEWORKS: readonly string[] = FORMATS.map(({ framework }) => framework);

export type Folder = 'ops' | 'front' | 'middle' | 'back';

/** The role of a module, given by its folder. */
export interface ModuleKind {
  readonly folder: Folder;
  /** Empty for all frameworks. */
  readonly framework: string;
}

/** A module that has run, with its exports. */
export interface LoadedModule {
  readonly root: string;
  readonly path: string;
  /** undefined: it is outside the known folders; only other modules import it. */
  readonly kind: ModuleKind | undefined;
  readonly exports: Readonly<Record<string, unknown>>;
  /** Whether another module has imported it. Known when all are loaded. */
  isImported(): boolean;
}

export function isModule(path: string): boolean {
  return /\.m?js$/.test(path);
}

/** undefined for a file outside the known folders. */
export function kindOf(path: string): ModuleKind | undefined {
  const [folder, ...rest] = path.split('/');
  if ((folder === 'ops' || folder === 'middle' || folder === 'back' || folder === 'front') && rest.length === 1)
    return { folder, framework: '' };
  if (folder === 'front' && rest.length === 2 && FRAMEWORKS.includes(rest[0]!)) return { folder, framework: rest[0]! };
  return undefined;
}

/** For `my_ext/front/onnx/mish.js` and Mish: `my_ext.front.onnx.mish.Mish`. */
export function fullName(file: string, className: string): string {
  return `${file.replace(/\.m?js$/, '').replaceAll('/', '.')}.${className}`;
}

/** The path of `specifier` in the module at `path`; undefined when it leaves the root. */
export function resolvePath(path: string, specifier: string): string | undefined {
  const parts = path.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
