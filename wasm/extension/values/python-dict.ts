/** Reads the text of a Python dict, with or without its braces, or YAML's lines of the same kind. */
import { MoError } from '../core/error.js';

const CONSTANTS: Readonly<Record<string, unknown>> = { True: true, true: true, False: false, false: false, None: null, null: null };
const MARKS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const DEEPEST = 100;

export function readPythonDict(text: string): Record<string, unknown> {
  return new Reader(text).dict();
}

class Reader {
  #at = 0;
  #depth = 0;
  constructor(private readonly text: string) {}

  dict(): Record<string, unknown> {
    const out = this.#pairs(this.#take('{') ? '}' : '');
    if (this.#skip() < this.text.length) throw this.#error('the end');
    return out;
  }

  /** Jumps over blanks, lines and comments. */
  #skip(): number {
    this.#at += /^(?:\s|#[^\n]*)*/.exec(this.text.slice(this.#at))![0].length;
    return this.#at;
  }

  #take(mark: string): boolean {
    const found = this.text.startsWith(mark, this.#skip());
    if (found) this.#at += mark.length;
    return found;
  }

  #error(wanted: string): MoError {
    return new MoError(`param_str: expected ${wanted} at character ${this.#at + 1}, not ${JSON.stringify(this.text.slice(this.#at, this.#at + 20))}`,
      { hint: "param_str is a Python dict: 'feat_stride': 16, 'ratios': [0.5, 1, 2]" });
  }

  #pairs(close: string): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    while (!(close ? this.#take(close) : this.#skip() === this.text.length)) {
      const key = String(this.#value());
      if (!this.#take(':')) throw this.#error("':'");
      const value = this.#value();
      Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
      if (!this.#take(',') && close && !this.text.startsWith(close, this.#skip())) throw this.#error(`',' or '${close}'`);
    }
    return out;
  }

  #list(close: string): unknown[] {
    const out: unknown[] = [];
    while (!this.#take(close)) {
      out.push(this.#value());
      if (!this.#take(',') && !this.text.startsWith(close, this.#skip())) throw this.#error(`',' or '${close}'`);
    }
    return out;
  }

  #value(): unknown {
    if (++this.#depth > DEEPEST) throw this.#error(`at most ${DEEPEST} lists in each other`);
    const value = this.#bare();
    this.#depth--;
    return value;
  }

  #bare(): unknown {
    if (this.#take('{')) return this.#pairs('}');
    if (this.#take('[')) return this.#list(']');
    if (this.#take('(')) {
      const list = this.#list(')');
      // Without a comma, parentheses mean nothing.
      return list.length === 1 && !/,\s*\)$/.test(this.text.slice(0, this.#at)) ? list[0] : list;
    }
    const rest = this.text.slice(this.#skip());
    const quoted = /^[uUrRbB]{0,2}(?:'((?:[^'\\]|\\[^])*)'|"((?:[^"\\]|\\[^])*)")/.exec(rest);
    if (quoted) {
      this.#at += quoted[0].length;
      return (quoted[1] ?? quoted[2]!).replace(/\\([^])/g, (_, mark: string) => MARKS[mark] ?? mark);
    }
    const word = /^[^\s,:[\](){}'"#]+/.exec(rest)?.[0];
    if (word === undefined) throw this.#error('a value');
    this.#at += word.length;
    if (Object.hasOwn(CONSTANTS, word)) return CONSTANTS[word];
    return /^[-+]?(\d|\.\d)/.test(word) && !Number.isNaN(Number(word.replaceAll('_', ''))) ? Number(word.replaceAll('_', '')) : word;
  }
}
