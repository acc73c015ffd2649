/** Calls of Python's `convert_model`, of `openvino` and of `openvino.tools.mo`, as the arguments of `mo`. */
import { ArgumentsReader, Name, type Argument, type PythonValue } from './python-value.js';
import { outputModel, type Call } from './program.js';

const CONVERT = /(?:^|[^\w])convert_model\s*\(/;
/** Writes what `convert_model` has given: `ov.save_model(model, "net.xml", compress_to_fp16=False)`. */
const SAVE = /(?:^|[^\w])(?:save_model|serialize)\s*\(/;
/** Of `openvino.convert_model` only. */
const OTHER_NAMES: Readonly<Record<string, string>> = { extension: 'extensions' };
/** What only means something in Python's process. */
const IN_PROCESS = new Set(['example_input', 'share_weights', 'verbose', 'progress', 'stream_output', 'help']);

export interface PythonCall extends Call {
  /** Whether the model is a file. A page has no variables of Python. */
  hasFile: boolean;
  /** Names of arguments that mean nothing here. */
  idle: string[];
}

/** Undefined for a text without such a call. Throws a LineError for one that has no end. */
export function pythonCall(text: string): PythonCall | undefined {
  const found = CONVERT.exec(text);
  if (!found) return undefined;
  const reader = new ArgumentsReader(text, found.index + found[0].length);
  const given = reader.read();
  const [model] = given.filter(({ name }) => name === '' || name === 'input_model');
  const idle: string[] = [];
  const args: string[] = [];
  const take = (argument: Argument): void => {
    if (argument === model) return;
    const name = OTHER_NAMES[argument.name] ?? argument.name;
    if (argument.value === null || name === '') return;
    const value = IN_PROCESS.has(name) ? undefined : name === 'input' ? inputs(argument.value) : written(argument.value);
    if (value === undefined) idle.push(argument.name);
    else args.push(`--${value.startsWith('[') && name === 'input' ? 'input_shape' : name}=${value}`);
  };
  given.forEach(take);
  saved(text.slice(reader.end)).forEach(take);
  const hasFile = typeof model?.value === 'string';
  return { program: 'mo', args: [...(hasFile ? [model.value as string] : ['model']), ...args], environment: {}, hasFile, idle };
}

/** The folder and name of the file that is written. */
function saved(text: string): Argument[] {
  const found = SAVE.exec(text);
  if (!found) return [];
  const [, file, ...more] = new ArgumentsReader(text, found.index + found[0].length).read();
  if (typeof file?.value !== 'string') return more;
  return [...outputModel(file.value), ...more.filter(({ name }) => name === 'compress_to_fp16')];
}

/** A value as the command takes it; undefined for an expression. */
function written(value: PythonValue): string | undefined {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value instanceof Map) return joined([...value].map(([key, one]) => (typeof key === 'string' ? named(key, one) : undefined)));
  if (!Array.isArray(value)) return undefined;
  if (isShape(value)) return `[${value.map(size).join(',')}]`;
  return joined(value.map(written));
}

/** `[1, -1, 3]` and `[0.5]`, with ranges as `(1, 8)` or texts. Pairs alone are shapes. */
function isShape(value: PythonValue): value is (number | string | PythonValue[])[] {
  const isSize = (one: PythonValue): boolean => typeof one === 'number' || (typeof one === 'string' && /^(?:\?|-1|\d*\.\.\d*)$/.test(one));
  return Array.isArray(value) && value.every((one) => isSize(one) || isRange(one)) && (value.length === 0 || value.some(isSize));
}

const isRange = (value: PythonValue): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number');

const size = (value: PythonValue): string => (isRange(value) ? `${value[0]}..${value[1] < 0 ? '' : value[1]}` : value === -1 ? '?' : String(value));

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join(',');
}

/** `x[1,3]` for a shape or numbers, `x(nchw)` for a layout. */
function named(name: string, value: PythonValue): string | undefined {
  const one = written(value);
  if (one === undefined) return undefined;
  return one.startsWith('[') ? `${name}${one}` : `${name}(${one})`;
}

/** Names, shapes, pairs of both with a type or without, or several of them. */
function inputs(value: PythonValue): string | undefined {
  if (typeof value === 'string' || isShape(value)) return written(value);
  if (value instanceof Map) return joined([...value].map(([key, one]) => (typeof key === 'string' ? input([key, one]) : undefined)));
  if (!Array.isArray(value)) return undefined;
  const isOne = value.length > 1 && typeof value[0] === 'string' && value.slice(1).every((one) => isShape(one) || one instanceof Name);
  return isOne ? input(value) : joined(value.map((one) => (Array.isArray(one) && !isShape(one) ? input(one) : written(one))));
}

/** `["x", [1, 3], ov.Type.f32]` as `x[1,3]{f32}`. */
function input(parts: readonly PythonValue[]): string | undefined {
  return parts.map((part) => {
    if (typeof part === 'string') return part;
    if (isShape(part)) return written(part);
    const type = part instanceof Name ? typeName(part.text) : undefined;
    return type === undefined ? undefined : `{${type}}`;
  }).reduce<string | undefined>((all, part) => (all === undefined || part === undefined ? undefined : all + part), '');
}

/** `ov.Type.f32`, `np.float32`, `float` as `f32`. */
function typeName(text: string): string | undefined {
  const word = text.replace(/^.*\./, '');
  const [, kind, bits] = /^(float|uint|int|bool|boolean|f|i|u)(\d*)_?$/.exec(word) ?? [];
  if (kind === undefined) return undefined;
  if (kind.startsWith('bool')) return 'boolean';
  return `${kind[0]}${bits === '' ? (kind === 'float' ? '32' : '64') : bits}`;
}
