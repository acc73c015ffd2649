import type { OpClass } from '../graph/op-classes.js';
import type { Node } from '../types.js';
import { readPythonDict } from '../values/python-dict.js';

abstract class Extractor {
  /** The operation's name in the framework. */
  static op: string;
  static enabled: boolean = true;
  /** Returns whether it extracted the node; false leaves it to the next candidate. */
  static extract(_node: Node): boolean {
    return false;
  }
}

/** Reads attributes from a framework's node. Its module is in front/<framework>/. */
export abstract class FrontExtractorOp extends Extractor {}

/** Extracts a Python layer of Caffe, by module and layer name. Its module is in front/caffe/. */
export abstract class CaffePythonFrontExtractorOp extends Extractor {
  /** 'module.LayerName' */
  static override op: string;
  /**
   * The layer's `param_str`, a Python dictionary with or without braces, as an object. A text may be given, too. With `op` it has only
   * those that the operation's `supportedAttrs` name: what its `updateNodeStat` is to take.
   */
  static parseParamStr(node: Node | string, op?: Pick<OpClass, 'supportedAttrs'>): Readonly<Record<string, unknown>> {
    const all = readPythonDict(typeof node === 'string' ? node : String(node.get('param_str', '') ?? ''));
    if (!op) return all;
    const supported = new Set<unknown>((op.supportedAttrs?.() ?? []).map((record) => (typeof record === 'string' ? record : record[1])));
    return Object.fromEntries(Object.entries(all).filter(([name]) => supported.has(name)));
  }
}

/** Extracts a custom operation of MXNet, by its `op_type`. Its module is in front/mxnet/. */
export abstract class MXNetCustomFrontExtractorOp extends Extractor {}
