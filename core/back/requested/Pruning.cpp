// Before: convolutions and matrix products with output channels that are always 0
// After:  the same without these channels: their weights, what is added to or multiplied by them, and the weights that
//         read them are shorter
// Conditions: those of plan_removal() in zero_channels.h. Reads weights once: which channels are 0 depends on their
// values.

#include "core/back/requested/requested_transforms.h"
#include "core/back/requested/zero_channels.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

Constant shortened(const Constant& value, const ChannelUse& use, const Ints& left, Files& files) {
  if (!use.is_shape) return take(value, use.axis, left);
  Ints shape = *read_ints(value, files);
  shape[use.axis] = static_cast<int64_t>(left.size());
  return convert(make_i64(shape), value.type);
}

}  // namespace

void prune_zero_channels(Graph& graph) {
  const ChannelPlan plan = plan_removal(graph);
  for (const ChannelUse& use : plan.uses) {
    Ints left;
    for (size_t i = 0; i < use.classes.size(); ++i)
      if (!plan.removable[static_cast<size_t>(use.classes[i])]) left.push_back(static_cast<int64_t>(i));
    if (left.size() == use.classes.size()) continue;
    Node& constant = use.reader->source(use.input).node();
    const Constant made = shortened(*constant.get_constant("value"), use, left, graph.files());
    if (constant.out(0).reader_count() == 1) {
      constant.set("value", made);
      constant.require_shape_inference();
    } else {
      use.reader->in(use.input).connect(graph.constant(made, constant.name()));
    }
  }
}

}  // namespace mo
