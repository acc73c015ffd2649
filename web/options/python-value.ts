/** Python's literals, and those calls that stand for them in examples: shapes, layouts, types, paths. */
import { msg } from '@mo/wasm/msg';

import { LineError } from './split.js';

export type PythonValue = string | number | boolean | null | PythonValue[] | Map<PythonValue, PythonValue> | Name;

/** A name or an expression that is no literal: a variable, `np.float32`. */
export class Name {
  constructor(readonly text: string) {}
}

export interface Argument {
  /** Empty for a positional one. */
  name: string;
  value: PythonValue;
}

const DEEPEST = 20;
/** What makes a list or a text of its argument, as in `ov.PartialShape([1, 3])`, `Path("a.onnx")`. */
const TRANSPARENT = /^(?:.*\.)?(?:PartialShape|Shape|Dimension|Layout|list|tuple|Path|str|array)$/;
const CONSTANTS: Readonly<Record<string, PythonValue>> = { True: true, False: false, None: null };

/** Reads the arguments of a call behind its parenthesis. */
export class ArgumentsReader {
  #at: number;

  constructor(
    private readonly text: string,
    begin: number,
  ) {
    this.#at = begin;
  }

  /** Where the call ends, behind its parenthesis. */
  get end(): number {
    return this.#at;
  }

  /** Throws a LineError for a call that has no end. */
  read(): Argument[] {
    return this.#list(')', 0).map((item) => (item instanceof Named ? { name: item.name, value: item.value } : { name: '', value: item }));
  }

  #list(end: string, depth: number): (PythonValue | Named)[] {
    if (depth > DEEPEST) throw new LineError(msg`this text is nested too deep for a command line`);
    const items: (PythonValue | Named)[] = [];
    for (;;) {
      this.#blanks();
      if (this.#take(end)) return items;
      if (this.#at >= this.text.length) throw new LineError(msg`a bracket (${end}) is not closed`);
      if (this.#take(',')) continue;
      const begin = this.#at;
      const name = /^([A-Za-z_]\w*)\s*=(?!=)/.exec(this.#rest());
      if (name) this.#at += name[0].length;
      const value = this.#value(depth);
      if (this.#at === begin) throw new LineError(msg`a bracket (${end}) is not closed`);
      items.push(name ? new Named(name[1]!, value) : value);
    }
  }

  #value(depth: number): PythonValue {
    this.#blanks();
    const begin = this.#at;
    const value = this.#literal(depth);
    this.#blanks();
    if (value !== undefined && (this.#at >= this.text.length || /[,)\]}:]/.test(this.text[this.#at]!))) return value;
    this.#at = begin;
    return this.#expression();
  }

  /** Undefined for what is no literal. */
  #literal(depth: number): PythonValue | undefined {
    const rest = this.#rest();
    const text = /^[rRuUbB]?(?:"""([^]*?)"""|'''([^]*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')/.exec(rest);
    if (text) return this.#text(text);
    const number = /^[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/.exec(rest);
    if (number) return this.#take(number[0]) && Number(number[0].replaceAll('_', ''));
    if (this.#take('[')) return valuesOf(this.#list(']', depth + 1));
    if (this.#take('(')) return valuesOf(this.#list(')', depth + 1));
    if (this.#take('{')) return this.#dictionary(depth + 1);
    const name = /^[A-Za-z_][\w.]*/.exec(rest)?.[0];
    if (name === undefined) return undefined;
    this.#at += name.length;
    if (name in CONSTANTS) return CONSTANTS[name]!;
    if (name === 'dict' && this.#take('(')) return new Map(this.#list(')', depth + 1).flatMap((item) => (item instanceof Named ? [[item.name, item.value]] : [])));
    if (TRANSPARENT.test(name) && this.#take('(')) return valuesOf(this.#list(')', depth + 1))[0] ?? [];
    return /^\s*[[(]/.test(this.#rest()) ? undefined : new Name(name);
  }

  #text(found: RegExpExecArray): string {
    this.#at += found[0].length;
    const body = found.slice(1).find((part) => part !== undefined)!;
    return /^r/i.test(found[0]) ? body : body.replace(/\\([nt\\'"])/g, (_, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? letter);
  }

  #dictionary(depth: number): Map<PythonValue, PythonValue> {
    const out = new Map<PythonValue, PythonValue>();
    if (depth > DEEPEST) throw new LineError(msg`this text is nested too deep for a command line`);
    for (;;) {
      this.#blanks();
      if (this.#take('}')) return out;
      if (this.#at >= this.text.length) throw new LineError(msg`a bracket (${'}'}) is not closed`);
      if (this.#take(',')) continue;
      const begin = this.#at;
      const key = this.#value(depth);
      this.#blanks();
      if (this.#at === begin) throw new LineError(msg`a bracket (${'}'}) is not closed`);
      out.set(key, this.#take(':') ? this.#value(depth) : null);
    }
  }

  /** Anything up to the comma or bracket behind it. */
  #expression(): Name {
    const begin = this.#at;
    for (let open = 0; this.#at < this.text.length; this.#at++) {
      const next = this.text[this.#at]!;
      if (open === 0 && /[,)\]}:]/.test(next)) break;
      if (/[([{]/.test(next)) open++;
      else if (/[)\]}]/.test(next)) open--;
      else if (/["']/.test(next)) this.#skipText(next);
    }
    return new Name(this.text.slice(begin, this.#at).trim());
  }

  #skipText(mark: string): void {
    const end = this.text.indexOf(mark, this.#at + 1);
    if (end < 0) throw new LineError(msg`a quotation mark (${mark}) is not closed`);
    this.#at = end;
  }

  #blanks(): void {
    this.#at += /^(?:\s|#[^\n]*|\\\n)*/.exec(this.#rest())![0].length;
  }

  #rest(): string {
    return this.text.slice(this.#at);
  }

  #take(text: string): boolean {
    const there = this.text.startsWith(text, this.#at);
    if (there) this.#at += text.length;
    return there;
  }
}

class Named {
  constructor(
    readonly name: string,
    readonly value: PythonValue,
  ) {}
}

const valuesOf = (items: readonly (PythonValue | Named)[]): PythonValue[] => items.map((item) => (item instanceof Named ? item.value : item));
