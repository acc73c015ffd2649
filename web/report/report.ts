/** What a report of a failure says: enough to look for its cause, nothing about whose model it is. */
import { FORMATS, type Message } from '@mo/wasm';

import { Anonymous } from './anonymous.js';
import { isOfFiles } from '../options/option-files.js';
import type { Given } from '../options/options.js';
import { extensionOf } from '../page/text.js';

/** Words in the details of messages that the help pages do not have. */
const DETAILS = 'axis axes batch broadcast byte channels column columns data depth element elements empty index indices last meet negative '
  + 'pads pool position positive rank repeated row rows sequence step stride strides times twice type types unknown want weights';

export interface Failure {
  /** The name of the model's file or folder. */
  readonly file: string;
  readonly messages: readonly Message[];
  readonly options: readonly Given[];
  /** How many modules of extensions took part. */
  readonly extensions: number;
}

/** The product itself: its version, the sentence of each message by its code, and a text with all words that it uses. */
export interface Product {
  readonly version: string;
  readonly titles: Readonly<Record<string, string>>;
  readonly words: string;
}

/** The names that replace those of the failed model. */
export function namesFor({ file, messages }: Failure, { words }: Product): Anonymous {
  const names = new Anonymous(vocabulary(words), new Set(messages.map(({ op }) => op).filter(Boolean)));
  names.rename(file, modelName(file));
  // Names first, so that they are replaced in sentences, too, in whichever message they occur.
  for (const { node, tensor, file } of messages)
    for (const [name, kind] of [[node, 'n'], [tensor, 't'], [file, 'file']] as const) if (name !== '') names.name(name, kind);
  return names;
}

/** `browser` as it calls itself. Node, tensor and file names are replaced; types of operations, shapes and numbers stay. */
export function reportOf({ file, messages, options, extensions }: Failure, { version, titles }: Product, browser: string, names: Anonymous): string {
  const given = options.map((option) => `  ${optionLine(option, names)}`);
  return [
    `mo ${version}, on the page`,
    `browser: ${browser}`,
    `model: ${names.name(file, 'file')}`,
    `extensions: ${extensions}`,
    given.length > 0 ? 'options:' : 'options: as they are',
    ...given,
    'messages:',
    ...messages.flatMap((message) => messageLines(message, titles[message.code], names).map((line) => `  ${line}`)),
    '',
  ].join('\n');
}

function vocabulary(words: string): ReadonlySet<string> {
  return new Set(`${words} ${DETAILS}`.toLowerCase().match(/[a-z]+/g));
}

function modelName(file: string): string {
  const ending = extensionOf(file).toLowerCase();
  return FORMATS.some(({ endings }) => endings.includes(ending)) ? `model${ending}` : 'model';
}

/** An option and its value. The names of files and of the result are private: the line says only that one is given. */
function optionLine({ row, value }: Given, names: Anonymous): string {
  const said = isOfFiles(row) || row.name === 'model_name' ? 'given' : names.text(value);
  return `${row.name}: ${said}`;
}

function messageLines({ severity, code, text, node, op, tensor, file, offset, line, column }: Message, title: string | undefined, names: Anonymous): string[] {
  const known = title !== undefined && text.startsWith(title) ? title : '';
  const byte = offset >= 0 ? `, byte ${offset}` : '';
  const place = [
    node && `node ${names.name(node, 'n')}`, op && `operation ${op}`, tensor && `tensor ${names.name(tensor, 't')}`,
    file && `file ${names.name(file, 'file')}${line > 0 ? `, line ${line}, column ${column}` : byte}`,
  ].filter(Boolean);
  return [`${severity} ${code} ${known}${names.text(text.slice(known.length))}`, ...(place.length > 0 ? [`  ${place.join('; ')}`] : [])];
}
