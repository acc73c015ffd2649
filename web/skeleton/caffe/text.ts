/** Reads protobuf's text form without a schema, and writes it. Comments are left out. */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../../report/page-message.js';
import { BadText, TooDeep } from '../../report/codes.js';
import { escaped } from '../escapes.js';
import { concat } from '../wire.js';
import { msg } from '@mo/wasm/msg';

/** A message, a text in quotation marks, or a number or word. */
export type TextValue = { readonly fields: readonly TextField[] } | { readonly text: string } | { readonly word: string };
export interface TextField {
  readonly name: string;
  readonly values: readonly TextValue[];
  /** Whether the values are in brackets. */
  readonly isList: boolean;
}

const DEEPEST = 100;
const BLANK = /(?:[ \t-\r]|#[^\n]*)*/y;
const TOKEN = /"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'|(?:\d|\.\d)(?:[eE][-+]|[\w.])*|[A-Za-z_]\w*|[:{}<>[\],;\-./]/y;
const IS_TEXT = /^["']/;
const IS_WORD = /^\w/;
const IS_VALUE = /^(?:\w|\.\d)/;

export function readFields(text: string): readonly TextField[] {
  return new Reader(text).fields('', 0);
}

class Reader {
  #at = 0;
  /** The next token; '' at the end. */
  #next = '';

  constructor(private readonly text: string) {
    this.#read();
  }

  fields(close: string, depth: number): TextField[] {
    if (depth > DEEPEST) throw this.#error(TooDeep, 'the model file is damaged or malicious');
    const out: TextField[] = [];
    while (this.#next !== close) {
      const name = this.#name();
      if (!this.#take(':') && !/^[{<[]/.test(this.#next)) throw this.#error();
      const isList = this.#take('[');
      const values: TextValue[] = [];
      if (!isList) values.push(this.#value(depth));
      else if (this.#next !== ']') do values.push(this.#value(depth)); while (this.#take(','));
      if (isList && !this.#take(']')) throw this.#error();
      if (!this.#take(',')) this.#take(';');
      out.push({ name, values, isList });
    }
    return out;
  }

  #value(depth: number): TextValue {
    if (this.#next === '{' || this.#next === '<') {
      const close = this.#token() === '{' ? '}' : '>';
      const fields = this.fields(close, depth + 1);
      this.#token();
      return { fields };
    }
    if (IS_TEXT.test(this.#next)) {
      // Texts that follow each other are one.
      let text = '';
      while (IS_TEXT.test(this.#next)) text += textOf(this.#token());
      return { text };
    }
    const sign = this.#take('-') ? '-' : '';
    if (!IS_VALUE.test(this.#next)) throw this.#error();
    return { word: sign + this.#token() };
  }

  /** The name of an extension is in brackets. */
  #name(): string {
    if (!this.#take('[')) {
      if (!IS_WORD.test(this.#next) || /^\d/.test(this.#next)) throw this.#error();
      return this.#token();
    }
    let name = '';
    while (IS_WORD.test(this.#next) || /^[./-]$/.test(this.#next)) name += this.#token();
    if (!this.#take(']')) throw this.#error();
    return `[${name}]`;
  }

  #take(mark: string): boolean {
    const there = this.#next === mark;
    if (there) this.#token();
    return there;
  }

  #token(): string {
    const token = this.#next;
    if (token === '') throw this.#error();
    this.#at += token.length;
    this.#read();
    return token;
  }

  #read(): void {
    BLANK.lastIndex = this.#at;
    this.#at += BLANK.exec(this.text)![0].length;
    TOKEN.lastIndex = this.#at;
    const [token] = TOKEN.exec(this.text) ?? [];
    if (token === undefined && this.#at < this.text.length) throw this.#error();
    this.#next = token ?? '';
  }

  #error(code = BadText, hint = 'correct it at the place named'): MoError {
    const before = this.text.slice(0, this.#at).split('\n');
    return new MoError([pageMessage(code, msg`line ${before.length}, column ${before.at(-1)!.length + 1}`, hint)]);
  }
}

/** What stands between quotation marks. */
function textOf(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  const parts: Uint8Array[] = [];
  for (let at = 1; at < token.length - 1; ) {
    const end = token.indexOf('\\', at);
    const found = end < 0 ? undefined : escaped(token, end);
    const plain = end < 0 ? token.length - 1 : end;
    parts.push(new TextEncoder().encode(token.slice(at, plain)), found?.bytes ?? new Uint8Array());
    at = plain + (found?.length ?? 1);
  }
  return new TextDecoder().decode(concat(parts));
}

export function writeFields(fields: readonly TextField[], indent = ''): string {
  return fields.map(({ name, values, isList }) => {
    const written = values.map((value) => ('fields' in value ? `{\n${writeFields(value.fields, `${indent}  `)}${indent}}` : 'text' in value ? JSON.stringify(value.text) : value.word));
    return isList ? `${indent}${name}: [${written.join(', ')}]\n` : `${indent}${name}${'fields' in values[0]! ? '' : ':'} ${written[0]}\n`;
  }).join('');
}
