/** Texts without names: words that could show whose model it is become n1, n2… */

/** Names of nodes, tensors and files, each with the beginning of the names that replace it. */
export type Kind = 'n' | 't' | 'file';

/** Words may also be names in a model. They stay only where they are not such a name. */
const WORD = /^[A-Za-z]+$/;
const TYPE = /^(?:[fiu](?:4|8|16|32|64)|bf16|boolean|string)$/;
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?(?:e[-+]?\d+)?|\?)(?:\.\.(?:\d+|\?)?)?$/i;
/** A name in quotation marks may have blanks. An apostrophe inside a word is no quotation mark. */
const QUOTED = /("[^"]+"|(?<!\w)'[^']+'(?!\w))/;
/** The characters between words; they stay as they are. */
const BETWEEN = /([\s()[\]{},;="'<>|]+|[:.](?=\s|$)|->)/;

export class Anonymous {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<Kind, number>();

  /** `vocabulary` are the words of the product's own texts in small letters. */
  constructor(private readonly vocabulary: ReadonlySet<string>, private readonly operations: ReadonlySet<string>) {}

  /** The name that replaces this one; the same one each time. */
  name(name: string, kind: Kind): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return this.rename(name, `${kind}${count}`);
  }

  /** From now on `alias` replaces this name. */
  rename(name: string, alias: string): string {
    this.#names.set(name, alias);
    return alias;
  }

  /** The text with names replaced: known names, and all words except those of the product, numbers, types and operations. */
  text(text: string): string {
    const whole = [...this.#names.keys()].filter((name) => name.length > 2 && !WORD.test(name)).sort((a, b) => b.length - a.length);
    let parts = [text];
    for (const name of whole) parts = parts.flatMap((part, index) => (index % 2 ? [part] : around(part, name)));
    return parts.map((part, index) => (index % 2 ? this.#names.get(part)! : this.#words(part))).join('');
  }

  #words(text: string): string {
    return text.split(QUOTED).map((part, index) => (index % 2 ? this.#quoted(part) : this.#unquoted(part))).join('');
  }

  #quoted(text: string): string {
    return `${text[0]}${this.name(text.slice(1, -1), 'n')}${text[0]}`;
  }

  #unquoted(text: string): string {
    return text.split(BETWEEN).map((part, index) => (index % 2 ? part : this.#word(part))).join('');
  }

  #word(word: string): string {
    const alias = this.#names.get(word);
    if (alias !== undefined) return alias;
    if (word === '' || NUMBER.test(word) || TYPE.test(word) || this.operations.has(word)) return word;
    const last = word.slice(word.lastIndexOf('.') + 1);
    if (this.operations.has(last)) return last;
    const plain = word.replace(/^-+/, '').toLowerCase();
    return !/[^-a-z]/.test(plain) && plain.split('-').every((piece) => this.vocabulary.has(piece)) ? word : this.name(word, 'n');
  }
}

/** Text, name, text, name… : the parts at odd places are the name. */
function around(text: string, name: string): string[] {
  return text.split(name).flatMap((part, index) => (index > 0 ? [name, part] : [part]));
}
