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

/**
 * Reads attributes from a framework's node. Its module is in front/<framework>/.
 *
 * @example
 * ```js
 * import { FrontExtractorOp, onnxAttr, ops } from '@mo/wasm/extension';
 *
 * export class SwishExtractor extends FrontExtractorOp {
 *   static op = 'QuickSwish';
 *   static extract(node) {
 *     ops.updateNodeStat('AttributedSwish', node, { beta: Number(onnxAttr(node, 'beta', 'f', 1)) });
 *     return true;
 *   }
 * }
 * ```
 */
export abstract class FrontExtractorOp extends Extractor {}

/**
 * Extracts a Python layer of Caffe, by module and layer name. Its module is in front/caffe/.
 *
 * @example
 * ```js
 * import { CaffePythonFrontExtractorOp, ops } from '@mo/wasm/extension';
 *
 * export class ProposalExtractor extends CaffePythonFrontExtractorOp {
 *   static op = 'rpn.proposal_layer.ProposalLayer';
 *   static extract(node) {
 *     const { feat_stride: stride } = CaffePythonFrontExtractorOp.parseParamStr(node);
 *     ops.updateNodeStat('Proposal', node, { feat_stride: Number(stride) });
 *     return true;
 *   }
 * }
 * ```
 */
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

/**
 * Extracts a custom operation of MXNet, by its `op_type`. Its module is in front/mxnet/.
 *
 * @example
 * ```js
 * import { MXNetCustomFrontExtractorOp, ops } from '@mo/wasm/extension';
 *
 * export class ProposalExtractor extends MXNetCustomFrontExtractorOp {
 *   static op = 'proposal_target';
 *   static extract(node) {
 *     ops.updateNodeStat('Identity', node);
 *     return true;
 *   }
 * }
 * ```
 */
export abstract class MXNetCustomFrontExtractorOp extends Extractor {}
