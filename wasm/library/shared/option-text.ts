import { CONFIGURATIONS } from './configurations.js';
import { badOption, kindOf } from './messages.js';
import { FILES_OPTIONS, PATH_OPTIONS, type Options } from './options.js';
import { withoutUnsafe } from './printable.js';
import { msg } from './msg.js';

/** The options in the core's form. As on the command line, the model is named after its file. */
export function optionText<Side>(options: Options<Side>, mainFile: string): [name: string, value: string][] {
  return Object.entries({ model_name: stem(mainFile), ...options })
    .filter(isGiven)
    .map(([name, value]) => [name, PATH_OPTIONS.has(name) ? sideName(name) : valueText(name, value)]);
}

/** The options that name files by a text, and the others. Several files have something in common; a single one has a path among those given with the model. */
export function byName<Given extends object>(options: Given, given: readonly (readonly [path: string, content: unknown])[] = []): { named: [name: string, value: string][]; rest: Given } {
  let paths: ReadonlySet<string> | undefined;
  const isGivenFile = (value: string): boolean => (paths ??= new Set(given.map(([path]) => path))).has(value);
  const isNamed = ([name, value]: [name: string, value: unknown]): boolean =>
    typeof value === 'string' && value !== '' && (FILES_OPTIONS.has(name) || (PATH_OPTIONS.has(name) && isGivenFile(value)));
  const all = Object.entries(options) as [name: string, value: unknown][];
  return {
    named: all.filter(isNamed) as [name: string, value: string][],
    rest: Object.fromEntries(all.filter((option) => !isNamed(option))) as Given,
  };
}

/** The files of options, by the names under which the core opens them. */
export function sideFiles<Side>(options: Options<Side>): [name: string, file: Side][] {
  return Object.entries(options)
    .filter((option) => isGiven(option) && PATH_OPTIONS.has(option[0]))
    .map(([name, value]) => [sideName(name), checkedSide(name, value) as Side]);
}

/**
 * Whether the text is only the name of a file, and not that of a built-in configuration. Those are named with or without a folder and an
 * ending.
 */
function isPath(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[^\n{}[\]<>=]*\.\w+$/.test(value)) return false;
  const name = value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1);
  return !CONFIGURATIONS.includes(name) && !CONFIGURATIONS.includes(`${name}.json`);
}

function checkedSide(name: string, value: unknown): unknown {
  if (isPath(value)) throw badOption(msg`${name} is "${value}", and a text is what is in the file`, 'give its content, a Blob, or in Node a file: URL');
  const isContent = typeof value === 'string' || (typeof value === 'object' && !Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype);
  if (!isContent) throw badOption(msg`${name} is ${kindOf(value)}`, 'give the content of the file, a Blob, or in Node a file: URL');
  return value;
}

/** An empty text counts as no file. */
function isGiven([name, value]: [name: string, value: unknown]): boolean {
  return value !== undefined && value !== null && !(value === '' && PATH_OPTIONS.has(name));
}

/** No file of a model has such a name: theirs are relative. */
function sideName(option: string): string {
  return `/${option}`;
}

function stem(path: string): string {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = file.lastIndexOf('.');
  return withoutUnsafe(dot > 0 ? file.slice(0, dot) : file);
}

/** How an option writes a value of one name. */
const BY_NAME: Readonly<Record<string, readonly [open: string, close: string]>> = {
  input_shape: ['[', ']'], mean_values: ['(', ')'], scale_values: ['(', ')'], layout: ['(', ')'], source_layout: ['(', ')'], target_layout: ['(', ')'],
};

function isByName(name: string, value: unknown): value is Readonly<Record<string, unknown>> {
  return name in BY_NAME && typeof value === 'object' && value !== null && !Array.isArray(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

/** `image(1,2,3),mask(4)`. A name that has such signs would be read otherwise. */
function byInputName(option: string, values: Readonly<Record<string, unknown>>): string {
  const [open, close] = BY_NAME[option]!;
  const item = ([name, value]: [name: string, value: unknown]): string => {
    if (name === '' || name !== name.trim() || /[,[\](){}'"]|->/.test(name))
      throw badOption(msg`${option} cannot name "${name}"`, 'give a list in the order of the inputs');
    const content = Array.isArray(value) ? value.join(',') : value;
    if (!['string', 'number', 'bigint'].includes(typeof content)) throw badOption(msg`${option} of "${name}" is ${kindOf(value)}`, 'write it as on the command line: docs/options.md');
    return `${name}${open}${withoutBrackets(String(content).trim(), open === '[' || option.endsWith('values'))}${close}`;
  };
  return Object.entries(values).filter(([, value]) => value !== undefined && value !== null).map(item).join(',');
}

function withoutBrackets(text: string, wanted: boolean): string {
  return wanted ? text.replace(/^\[(.*)\]$/s, '$1') : text;
}

/** Lists of numbers are written in brackets, lists of names without. */
const BRACKETED = new Set(['input_shape', 'mean_values', 'scale_values']);

function valueText(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (isByName(name, value)) return byInputName(name, value);
  if (Array.isArray(value)) {
    if (value.some(Array.isArray) || !BRACKETED.has(name)) return value.map((part) => valueText(name, part)).join(',');
    return `[${value.join(',')}]`;
  }
  if (!['string', 'number', 'bigint'].includes(typeof value)) throw badOption(msg`${name} is ${kindOf(value)}`, 'write it as on the command line: docs/options.md');
  return String(value);
}
