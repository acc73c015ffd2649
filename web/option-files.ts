import type { OptionRow } from '@mo/wasm';

/** Whether the value of an option is a file, or several. */
export function isOfFiles<Row extends Pick<OptionRow, 'kind'>>(row: Row | undefined): row is Row {
  return row !== undefined && (row.kind === 'Path' || row.kind === 'Files');
}
