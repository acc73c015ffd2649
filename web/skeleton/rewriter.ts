/** Walks the messages of a protobuf file where they lie, and writes what rules make of their fields. Fields without a rule are left out. */
import { MoError } from '@mo/wasm';

import { pageMessage } from '../report/page-message.js';
import { concat, field, Wire, type Field, type Range } from './wire.js';
import { SizeOverflow, TooDeep } from '../report/codes.js';
import { msg } from '@mo/wasm/msg';

/** What becomes of a field's content; undefined leaves the field out. */
export type Rule = 'keep' | ((field: Field) => Promise<Uint8Array | string | undefined>);
/** The numbers of a message's fields by their names, as fields.ts of a format has them. */
export type Numbers = Readonly<Record<string, number>>;
export type Rules<M extends Numbers> = { readonly [Name in keyof M]?: Rule };

/** A skeleton is no longer than that. */
const MOST_IN_ALL = 1 << 26;
/** A field that is longer is weights, or hostile. */
export const LONGEST = 1 << 16;
const DEEPEST = 64;

export class Rewriter {
  readonly wire: Wire;
  #depth = 0;
  #left = MOST_IN_ALL;

  constructor(file: Blob) {
    this.wire = new Wire(file);
  }

  async rewrite<M extends Numbers>(range: Range, message: M, rules: Rules<M>): Promise<Uint8Array> {
    const byNumber = new Map(Object.entries<Rule | undefined>(rules).map(([name, rule]) => [message[name], rule]));
    const parts: Uint8Array[] = [];
    for (const one of await this.wire.fields(range)) {
      const rule = byNumber.get(one.number);
      if (rule === undefined) continue;
      if (rule === 'keep') {
        if (one.end - one.tag <= LONGEST) parts.push(this.spend(await this.wire.bytes({ begin: one.tag, end: one.end }), one));
        continue;
      }
      const content = await rule(one);
      if (content !== undefined) parts.push(field(one.number, content));
    }
    return concat(parts);
  }

  /** As rewrite(), for a message that may be inside one of its own kind. */
  async rewriteNested<M extends Numbers>(range: Range, message: M, rules: Rules<M>): Promise<Uint8Array> {
    if (++this.#depth > DEEPEST) throw new MoError([pageMessage(TooDeep, msg`byte ${range.begin}`, 'the model file is damaged or malicious')]);
    const content = await this.rewrite(range, message, rules);
    this.#depth--;
    return content;
  }

  /** Counts bytes that go into the skeleton, and returns them. Too many in all are an error that names the place in the model. */
  spend(bytes: Uint8Array, { begin }: Range): Uint8Array {
    this.#left -= bytes.length;
    if (this.#left < 0) throw new MoError([pageMessage(SizeOverflow, msg`byte ${begin}`, 'the model is too large for a skeleton')]);
    return bytes;
  }

  /** The last field of that number; undefined where there is none. */
  async last(range: Range, number: number): Promise<Field | undefined> {
    return (await this.wire.fields(range)).findLast((one) => one.number === number);
  }

  /** The text of a field of a message; '' if the field is absent, or too long for a name. */
  async text(range: Range, number: number): Promise<string> {
    return this.textIn(await this.wire.fields(range), number);
  }

  async textIn(fields: readonly Field[], number: number): Promise<string> {
    const found = fields.findLast((one) => one.number === number);
    return found && found.end - found.begin <= LONGEST ? this.wire.text(found) : '';
  }
}
