/** The role of the files of a folder of extensions, by path. */
import { FORMATS } from '../../library/shared/formats.js';
import { nearest } from '../../library/shared/nearest.js';

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
  return /\.m?js$/.test(path) || isTypeScript(path);
}

export function isTypeScript(path: string): boolean {
  return /\.m?ts$/.test(path) && !isDeclaration(path);
}

/** Only types, which nobody misses. */
export function isDeclaration(path: string): boolean {
  return /\.d\.m?ts$/.test(path);
}

/** `mish.js` for `mish.ts`: what a compiler makes of it, and the name by which TypeScript imports it. */
export function compiledPath(path: string): string {
  return path.replace(/\.(m?)ts$/, '.$1js');
}

/** What an import of the path may mean. */
export function importCandidates(path: string): readonly string[] {
  return [path, `${path}.js`, `${path}.mjs`, path.replace(/\.(m?)js$/, '.$1ts'), `${path}.ts`, `${path}.mts`];
}

const FOLDERS: readonly Folder[] = ['ops', 'front', 'middle', 'back'];

/** The folder that the path seems to mean, for a module outside the known folders. */
export function meantFolder(path: string): string | undefined {
  const [folder = '', framework = '', ...rest] = path.split('/');
  if (folder === 'front' && rest.length > 0) {
    const meant = nearest(framework, FRAMEWORKS);
    return meant && `front/${meant}`;
  }
  return framework === '' ? undefined : nearest(folder, FOLDERS);
}

/** undefined for a file outside the known folders. */
export function kindOf(path: string): ModuleKind | undefined {
  const [folder, ...rest] = path.split('/');
  if ((folder === 'ops' || folder === 'middle' || folder === 'back' || folder === 'front') && rest.length === 1)
    return { folder, framework: '' };
  if (folder === 'front' && rest.length === 2 && FRAMEWORKS.includes(rest[0]!)) return { folder, framework: rest[0]! };
  return undefined;
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
