import type { Node } from '../types.js';

const EXTENSION_FAILED = 'MO4004';

/**
 * Ends the conversion with a message that shows the node, and the module and line it was thrown at.
 *
 * @example
 * ```js
 * import { MoError } from '@mo/wasm/extension';
 *
 * function positive(node, value) {
 *   if (value <= 0) throw new MoError(`the factor ${value} is not positive`, { node, hint: 'train the model with a positive factor' });
 *   return value;
 * }
 * ```
 */
export class MoError extends Error {
  override readonly name = 'MoError';
  /** A row of the product's table of errors. */
  readonly code: string = EXTENSION_FAILED;
  readonly hint: string;
  /** The node's name. */
  readonly node: string;

  constructor(message: string, { node, hint = '' }: { node?: Node | undefined; hint?: string } = {}) {
    super(message);
    this.node = node ? nameOf(node) : '';
    this.hint = hint;
  }
}

/** An error of the core, with its code. */
export class CoreError extends MoError {
  override readonly code: string;
  override readonly node: string;

  constructor(text: string, { code, hint, node }: { code: string; hint: string; node: string }) {
    super(text, { hint });
    this.code = code;
    this.node = node;
  }
}

/** The name of a removed node cannot be read; the message then goes without it. */
function nameOf(node: Node): string {
  try {
    return String(node.get('name', node.id));
  } catch {
    return '';
  }
}
