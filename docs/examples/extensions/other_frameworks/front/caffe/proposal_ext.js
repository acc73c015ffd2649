// Reads the Python layer ProposalLayer of the module rpn.proposal_layer: its parameters are Python text.
// Extractors of front/caffe/ run only for Caffe models.
import { CaffePythonFrontExtractorOp, ops } from '@mo/wasm/extension';

export class ProposalLayerExtractor extends CaffePythonFrontExtractorOp {
  static op = 'rpn.proposal_layer.ProposalLayer';
  static enabled = true;

  static extract(node) {
    const { feat_stride: featStride = 16 } = this.parseParamStr(node);
    ops.updateNodeStat('Proposal', node, { feat_stride: featStride });
    return this.enabled;
  }
}
