/** Errors thrown by extension code, in the form for its author: class, module, line, node and message. */
import type { Failure } from './core-table.js';
import { CoreError, MoError } from './error.js';

/** Where a class comes from. */
export interface Origin {
  readonly className: string;
  /** `<root>/<path>` of its module. */
  readonly file: string;
}

/** The loaded modules, by their names in stack traces. */
const modules = new Map<string, string>();

/** Is notified of what extensions do: of the core's outermost calls, and of modules that are run. */
export interface Watcher {
  begin(what: string): void;
  end(): void;
}

let watcher: Watcher | undefined;

export function setWatcher(given: Watcher | undefined): void {
  watcher = given;
}

/** Runs a module. */
export async function running<Result>(file: string, action: () => Promise<Result>): Promise<Result> {
  watcher?.begin(file);
  try {
    return await action();
  } finally {
    watcher?.end();
  }
}

/** The method that the core is calling; undefined outside of a call. */
let current: { readonly origin: Origin; readonly method: string } | undefined;

/** The name of a module in stack traces; it must not contain blanks. */
export function sourceUrl(file: string): string {
  const url = encodeURI(file);
  modules.set(url, file);
  return url;
}

/** Keeps the called method in `current` while `action` runs. `action` must not throw. */
export function calling<Result>(origin: Origin, method: string, action: () => Result): Result {
  const outer = current;
  current = { origin, method };
  if (!outer) watcher?.begin(`${origin.className}.${method} (${origin.file})`);
  const result = action();
  if (!outer) watcher?.end();
  current = outer;
  return result;
}

export function describe(thrown: unknown, { className, file }: Origin, method: string, node = '', what = sentence(thrown)): Failure {
  const place = firstPlace(thrown);
  const at = place ? `${place.file}:${place.line}` : file;
  return {
    text: `${className}.${method} (${at}): ${what}`,
    hint: thrown instanceof MoError ? thrown.hint : '',
    node: (thrown instanceof MoError && thrown.node) || node,
    file: place?.file ?? file,
  };
}

/** The module that is running: that of the innermost line of the user's code, or of the class that the core has called. */
export function callingModule(): string {
  return firstPlace(new Error())?.file ?? current?.origin.file ?? '';
}

/** Describes that the engine has stopped an extension, which no code here can catch. `reason` may be empty. */
export function describeStop(thrown: unknown, reason: string): Failure {
  const what = reason || sentence(thrown);
  if (current) return describe(thrown, current.origin, current.method, '', what);
  const place = firstPlace(thrown);
  return { text: place ? `${place.file}:${place.line}: ${what}` : what, hint: '', node: '', file: place?.file ?? '' };
}

function sentence(thrown: unknown): string {
  if (thrown instanceof CoreError) return `${thrown.code} ${thrown.message}`;
  if (thrown instanceof MoError) return thrown.message;
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `it threw ${String(thrown)}`;
}

/** The innermost line of the user's own code. */
function firstPlace(thrown: unknown): { file: string; line: number } | undefined {
  const stack = thrown instanceof Error ? String(thrown.stack ?? '') : '';
  for (const line of stack.split('\n')) {
    const [, url, number] = /(?:\(|@|at |^)([^\s()@]+):(\d+):\d+\)?$/.exec(line.trim()) ?? [];
    // In QuickJS the second module with a name gets the suffix `#2`: start.ts in wasm/native/.
    const file = url && modules.get(url.replace(/^async |#\d+$/g, ''));
    if (file) return { file, line: Number(number) };
  }
  return undefined;
}
