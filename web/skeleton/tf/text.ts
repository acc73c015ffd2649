/** Reads messages in text form into binary ones, and writes binary ones as text. Fields that no skeleton has are left out. */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../../report/page-message.js';
import { escaped } from '../escapes.js';
import { field, fixed, varint, Wire, type Range } from '../wire.js';
import { DataType, MESSAGES, TYPES } from './fields.js';
import { BadText, TooDeep } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

const ENCODER = new TextEncoder();
const DEEPEST = 64;
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '<': '>' };
type Message = keyof typeof TYPES;
/** A type of protobuf, or the name of a message. */
type Type = 'text' | 'int' | 'bool' | 'float' | 'double' | 'enum' | Message;
interface Known {
  readonly name: string;
  readonly number: number;
  readonly type: Type;
}

/** The fields of a message by their names. */
const fieldsOf = (message: Message): ReadonlyMap<string, Known> =>
  new Map(Object.entries<Type>(TYPES[message]).map(([name, type]) => [name, { name, type, number: (MESSAGES[message] as Readonly<Record<string, number>>)[name]! }]));
const FIELDS = new Map((Object.keys(TYPES) as Message[]).map((message) => [message, fieldsOf(message)]));
const TYPE_NAMES = new Map<number, string>(Object.entries(DataType).map(([name, number]) => [number, name]));

/** The message in binary. */
export async function readText(text: string, message: Message): Promise<Uint8Array> {
  return new Reader(text).message(message, '', 0);
}

/** Collects bytes. */
class Bytes {
  #buffer = new Uint8Array(256);
  #length = 0;

  push(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#buffer.length) {
      const grown = new Uint8Array(2 * (this.#length + bytes.length));
      grown.set(this.#buffer);
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  get all(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }
}

class Reader {
  #at = 0;
  #blank = /(?:[\s,;]|#[^\n]*)*/y;
  #word = /[-+]?[\w.](?:[\w.]|(?<=[eE])[-+])*/y;

  constructor(private readonly text: string) {}

  /** Without `message`, the fields are skipped. */
  message(message: Message | undefined, close: string, depth: number): Uint8Array {
    if (depth > DEEPEST) throw this.#error(TooDeep, 'the model file is damaged or malicious');
    const fields = message && FIELDS.get(message)!;
    const out = new Bytes();
    // The values of a tensor, which may be many.
    const packed = message === 'TensorProto' ? new Map<number, Bytes>() : undefined;
    for (this.#skip(); this.text[this.#at] !== (close || undefined); this.#skip()) {
      const name = this.#name();
      const known = fields?.get(name);
      this.#take(':');
      if (!this.#take('[')) this.#value(known, out, depth, packed);
      else while (!this.#take(']')) this.#value(known, out, depth, packed);
    }
    this.#at++;
    for (const [number, bytes] of packed ?? []) out.push(field(number, bytes.all));
    return out.all;
  }

  #value(known: Known | undefined, out: Bytes, depth: number, packed: Map<number, Bytes> | undefined): void {
    this.#skip();
    const first = this.text[this.#at];
    const [number, type] = [known?.number ?? 0, known?.type];
    const inner = type !== undefined && type in TYPES ? (type as Message) : undefined;
    if (first === '{' || first === '<') {
      this.#at++;
      const content = this.message(inner, CLOSING[first]!, depth + 1);
      if (inner) out.push(field(number, content));
      return;
    }
    const isText = first === '"' || first === "'";
    const value = isText ? this.#texts() : this.#literal();
    if (type === undefined) return;
    if (inner || (typeof value === 'string') === (type === 'text')) throw this.#error();
    if (typeof value !== 'string') {
      out.push(field(number, value));
    } else if (packed && type !== 'enum') {
      if (!packed.has(number)) packed.set(number, new Bytes());
      packed.get(number)!.push(type === 'float' || type === 'double' ? realBytes(type, this.#real(value)) : varint(this.#whole(type, value)));
    } else {
      out.push(type === 'float' || type === 'double' ? fixed(number, realBytes(type, this.#real(value))) : field(number, this.#whole(type, value)));
    }
  }

  #whole(type: Type, word: string): number | bigint {
    if (type === 'bool' && /^[a-z]+$/i.test(word)) return /^t(?:rue)?$/i.test(word) ? 1 : 0;
    const [, name, ref] = /^(DT_\w+?)(_REF)?$/.exec(word) ?? [];
    if (name !== undefined && type === 'enum') return ((DataType as Readonly<Record<string, number>>)[name] ?? 0) + (ref ? 100 : 0);
    const [, sign, digits] = /^([-+]?)(0x[\da-f]{1,16}|\d{1,24})$/i.exec(word) ?? [];
    if (digits === undefined) throw this.#error();
    const size = BigInt(/^0\d/.test(digits) ? digits.replace(/^0/, '0o') : digits);
    return sign === '-' ? -size : size;
  }

  #real(word: string): number {
    const [, sign, size] = /^([-+]?)(.*?)f?$/i.exec(word)!;
    const value = /^inf(?:inity)?$/i.test(word.replace(/^[-+]/, '')) ? Infinity : /^nan$/i.test(word.replace(/^[-+]/, '')) ? NaN : Number(size);
    if (Number.isNaN(value) && !/nan$/i.test(word)) throw this.#error();
    return sign === '-' ? -value : value;
  }

  #name(): string {
    if (this.#take('[')) {
      const end = this.text.indexOf(']', this.#at);
      if (end < 0) throw this.#error();
      this.#at = end + 1;
      return '';
    }
    return this.#literal();
  }

  #literal(): string {
    if (this.#take('-')) return `-${this.#literal().replace(/^-/, '')}`;
    this.#word.lastIndex = this.#at;
    const [word] = this.#word.exec(this.text) ?? [];
    if (word === undefined) throw this.#error();
    this.#at += word.length;
    return word;
  }

  /** Texts that follow each other are one. */
  #texts(): Uint8Array {
    const out = new Bytes();
    for (;;) {
      this.#skip();
      const quote = this.text[this.#at];
      if (quote !== '"' && quote !== "'") return out.all;
      this.#at++;
      this.#quoted(quote, out);
    }
  }

  #quoted(quote: string, out: Bytes): void {
    for (let begin = this.#at; ; this.#at++) {
      const char = this.text[this.#at];
      if (char === undefined || char === '\n') throw this.#error();
      if (char !== quote && char !== '\\') continue;
      if (this.#at > begin) out.push(ENCODER.encode(this.text.slice(begin, this.#at)));
      if (char === quote) {
        this.#at++;
        return;
      }
      out.push(this.#escaped());
      begin = this.#at + 1;
    }
  }

  /** Ends on the last character of the escape. */
  #escaped(): Uint8Array {
    const found = escaped(this.text, this.#at);
    if (!found) throw this.#error();
    this.#at += found.length - 1;
    return found.bytes;
  }

  #take(mark: string): boolean {
    this.#skip();
    const there = this.text[this.#at] === mark;
    if (there) this.#at++;
    return there;
  }

  #skip(): void {
    if (this.text.charCodeAt(this.#at) > 0x3b) return; // above all characters that are skipped
    this.#blank.lastIndex = this.#at;
    this.#at += this.#blank.exec(this.text)![0].length;
  }

  #error(code = BadText, hint = 'correct it at the place named'): MoError {
    const before = this.text.slice(0, this.#at).split('\n');
    return new MoError([pageMessage(code, msg`line ${before.length}, column ${before.at(-1)!.length + 1}`, hint)]);
  }
}

function realBytes(type: 'float' | 'double', value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(type === 'float' ? 4 : 8));
  if (type === 'float') view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return new Uint8Array(view.buffer);
}

/** The text of a binary message. */
export async function writeText(bytes: Uint8Array, message: Message): Promise<string> {
  const lines: string[] = [];
  const wire = new Wire(new Blob([bytes as BlobPart]));
  await writeFields(wire, wire.whole, message, '', lines);
  return lines.join('');
}

async function writeFields(wire: Wire, range: Range, message: Message, indent: string, lines: string[]): Promise<void> {
  const names = new Map(Array.from(FIELDS.get(message)!.values(), (known) => [known.number, known]));
  for (const one of await wire.fields(range)) {
    const known = names.get(one.number);
    if (!known) continue;
    const { name, type } = known;
    if (type in TYPES) {
      lines.push(`${indent}${name} {\n`);
      await writeFields(wire, one, type as Message, `${indent}  `, lines);
      lines.push(`${indent}}\n`);
    } else {
      for (const value of await scalars(wire, one, type)) lines.push(`${indent}${name}: ${value}\n`);
    }
  }
}

/** One value, or those of a packed list. */
async function scalars(wire: Wire, one: Range & { readonly wire: number }, type: Type): Promise<string[]> {
  const bytes = await wire.bytes(one);
  if (type === 'text') return [quoted(bytes)];
  const view = new DataView(bytes.buffer);
  if (type === 'float') return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => realText(view.getFloat32(4 * at, true)));
  if (type === 'double') return Array.from({ length: Math.floor(bytes.length / 8) }, (_, at) => realText(view.getFloat64(8 * at, true)));
  return varints(bytes).map((value) => (type === 'bool' ? String(value !== 0n) : type === 'enum' ? typeText(Number(value)) : String(BigInt.asIntN(64, value))));
}

function varints(bytes: Uint8Array): bigint[] {
  const out: bigint[] = [];
  let [value, shift] = [0n, 0n];
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (byte & 0x80 && shift < 70n) continue;
    out.push(BigInt.asUintN(64, value));
    [value, shift] = [0n, 0n];
  }
  return out;
}

function realText(value: number): string {
  return Number.isNaN(value) ? 'nan' : Math.abs(value) === Infinity ? (value < 0 ? '-inf' : 'inf') : Object.is(value, -0) ? '-0.0' : String(value);
}

function typeText(type: number): string {
  const name = TYPE_NAMES.get(type % 100);
  return name === undefined ? String(type) : `${name}${type >= 100 ? '_REF' : ''}`;
}

function quoted(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) =>
    (byte === 0x22 || byte === 0x5c ? `\\${String.fromCharCode(byte)}` : byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`));
  return `"${text.join('')}"`;
}
