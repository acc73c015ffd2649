import { MoError, type ExtensionRoot, type FileWithPath } from '@mo/wasm';

import { baseName } from './chosen.js';
import { button, byId, fill, h } from '../page/dom.js';
import { countText, t } from '../language/texts.js';
import { unreadable } from '../report/messages.js';
import { filteredInParts } from '../page/pauses.js';

/** A module in one of the known folders, after the path of the folder of extensions. */
const IN_A_FOLDER = /^(?:(.*?)\/)?(?:ops|front|middle|back)\/.*\.m?[jt]s$/;
const MODULE = /\.m?js$|^(?!.*\.d\.m?ts$).*\.m?ts$/;
/** What looks like a module, wherever it lies, and what was an extension in Python. */
const LIKE_A_MODULE = /(?<!\.d)\.[cm]?[jt]sx?$/;
const PYTHON = /(?:^|\/)(?:ops|front|middle|back|mo_extensions|extensions)\/.*\.py$/;

/** Whether a file that is no module of an extension looks as if it should be one. */
export const isStray = (path: string): boolean => LIKE_A_MODULE.test(path);
export const isPython = (path: string): boolean => PYTHON.test(path);

/** The modules of extensions among the files. */
export async function modulesOf(files: readonly FileWithPath[]): Promise<FileWithPath[]> {
  const modules = await filteredInParts(files, ({ path }) => MODULE.test(path));
  const folders = foldersOf(modules);
  return filteredInParts(modules, ({ path }) => folderOf(path, folders) !== undefined);
}

/** The folders of extensions; '' for modules without a folder. */
function foldersOf(files: readonly FileWithPath[]): Set<string> {
  return new Set(files.flatMap(({ path }) => IN_A_FOLDER.exec(path)?.slice(1) ?? []).map((folder: string | undefined) => folder ?? ''));
}

/** The outermost folder of extensions of a module, which may be outside the known folders: other modules may import it. */
function folderOf(path: string, folders: ReadonlySet<string>): string | undefined {
  if (folders.has('')) return '';
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) if (folders.has(path.slice(0, at))) return path.slice(0, at);
  return undefined;
}

/** The folders of extensions, with the texts of their modules. Several may have the same name. */
export async function readRoots(files: readonly FileWithPath[]): Promise<ExtensionRoot[]> {
  const roots = new Map<string, [path: string, text: string][]>();
  const folders = foldersOf(files);
  for (const { path, file } of files) {
    const folder = folderOf(path, folders)!;
    const module = folder === '' ? path : path.slice(folder.length + 1);
    const text = await file.text().catch((error: unknown) => {
      throw new MoError([unreadable('file', path, error)]);
    });
    const known = roots.get(folder);
    if (known) known.push([module, text]);
    else roots.set(folder, [[module, text]]);
  }
  return Array.from(roots, ([folder, files]) => ({ name: baseName(folder) || 'dropped', files }));
}

/** The extensions at hand: those of the conversion, and those that are off. */
export interface Extensions {
  readonly on: readonly ExtensionRoot[];
  readonly off: readonly ExtensionRoot[];
}

/** Lists the extensions in the panel, with buttons to remove them and to switch on those that are off. */
export function showExtensions({ on, off }: Extensions, set: (next: Extensions) => void): void {
  byId('extensions').hidden = on.length + off.length === 0;
  fill(
    byId('extensions'),
    h('h3', {}, t('Extensions')),
    on.length > 0 && moduleList(on),
    on.length > 0 && button(t('Remove'), 'quiet', () => set({ on: [], off })),
    off.length > 0 && h('p', { class: 'hint' }, t('Off, because they came in an archive or from another app or site:')),
    off.length > 0 && moduleList(off),
    off.length > 0 && button(t('Switch on'), 'quiet', () => set({ on: [...on, ...off], off: [] })),
  );
}

function moduleList(roots: readonly ExtensionRoot[]): HTMLElement {
  const paths = roots.flatMap(({ name, files }) => files.map(([path]) => `${name}/${path}`));
  return h('ul', { class: 'modules', 'aria-label': countText(paths.length, 'module') }, ...paths.map((path) => h('li', {}, h('code', {}, path))));
}
