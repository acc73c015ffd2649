// Functions of operators.def for recurrent networks and what follows them.

#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

/// The second version has its gates in another order, and neither a bias of the forget gate nor a limit by default.
void extract_block_lstm(Node& node) {
  const bool second = node.op() == "BlockLSTMV2";
  const double clip = node.get_float("cell_clip", second ? 0 : 3);
  node.set("clip", clip > 0 ? clip : 0.0);
  node.set("forget_bias", second ? 0.0 : node.get_float("forget_bias", 1));
  node.set("peephole", node.get_bool("use_peephole"));
  node.set("gates", std::string(second ? "ifco" : "icfo"));
  node.set_op(node.op() == "LSTMBlockCell" ? "LSTMBlockCell" : "BlockLSTM");
}

void extract_ctc_greedy_decoder(Node& node) {
  node.set("all", int64_t{!node.get_bool("merge_repeated")});
  node.set("blank", node.get_int("blank_index", -1));
  node.set_op("CTCGreedyDecoder");
}

void extract_ctc_loss(Node& node) {
  if (node.get_bool("ignore_longer_outputs_than_inputs"))
    throw Error(Code::UnsupportedForm, "ignore_longer_outputs_than_inputs");
  node.set_op("CTCLossOfSparse");
}

}  // namespace mo::tf
