import { asTemplate, msg, textOf, withDetail, type Template } from './msg.js';
import { printable } from './printable.js';

export type { Template } from './msg.js';

/** A message: what is wrong, where, and a hint. Fields that do not apply are empty strings. */
export interface Message {
  readonly severity: 'error' | 'warning';
  /** For example `MO2001`: a row of the product's table of errors. */
  readonly code: string;
  /** One sentence. */
  readonly text: string;
  /** What to do about it. */
  readonly hint: string;
  /** The node's name in the model. */
  readonly node: string;
  /** The node's operation. */
  readonly op: string;
  readonly tensor: string;
  /** The file's name, relative to the model. */
  readonly file: string;
  /** The byte in `file`, or -1. */
  readonly offset: number;
  /** The place in a text `file`, both from 1; or 0. */
  readonly line: number;
  readonly column: number;
  /** `text` as a template, with `{}` in place of each of `arguments`. */
  readonly template: string;
  /** Names, numbers and shapes as texts; parts of the sentence as templates. */
  readonly arguments: readonly (string | Template)[];
  /** `hint` as a template. */
  readonly advice: Template;
  /** The option that is wrong, for example `input_shape`; empty if the message is about none. */
  readonly option: string;
  /** This option, and others that the message or its hint speaks of. */
  readonly options: readonly string[];
}

/**
 * A conversion that failed. It carries every message; `code`, `hint`, `node` and `option` are those of the first error.
 *
 * @example
 * ```js
 * import { convert, MoError } from '@mo/wasm';
 *
 * try {
 *   await convert('model.onnx');
 * } catch (error) {
 *   if (!(error instanceof MoError)) throw error;
 *   for (const { code, node, text, hint } of error.messages) console.error(code, node, text, hint);
 * }
 * ```
 */
export class MoError extends Error {
  override readonly name = 'MoError';
  readonly code: string;
  readonly hint: string;
  readonly node: string;
  readonly option: string;
  /** All errors and warnings in order, for example all unsupported operations. */
  readonly messages: readonly Message[];

  /** Compares names: require() gives another copy of this class, and a bundle may have two. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== MoError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && 'name' in value && value.name === 'MoError' && 'messages' in value;
  }

  constructor(messages: readonly Message[], options?: ErrorOptions) {
    const errors = messages.filter((message) => message.severity === 'error');
    const first = errors[0] ?? failure(msg`the conversion failed without a reason`);
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    super(printable(`${first.code} ${first.text}${first.node && ` (node "${first.node}")`}${more}`), options);
    this.code = first.code;
    this.hint = first.hint;
    this.node = first.node;
    this.option = first.option;
    this.messages = messages;
  }
}

/** The message for an error that occurs without a core. */
export function failure(said: Template): Message {
  return message('MO7004', said, "try again; if it stays, report it with the model's structure");
}

/** A file of the package cannot be loaded. `detail` says what is served in its place, or why nothing is. */
export function fileMissing(detail: Template, hint = 'serve the files of @mo/wasm as they are, or say where they are: README.md, "In bundlers"'): MoError {
  return new MoError([message('MO7005', withDetail('a file of the package cannot be loaded', detail), hint)]);
}

/** A part of the converter does not start. `detail` says which one, and what is known about it. */
export function notStarted(detail: Template): MoError {
  return new MoError([message('MO7006', withDetail('a part of the converter does not start', detail),
    'look for the browser\'s complaint in its console; a Content-Security-Policy may forbid it: README.md, "In bundlers"')]);
}

/** The process of a command ended early. `detail` says how. */
export function processEnded(detail: Template): MoError {
  return new MoError([message('MO7007', withDetail('the process that converted the model has ended early', detail),
    'convert the model alone; if memory was short, use fewer --jobs')]);
}

/** There is not enough memory. `hint` says more than the core's own does. */
export function outOfMemory(hint = 'close other programs, or use the native converter', options?: ErrorOptions): MoError {
  return new MoError([message(OUT_OF_MEMORY, asTemplate('there is not enough memory'), hint)], options);
}

/** An extension did what it must not do. `detail` says what. */
export function extensionFailed(detail: Template): MoError {
  return new MoError([message('MO4004', withDetail('an extension failed', detail), 'convert without extensions, or with those that you know')]);
}

/** The model cannot be opened. `detail` says what was given instead of a model. */
export function noModel(detail: Template, hint: string): MoError {
  return new MoError([message('MO6007', withDetail('the model cannot be opened', detail), hint)]);
}

/** The content of a model or of an option cannot be read. `detail` says why. */
export function unreadable(detail: Template, cause: unknown): MoError {
  return new MoError([message('MO7001', withDetail('a file could not be read', detail), 'check that it still exists and may be read')], { cause });
}

/** An option of the library has a wrong value. `hint` says what it takes. */
export function badOption(detail: Template, hint: string): MoError {
  return new MoError([message('MO6002', withDetail('an option has a value it cannot take', detail), hint)]);
}

/** A message of a host. `hint` is a template without arguments. */
export function message(code: string, said: Template, hint: string, file = ''): Message {
  return {
    severity: 'error', code, text: textOf(said), hint, node: '', op: '', tensor: '', file, offset: -1, line: 0, column: 0,
    ...said, advice: asTemplate(hint), option: '', options: [],
  };
}

/** Another hint for a message; a text is a template without arguments. */
export function hintOf(hint: string | Template): Pick<Message, 'hint' | 'advice'> {
  const advice = typeof hint === 'string' ? asTemplate(hint) : hint;
  return { hint: textOf(advice), advice };
}

const KINDS = {
  string: msg`a string`, number: msg`a number`, bigint: msg`a bigint`, boolean: msg`a boolean`, symbol: msg`a symbol`,
  undefined: msg`undefined`, object: msg`an object`, function: msg`a function`,
};

/** The kind of a value, for messages about a value of the wrong kind. */
export function kindOf(value: unknown): Template {
  return Array.isArray(value) ? msg`a list` : KINDS[typeof value];
}

/** The message text of any thrown value. */
export function sentence(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  try {
    return String(thrown);
  } catch {
    return 'something that has no text was thrown';
  }
}

const OUT_OF_MEMORY = 'MO7003';
/** Codes of Node's and of the system's errors. */
const CODES = new Set(['ENOMEM', 'ERR_MEMORY_ALLOCATION_FAILED', 'ERR_WORKER_INIT_FAILED', 'ERR_WORKER_OUT_OF_MEMORY']);
/** What engines say when they get no memory, or when the stack is full. */
const SAID = /memory|allocation (?:failed|size)|Invalid (?:typed )?array(?: buffer)? length|Invalid string length|call stack|too much recursion/i;

/** Whether it was thrown because there is not enough memory. */
export function lacksMemory(thrown: unknown): boolean {
  if (thrown instanceof MoError) return thrown.code === OUT_OF_MEMORY;
  if (!(thrown instanceof Error)) return false;
  return CODES.has(String((thrown as { code?: unknown }).code)) || ((thrown.name === 'RangeError' || thrown.name === 'InternalError') && SAID.test(thrown.message));
}

/** The messages of any thrown value. `before` makes a sentence of the text of an error that says nothing by itself. */
export function messagesOf(thrown: unknown, before: (text: string) => Template = (text) => msg`${text}`): readonly Message[] {
  if (thrown instanceof MoError) return thrown.messages;
  return lacksMemory(thrown) ? outOfMemory().messages : [failure(before(sentence(thrown)))];
}
