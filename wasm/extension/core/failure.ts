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

/** The name of a module in stack traces; it must not contain blanks. */
export function sourceUrl(file: string): string {
  const url = encodeURI(file);
  modules.set(url, file);
  return url;
}

export function describe(thrown: unknown, { className, file }: Origin, method: string, node = ''): Failure {
  const place = firstPlace(thrown);
  const at = place ? `${place.file}:${place.line}` : file;
  return {
    text: `${className}.${method} (${at}): ${sentence(thrown)}`,
    hint: thrown instanceof MoError ? thrown.hint : '',
    node: (thrown instanceof MoError && thrown.node) || node,
    file: place?.file ?? file,
  };
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
    const file = url && modules.get(url.replace(/^async /, ''));
    if (file) return { file, line: Number(number) };
  }
  return undefined;
}
