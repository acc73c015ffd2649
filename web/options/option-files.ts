import type { OptionRow } from '@mo/wasm';

/** Whether the value of an option is a file, or several. */
export function isOfFiles({ kind }: Pick<OptionRow, 'kind'>): boolean {
  return kind === 'Path' || kind === 'Files';
}
