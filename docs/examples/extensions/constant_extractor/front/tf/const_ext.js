// Reads TensorFlow's Const {value} as Const with the attributes shape, value and data_type.
// Conditions: none.
import { FrontExtractorOp, ops, tfDtypeExtractor, tfTensorContent, tfTensorShape } from '@mo/wasm/extension';

export class ConstExtractor extends FrontExtractorOp {
  // The operation's name in the framework.
  static op = 'Const';
  static enabled = true;

  static extract(node) {
    // node.pb is the framework's node, here a NodeDef.
    const { tensor } = node.pb.attr['value'];
    const shape = tfTensorShape(tensor.tensor_shape);
    const attributes = {
      shape,
      value: tfTensorContent(tensor.dtype, shape, tensor),
      data_type: tfDtypeExtractor(tensor.dtype),
    };
    ops.updateNodeStat('Const', node, attributes);
    return this.enabled;
  }
}
