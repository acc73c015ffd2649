/** The texts of --info. The native command has the same: core/cli/card.cpp. */
import type { DeclaredOutput, Inspection } from '../../shared/api.js';
import { MISSING_DATA_FILE, UNSUPPORTED_OP } from '../../shared/codes.js';
import type { Message } from '../../shared/messages.js';
import { printable } from '../../shared/printable.js';

const COLUMNS = 80;
const INDENT = 16;
const MOST_NODES = 20;

/** What is known of a model; undefined if it cannot be loaded. */
export type Facts = Omit<Inspection, 'messages'> | undefined;

/** Messages of one operation that is not supported, or of one code. */
interface Kind {
  name: string;
  messages: Message[];
}

/** What is known of the model, a fact a line. `fp16`: whether its conversion would store weights as f16. */
export function card(path: string, facts: NonNullable<Facts>, messages: readonly Message[], fp16: boolean): string {
  const { format, producer, producer_version, operator_sets, signature, tags, inputs, outputs, operations, nodes, constants, constant_bytes, bin_bytes, weight_sizes, missing_files } = facts;
  const [half, full] = [bytesText(bin_bytes.fp16), bytesText(bin_bytes.f32)];
  const types = Object.keys(operations).length;
  // Without the files that are missing, sizes say nothing.
  const sizes = missing_files.length > 0 ? [] : [
    fact('Constants:', [String(constants), bytesText(constant_bytes)]),
    weight_sizes
      ? fact('.bin:', Object.entries(weight_sizes).map(([format, size]) => `${bytesText(size)} as ${format}`))
      : fact('.bin, about:', fp16 ? [half, `${full} without FP16`] : [full, `${half} as FP16`]),
  ];
  return [
    fact('Model:', [printable(path)]),
    fact('Format:', [format]),
    fact('Producer:', [`${printable(producer)} ${printable(producer_version)}`.trim()].filter(Boolean)),
    fact('Operator sets:', operator_sets.map(({ domain, version }) => `${printable(domain)} ${version}`)),
    fact('Signature:', [printable(signature)].filter(Boolean)),
    fact('Tags:', tags.map(printable)),
    ...inputs.map((port, index) => portLine(index === 0 ? 'Inputs:' : '', port)),
    ...outputs.map((port, index) => portLine(index === 0 ? 'Outputs:' : '', port)),
    fact('Preparation:', preparationOf(facts)),
    fact('Operations:', [`${nodes} of ${types} ${types === 1 ? 'type' : 'types'}`]),
    fact('', Object.entries(operations).sort(([, a], [, b]) => b - a).map(([type, count]) => `${printable(type)} ${count}`)),
    ...sizes,
    fact('Missing files:', missing_files.map(printable)),
    ...unsupported(messages).map((kind, index) => {
      const names = namesOf(kind);
      return fact(index === 0 ? 'Not supported:' : '', [`${countOf(kind)}${names.length > 0 ? ':' : ''}`]) + fact('', names);
    }),
  ].join('');
}

/** How pictures are prepared, as a file beside the model says; values of options as they are written. */
function preparationOf({ preparation }: NonNullable<Facts>): string[] {
  if (!preparation) return [];
  const { file, model, mean_values, scale_values, colours, order, size, dictionary } = preparation;
  const parts = [['', file], ['', model], ['--mean_values ', mean_values], ['--scale_values ', scale_values], ['', colours], ['order ', order], ['size ', size], ['dictionary ', dictionary]] as const;
  return parts.filter(([, text]) => text !== '').map(([label, text]) => label + printable(text));
}

/** The same in one line; for a model that cannot be loaded, the first error. */
export function cardLine(path: string, facts: Facts, messages: readonly Message[]): string {
  const head = `${printable(path)}: `;
  if (!facts) {
    const error = messages.find(({ severity }) => severity === 'error');
    return `${head}${error ? `${error.code} ${printable(error.text)}` : ''}\n`;
  }
  const { format, nodes, constant_bytes, missing_files } = facts;
  const more = (label: string, items: readonly string[]): string => (items.length > 0 ? `; ${label} ${items.join(', ')}` : '');
  return [
    `${head}${format}, ${nodes} ${nodes === 1 ? 'operation' : 'operations'}, ${bytesText(constant_bytes)} of constants`,
    more('missing:', missing_files.map(printable)),
    more('not supported:', unsupported(messages).map(countOf)),
    more('errors:', kinds(messages.filter((message) => message.severity === 'error' && !isInCard(message)), ({ code }) => code).map(countOf)),
    '\n',
  ].join('');
}

/** Whether the card says what the message says. */
export function isInCard(message: Message): boolean {
  return isOf(message, UNSUPPORTED_OP) || isOf(message, MISSING_DATA_FILE);
}

const isOf = ({ code }: Message, number: number): boolean => code === `MO${number}`;

const unsupported = (messages: readonly Message[]): Kind[] => kinds(messages.filter((message) => isOf(message, UNSUPPORTED_OP)), ({ op }) => op);

function kinds(messages: readonly Message[], nameOf: (message: Message) => string): Kind[] {
  const out = new Map<string, Kind>();
  for (const message of messages) {
    const name = nameOf(message);
    if (!out.has(name)) out.set(name, { name, messages: [] });
    out.get(name)!.messages.push(message);
  }
  return [...out.values()];
}

const countOf = ({ name, messages }: Kind): string => `${printable(name)} ${messages.length}`;

function namesOf({ messages }: Kind): string[] {
  const names = messages.map(({ node }) => node).filter((node) => node !== '').slice(0, MOST_NODES).map((node) => `"${printable(node)}"`);
  const more = messages.length - names.length;
  return more > 0 && names.length > 0 ? [...names, `and ${more} more`] : names;
}

function portLine(label: string, { name, shape, type }: DeclaredOutput): string {
  return fact(label, [[name, shape, type].filter((text) => text !== undefined).map(printable).join(' ')]);
}

/** `items` behind a label, separated by commas, in lines that are not too long. Nothing without items. */
function fact(label: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  let out = label.padEnd(INDENT);
  let at = INDENT;
  items.forEach((text, index) => {
    const item = index + 1 < items.length ? `${text},` : text;
    const columns = [...item].length;
    if (index > 0 && at + 1 + columns > COLUMNS) {
      out += `\n${' '.repeat(INDENT)}`;
      at = INDENT;
    } else if (index > 0) {
      out += ' ';
      at++;
    }
    out += item;
    at += columns;
  });
  return `${out}\n`;
}

/** `14.2 MB`. Only whole numbers, so that each host rounds alike. */
function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let power = 0;
  let unit = 1000;
  for (; power + 1 < units.length && Math.floor(bytes / unit) >= 1000; power++) unit *= 1000;
  if (Math.floor(bytes / unit) >= 100) return `${Math.floor((bytes + unit / 2) / unit)} ${units[power]}`;
  const tenths = Math.floor((bytes + unit / 20) / (unit / 10));
  return `${Math.floor(tenths / 10)}.${tenths % 10} ${units[power]}`;
}
