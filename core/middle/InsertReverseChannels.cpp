// Before: Parameter {reverse_input_channels} -> model
// After:  Parameter -> Gather of channels 2, 1, 0 -> model; Slice with step -1 if their number is not known
// Conditions: the channels of the input are known, and are three or of unknown number. If that holds for no input,
// ChannelsNotReversed is an error, for some a warning. Nodes that read only the shape still read that of the Parameter.

#include "core/base/text.h"
#include "core/middle/model_inputs.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class InsertReverseChannels final : public Transform {
 public:
  Names run_after() const override { return {"AddMeanScaleValues"}; }
  Names run_before() const override { return {"ApplyTargetLayout"}; }
  bool run_not_recursively() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    size_t asked = 0, reversed = 0;
    for (Node* parameter : graph.parameters) {
      if (!parameter->get_bool("reverse_input_channels")) continue;
      ++asked;
      const auto axis = input_channels(*parameter);
      const PartialShape& shape = parameter->out(0).tensor().shape;
      if (!axis || !shape.has_rank() || (shape[*axis].is_exact() && shape[*axis].min != 3)) continue;
      reverse(*parameter, static_cast<int64_t>(*axis), shape[*axis].is_exact());
      ++reversed;
    }
    if (asked == reversed) return;
    const Detail inputs = msg("--reverse_input_channels: network has ", asked, " inputs overall, but ",
                              reversed ? msg("only ", reversed) : Detail("none"),
                              " of them are suitable: ", join(graph.parameters, shown));
    if (reversed == 0) throw Error(Code::ChannelsNotReversed, inputs);
    graph.model().diagnostics.warn(Code::ChannelsNotReversed, inputs);
  }

 private:
  static std::string shown(const Node* parameter) {
    return cat(printable(parameter->name()), " [", to_string(OutPort(const_cast<Node*>(parameter), 0).tensor().shape),
               "]");
  }

  static void reverse(Node& parameter, int64_t axis, bool three) {
    const std::vector<InPort> readers = value_readers(parameter);
    Builder b(parameter);
    const OutPort x = parameter.out(0);
    Node* last = nullptr;
    if (three) {
      const OutPort order = b.i64({2, 1, 0}), along = b.i64_scalar(axis);
      last = &b.node("Gather", {x, order, along}, {{"preprocessing", axis}});
    } else {
      const OutPort start = b.i64({-1}), stop = b.i64({INT64_MIN}), along = b.i64({axis});
      last = &b.node("Slice", {x, start, stop, start, along}, {{"preprocessing", axis}});
    }
    insert_after_input(parameter, last->out(0), readers);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(InsertReverseChannels)
}  // namespace mo
