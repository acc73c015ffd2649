import type { Options } from './options.js';

/** The options as the core takes them. As on the command line, the model is named after its file. */
export function optionText(options: Options, mainFile: string): [name: string, value: string][] {
  return Object.entries({ model_name: stem(mainFile), ...options })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, valueText(value)]);
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
