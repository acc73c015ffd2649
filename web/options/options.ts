/** The options of the form: what is in its fields, and how they are set. */
import { CONFIGURATIONS, OPTION_ROWS, type OptionRow, type Options } from '@mo/wasm';

import { isOfFiles, nameFile, NamedFile } from './option-files.js';

/**
 * The options with a field. Those of earlier releases have none: the page writes them as their successors. In place of those for programs
 * that read their output, the page has a report.
 */
export const ROWS: readonly OptionRow[] = OPTION_ROWS.filter(({ aliasOf, pageGroup }) => aliasOf === '' && pageGroup !== '');

/** An option that differs from the command line's default, and its value as a text; for a file, its name. */
export interface Given {
  readonly row: OptionRow;
  readonly value: string;
}

export type Field = HTMLInputElement | HTMLTextAreaElement;

/** The name of a file whose text the user has written in the field. */
const NO_NAME = 'config.json';

export const isSwitch = ({ kind }: OptionRow): boolean => kind === 'Flag' || kind === 'Switch';

/** The end of a path to one of Model Optimizer's own configurations. */
const PATH_OF_CONFIGURATION = /^(?:(?:.*\/)?front\/\w+\/)?([^/]+)$/;

/** The built-in configuration that a path or the text of the field names. */
export function builtInConfiguration({ name }: OptionRow, text: string): string | undefined {
  const file = name === 'transformations_config' ? PATH_OF_CONFIGURATION.exec(text.replaceAll('\\', '/'))?.[1] : undefined;
  return file !== undefined && CONFIGURATIONS.includes(file) ? file : undefined;
}

export function fieldOf(form: HTMLFormElement, { name }: OptionRow): Field {
  return form.elements.namedItem(name) as Field;
}

export function givenIn(form: HTMLFormElement): Given[] {
  return ROWS.flatMap((row) => {
    const field = fieldOf(form, row);
    const value = field.disabled ? row.default : valueOf(row, field);
    return isDefault(row, value) ? [] : [{ row, value }];
  });
}

/** As people read it: `--input_shape [1,3,224,224]`. */
export function optionText({ row, value }: Given): string {
  return isSwitch(row) && value === 'True' ? `--${row.name}` : isSwitch(row) ? `--${row.name}=False` : `--${row.name} ${value}`;
}

export function isDefault(row: OptionRow, value: string): boolean {
  return value === row.default || (isSwitch(row) && value === 'False' && row.default === '');
}

function valueOf(row: OptionRow, field: Field): string {
  if (isSwitch(row)) return (field as HTMLInputElement).checked ? 'True' : 'False';
  if (!isOfFiles(row)) return field.value.trim();
  const file = fileIn(field);
  if (file instanceof File) return file.name;
  if (file instanceof NamedFile) return file.path;
  return file === '' ? '' : (builtInConfiguration(row, file) ?? field.dataset['file'] ?? NO_NAME);
}

/** A file that the user has chosen or named, or the text of one. */
function fileIn(field: Field): File | NamedFile | string {
  if (field.type !== 'file') return field.value.trim();
  const { named } = field.dataset;
  return (field as HTMLInputElement).files?.[0] ?? (named === undefined ? '' : new NamedFile(named));
}

/** The texts of the fields, and the values of switches; without files. */
export function textsIn(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(ROWS.flatMap((row) => (isOfFiles(row) ? [] : [[row.name, valueOf(row, fieldOf(form, row))]])));
}

/** Sets fields that hold text, as if the user had. */
export function writeTexts(form: HTMLFormElement, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) Object.assign(form.elements.namedItem(name) as Field, { value });
  // One event for all fields, so that its listeners find all of them changed.
  form.dispatchEvent(new CustomEvent<readonly string[]>('written', { detail: Object.keys(values) }));
}

/** The options as convert() takes them, for which everything is off by default. */
export function readOptions(form: HTMLFormElement): Options {
  const options: Record<string, unknown> = {};
  for (const row of ROWS) {
    const field = fieldOf(form, row);
    const value = isOfFiles(row) ? fileIn(field) : valueOf(row, field);
    if (isSwitch(row) ? value === 'True' : value !== '' && !field.disabled) options[row.name] = isSwitch(row) ? true : value;
  }
  return options;
}

/** Sets the fields to these values, and all others to the command line's defaults. A field of a file that `named` has keeps its content, or the name. */
export function fillForm(form: HTMLFormElement, values: ReadonlyMap<string, string>, named: ReadonlySet<string> = new Set()): void {
  for (const row of ROWS) {
    const field = fieldOf(form, row);
    const value = values.get(row.name) ?? row.default;
    if (isSwitch(row)) (field as HTMLInputElement).checked = value.toLowerCase() === 'true';
    else if (!isOfFiles(row)) field.value = value;
    else if (builtInConfiguration(row, value) !== undefined) field.value = builtInConfiguration(row, value)!;
    else if (row.kind === 'Path' && field.type === 'file') fillFile(field as HTMLInputElement, named.has(row.name) ? value : '');
    else if (!named.has(row.name)) field.value = '';
  }
}

/** A file of that name stays chosen. */
function fillFile(field: HTMLInputElement, path: string): void {
  const isChosen = path !== '' && field.files?.[0]?.name === path.replace(/^.*[/\\]/, '');
  if (!isChosen) field.value = '';
  nameFile(field, isChosen ? '' : path);
}
