// Reads ONNX's Constant {value} as Const with the attributes value and data_type.
// Conditions: the constant is a tensor. Other forms are left to the built-in extractor.
import { FrontExtractorOp, log, onnxAttr, ops, toArray } from '@mo/wasm/extension';

export class TensorConstantExtractor extends FrontExtractorOp {
  static op = 'Constant';
  static enabled = true;

  static extract(node) {
    const proto = onnxAttr(node, 'value', 't');
    if (proto === undefined) return false;
    const value = toArray(proto);
    ops.updateNodeStat('Const', node, { data_type: value.type, value });
    log.debug(`${node.name}: ${value.type} [${value.shape}]`);
    return this.enabled;
  }
}
