/** The IR attributes of an operation, from its records. */
import { MoError } from '../core/error.js';
import type { AttrRecord, OpClass } from '../graph/op-classes.js';
import type { Node } from '../types.js';

/** Values that are null or absent are not written. */
export function irAttributes(op: OpClass, node: Node): [name: string, value: string][] {
  return written(op.backendAttrs?.() ?? op.supportedAttrs?.() ?? [], node);
}

/** The values of `records` for a node. */
export function written(records: readonly AttrRecord[], node: Node): [name: string, value: string][] {
  return records.flatMap((record): [string, string][] => {
    const [name, from] = typeof record === 'string' ? [record, record] : record;
    if (typeof name !== 'string') throw new MoError('a record of IR attributes is a name, [name, attribute] or [name, function]', { node });
    const value = typeof from === 'function' ? from(node) : node.get<unknown>(from);
    return value === null || value === undefined ? [] : [[name, irText(value)]];
  });
}

function irText(value: unknown): string {
  return Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>, irText).join(',') : String(value);
}
