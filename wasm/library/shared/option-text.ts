import { PATH_OPTIONS, type Options } from './options.js';

/** The options in the core's form. As on the command line, the model is named after its file. */
export function optionText<Side>(options: Options<Side>, mainFile: string): [name: string, value: string][] {
  return Object.entries({ model_name: stem(mainFile), ...options })
    .filter(isGiven)
    .map(([name, value]) => [name, PATH_OPTIONS.has(name) ? sideName(name) : valueText(value)]);
}

/** The files of options, by the names under which the core opens them. */
export function sideFiles<Side>(options: Options<Side>): [name: string, file: Side][] {
  return Object.entries(options)
    .filter((option) => isGiven(option) && PATH_OPTIONS.has(option[0]))
    .map(([name, value]) => [sideName(name), value as Side]);
}

/** An empty text counts as no file. */
function isGiven([name, value]: [name: string, value: unknown]): boolean {
  return value !== undefined && !(value === '' && PATH_OPTIONS.has(name));
}

/** No file of a model has such a name: theirs are relative. */
function sideName(option: string): string {
  return `/${option}`;
}

function stem(path: string): string {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = file.lastIndexOf('.');
  return dot > 0 ? file.slice(0, dot) : file;
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (!Array.isArray(value)) return String(value);
  return value.some(Array.isArray) ? value.map(valueText).join(',') : `[${value.join(',')}]`;
}
