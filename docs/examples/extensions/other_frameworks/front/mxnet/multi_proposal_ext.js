// Reads the custom operation of MXNet whose op_type is multi_proposal_target.
// Extractors of front/mxnet/ run only for MXNet models.
import { MXNetCustomFrontExtractorOp, ops } from '@mo/wasm/extension';

export class MultiProposalTargetExtractor extends MXNetCustomFrontExtractorOp {
  static op = 'multi_proposal_target';
  static enabled = true;

  static extract(node) {
    ops.updateNodeStat('Proposal', node);
    return this.enabled;
  }
}
