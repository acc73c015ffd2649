/** The script that QuickJS runs in the native `mo`: the loader of extensions, and the few names of other hosts that QuickJS lacks. */
import type { CoreTable, ExtensionCallbacks, Failure } from '../extension/core/core-table.js';
import { describeStop } from '../extension/core/failure.js';
import type { ExtensionRoot } from '../extension/load/loader.js';
import type { LoadWarning } from '../extension/load/register.js';
import type { TypeScript } from '../extension/load/loader.js';
import { load as loadExtensions, LoadingError } from '../extension/load/start.js';
import { addConsole } from './console.js';
import { addTextCoding } from './text-coding.js';

/** What the binary does for this script. */
export interface Host {
  /** Makes the text importable as a module of that name. */
  defineModule(name: string, source: string): void;
  log(level: string, text: string): void;
  print(error: boolean, text: string): void;
}

interface Loaded {
  callbacks: ExtensionCallbacks;
  warnings: readonly LoadWarning[];
}

let lastModule = '';

/** The binary has this module beside this script. */
const TYPE_SCRIPT = '@mo/wasm/typescript';
const typeScript: TypeScript = () => import(/* @vite-ignore */ TYPE_SCRIPT);

export async function load(core: CoreTable, host: Host, roots: readonly ExtensionRoot[]): Promise<Loaded | { failure: Failure }> {
  addTextCoding();
  addConsole(host.print);
  const names = new Map<string, number>();
  const toUrl = (source: string, name: string): string => {
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    lastModule = name;
    const url = count === 1 ? name : `${name}#${count}`;
    host.defineModule(url, source);
    return url;
  };
  try {
    return await loadExtensions(core, roots, typeScript, ({ level, text }) => host.log(level, text), toUrl);
  } catch (error) {
    if (!(error instanceof LoadingError)) throw error;
    return { failure: { text: error.message, hint: error.hint, node: '', file: error.file } };
  }
}

/** The failure of a module that waits for a promise that is never settled. */
export function waiting(): Failure {
  const file = decodeURI(lastModule);
  return { text: `${file} waits for something that never happens`, hint: '', node: '', file };
}

export const stopped = describeStop;
