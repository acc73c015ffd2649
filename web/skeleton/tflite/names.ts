/**
 * Names of TensorFlow Lite's models, replaced part by part, so that nodes of an inlined call have the same names in a report and in a
 * skeleton.
 */
import type { Message } from '@mo/wasm';

import type { Anonymous } from '../../report/anonymous.js';

/** Parts that the core adds to names, or uses in place of empty ones. */
const OWN = /^(?:input|Const|quantize|dequantize|scale|zero_point|initial|assign|shaped|sink_port_\d+|)$/;

export class Names {
  readonly #parts = new Map<string, string>();
  /** The names of operators: a node whose output has no name gets that of its operator. */
  readonly #operators: ReadonlySet<string>;

  /** `report` gets the new names, so that a report has the same ones as the skeleton. */
  constructor(private readonly report: Anonymous, messages: readonly Message[]) {
    this.#operators = new Set(messages.map(({ op }) => op));
  }

  /** A name that the user may give in options, or that a message has. */
  known(name: string): string {
    return name === '' ? '' : this.report.rename(name, this.name(name));
  }

  name(name: string): string {
    return name.split('/').map((part) => this.#part(part)).join('/');
  }

  /** A path beside the model. Parts that lead to another folder stay. */
  path(path: string): string {
    return path.split('/').map((part) => (part === '..' || part === '.' ? part : this.#part(part))).join('/');
  }

  #part(part: string): string {
    if (OWN.test(part) || this.#operators.has(part)) return part;
    let alias = this.#parts.get(part);
    if (alias === undefined) this.#parts.set(part, (alias = `s${this.#parts.size + 1}`));
    return alias;
  }
}
