/** The options in the fragment of the page's address: #input_shape=[1,3,224,224]&compress_to_fp16=False. */
import type { OptionRow } from '@mo/wasm';
import { hasUnsafe } from '@mo/wasm/printable';

import { isOfFiles } from './option-files.js';
import { builtInConfiguration, isSwitch, ROWS, type Given } from './options.js';

/** Nobody writes longer ones, and no browser keeps them. */
const LONGEST_VALUE = 1 << 13;

/** Encoded characters that are written as they are, so that people can read the address. */
const READABLE = /%(?:5B|5D|2C|3A|2F|3F|3D|40)/g;

/** Names of files are left out: a page cannot open them. */
export function toFragment(given: readonly Given[]): string {
  return given.flatMap(({ row, value }) => (isFile(row, value) ? [] : [`${row.name}=${encoded(value)}`])).join('&');
}

const isFile = (row: OptionRow, value: string): boolean => isOfFiles(row) && builtInConfiguration(row, value) === undefined;

function encoded(value: string): string {
  return encodeURIComponent(value).replace(READABLE, decodeURIComponent);
}

/** The options in a fragment by their names. Values that no field can hold are left out. */
export function fromFragment(hash: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(hash.replace(/^#/, ''))) {
    const row = ROWS.find((row) => row.name === name);
    if (!row || value.length > LONGEST_VALUE || hasUnsafe(value) || isFile(row, value)) continue;
    if (isSwitch(row) && !/^(?:true|false)$/i.test(value)) continue;
    values.set(name, value);
  }
  return values;
}
