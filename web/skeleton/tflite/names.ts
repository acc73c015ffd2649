/** Names of TensorFlow Lite's models, replaced part by part, so that what a call is inlined as has the same name in a report and in a skeleton. */
import type { Message } from '@mo/wasm';

import type { Anonymous } from '../../anonymous.js';

/** What the core adds to names, and takes for those that are empty. */
const OWN = /^(?:input|Const|quantize|dequantize|scale|zero_point|initial|assign|shaped|sink_port_\d+|)$/;

export class Names {
  readonly #parts = new Map<string, string>();
  /** A node whose output has no name has that of its operator. */
  readonly #operators: ReadonlySet<string>;

  /** `report` learns the names, so that it says them as the skeleton does. */
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

  /** A path beside the model: that it leads elsewhere stays. */
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
