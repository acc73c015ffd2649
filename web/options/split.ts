/** A command line as people paste it, taken apart as its shell does. Nothing is replaced: variables and patterns stay as they are. */
import type { Shell } from './quote.js';
import { msg, textOf, type Template } from '@mo/wasm/msg';

/** A sentence on why a text is no command line. */
export class LineError extends Error {
  constructor(readonly said: Template) {
    super(textOf(said));
  }
}

export interface Split {
  words: string[];
  /** What follows the first command. */
  rest: string;
}

/** The character that each shell uses like a backslash; at the end of a line it continues the line. */
const ESCAPES: Record<Shell, string> = { posix: '\\', cmd: '^', powershell: '`' };

/** Single quotes: none in cmd, typographic ones, too, in PowerShell. */
const SINGLE: Record<Shell, RegExp> = { posix: /'/, cmd: /(?!)/, powershell: /['\u2018-\u201b]/ };

/** The meanings of a backslash and a letter in `$'…'`. */
const LETTERS: Readonly<Record<string, string>> = { a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The words of the first command, by the rules of the shell. Throws a LineError when a quotation mark is not closed. */
export function split(text: string, shell: Shell): Split {
  // PowerShell calls a program whose path is quoted with an ampersand.
  const reader = new Reader(text.replaceAll('\r\n', '\n').trim().replace(/^&\s+/, ''), shell);
  return reader.read();
}

/** Guesses the shell that a line was written for, by syntax that the other shells do not have. */
export function guessShell(text: string): Shell {
  if (/`\s*\n/.test(text) || /^\s*(PS\b[^\n]*>|&\s)/.test(text)) return 'powershell';
  // Two single quotes in a quoted text are one quote in PowerShell. In sh they are nothing.
  if (/[^\s'\\=]''[^\s']/.test(text)) return 'powershell';
  const bare = text.replace(/\\'|'[^'\n]*'/g, '');
  if (/\^\s*\n/.test(text) || /^\s*[A-Za-z]:\\[^\n>]*>/.test(text)) return 'cmd';
  // A backslash before a letter: in a path. In sh it has no meaning there.
  if (/\\[\w.]/.test(bare)) return bare === text ? 'cmd' : 'powershell';
  return /\^[%&|<>^]/.test(bare) ? 'cmd' : 'posix';
}

class Reader {
  readonly #words: string[] = [];
  /** The word that has begun; it may be empty, as `''` is. */
  #word: string | undefined;
  #at = 0;

  constructor(
    private readonly text: string,
    private readonly shell: Shell,
  ) {}

  read(): Split {
    while (this.#at < this.text.length && !this.#ends()) this.#step();
    this.#close();
    return { words: this.#words, rest: this.text.slice(this.#at).trim() };
  }

  /** Whether the command ends here: before a pipe, a redirection, another command or a comment. */
  #ends(): boolean {
    const next = this.text[this.#at]!;
    if (next === '\n') return !/^\s*-/.test(this.text.slice(this.#at));
    if (next === '|' || next === '&' || (next === ';' && this.shell !== 'cmd')) return true;
    if (next === '#') return this.#word === undefined && this.shell !== 'cmd';
    if (next !== '>' && next !== '<') return false;
    // The digit of "2>" belongs to the redirection. A ">" or "<" within a word belongs to the word, as in name->value.
    if (next === '>' && /^\d$/.test(this.#word ?? '')) this.#word = undefined;
    return this.#word === undefined;
  }

  #step(): void {
    const next = this.text[this.#at++]!;
    if (/\s/.test(next)) this.#close();
    else if (next === ESCAPES[this.shell] || (next === '\\' && this.#continues())) this.#escaped();
    else if (next === '"') this.#quoted();
    else if (next === '$' && this.shell === 'posix' && this.#take("'")) this.#escapes();
    else if (SINGLE[this.shell].test(next)) this.#literal();
    else if (next === '\\' && this.shell === 'cmd') this.#backslashes();
    else this.#add(next);
  }

  /** A lone backslash at the end of a line continues it in every shell: documents mix it with paths of Windows. */
  #continues(): boolean {
    return this.#word === undefined && /^[ \t]*\n/.test(this.text.slice(this.#at));
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text;
  }

  #close(): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }

  /** Blanks between the escape character and the end of the line are a slip: the line goes on. */
  #escaped(): void {
    const end = /^[ \t]*\n/.exec(this.text.slice(this.#at));
    if (end) this.#at += end[0].length;
    else if (this.#at < this.text.length) this.#add(this.text[this.#at++]!);
  }

  /** In single quotes nothing is special. In PowerShell two of them are one. */
  #literal(): void {
    for (;;) {
      const length = this.text.slice(this.#at).search(SINGLE[this.shell]);
      if (length < 0) throw unclosed("'");
      this.#add(this.text.slice(this.#at, this.#at + length));
      this.#at += length + 1;
      const next = this.text[this.#at] ?? '';
      if (this.shell !== 'powershell' || !SINGLE.powershell.test(next)) return;
      this.#add(next);
      this.#at++;
    }
  }

  /** `$'…'` of bash: in it a backslash begins a character that cannot be typed. */
  #escapes(): void {
    const [whole, body] = /^((?:[^'\\]|\\.)*)'/su.exec(this.text.slice(this.#at)) ?? [];
    if (whole === undefined) throw unclosed("'");
    this.#at += whole.length;
    this.#add(body!.replace(/\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|(.))/gsu, (escape, x, u, U, octal, letter: string) => {
      if (letter !== undefined) return LETTERS[letter] ?? (/[\\'"?]/.test(letter) ? letter : escape);
      const code = octal === undefined ? parseInt(x ?? u ?? U, 16) : parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : escape;
    }));
  }

  #quoted(): void {
    this.#add('');
    for (;;) {
      const next = this.text[this.#at++];
      if (next === undefined) throw unclosed('"');
      if (next === '\\' && this.shell !== 'powershell') this.#backslashes();
      else if (next === '`' && this.shell === 'powershell') this.#add(this.text[this.#at++] ?? '');
      else if (next !== '"') this.#add(next);
      // On Windows two quotation marks are one.
      else if (this.shell !== 'posix' && this.#take('"')) this.#add('"');
      else return;
    }
  }

  /** Reads on behind a backslash. It is special for sh within quotation marks only, for programs of Windows everywhere. */
  #backslashes(): void {
    if (this.shell === 'posix') {
      const next = this.text[this.#at];
      if (next === undefined || !'$`"\\\n'.includes(next)) return this.#add('\\');
      this.#at++;
      return next === '\n' ? undefined : this.#add(next);
    }
    const run = /^\\*/.exec(this.text.slice(this.#at))![0].length + 1;
    this.#at += run - 1;
    if (this.text[this.#at] !== '"') return this.#add('\\'.repeat(run));
    this.#add('\\'.repeat(run >> 1));
    if (run % 2 === 0) return;
    this.#at++;
    this.#add('"');
  }

  #take(character: string): boolean {
    const there = this.text[this.#at] === character;
    if (there) this.#at++;
    return there;
  }
}

function unclosed(mark: string): LineError {
  return new LineError(msg`a quotation mark (${mark}) is not closed`);
}
