// Reads the custom operation of MXNet whose op_type is multi_proposal_target. Its attributes are texts, as Python writes them.
// Extractors of front/mxnet/ run only for MXNet models.
import { MXNetCustomFrontExtractorOp, ops } from '@mo/wasm/extension';

export class MultiProposalTargetExtractor extends MXNetCustomFrontExtractorOp {
  static op = 'multi_proposal_target';
  static enabled = true;

  static extract(node) {
    const numbers = (name) => node.get(name).match(/[\d.]+/g).map(Number);
    ops.updateNodeStat('Proposal', node, {
      base_size: Number(node.get('feat_stride')),
      feat_stride: Number(node.get('feat_stride')),
      ratio: numbers('ratios'),
      scale: numbers('scales'),
      min_size: Number(node.get('rpn_min_size')),
      nms_thresh: Number(node.get('threshold')),
      pre_nms_topn: Number(node.get('rpn_pre_nms_top_n')),
      post_nms_topn: Number(node.get('rpn_post_nms_top_n')),
    });
    return this.enabled;
  }
}
