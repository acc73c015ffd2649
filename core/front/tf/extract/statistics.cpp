// Functions of operators.def for losses and statistics.

#include "core/build/builder.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

void extract_in_top_k(Node& node) {
  node.add_in_ports(3);
  node.in(2).connect(Builder(node).i64_scalar(node.get_int("k")));
  node.set_op("InTopKV2");
}

}  // namespace mo::tf
