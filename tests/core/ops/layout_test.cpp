// Checks every operation definition's layout rules: permute the inputs, apply the rules, infer; the outputs must be the
// permuted original outputs. Each rule must matter for some sample.
#include <algorithm>
#include <set>

#include "core/layout/permute_attributes.h"
#include "tests/core/ops/samples.h"

namespace mo::test {
namespace {

/// The permutation for a tensor of that rank.
using Turn = Permutation (*)(size_t);
/// Moves every axis, including the batch.
Permutation shuffled(size_t rank) {
  return rank == 4 ? Permutation({2, 0, 3, 1}) : rank == 5 ? Permutation({2, 0, 4, 1, 3}) : nhwc_to_nchw(rank);
}

PartialShape turned(const PartialShape& shape, Turn turn) {
  return shape.has_rank() ? permute_shape(shape, turn(shape.dimensions().size())) : shape;
}

std::vector<PartialShape> turned_outputs(const Sample& sample, Turn turn) {
  SampleNode original(sample);
  infer_node(original.node());
  std::vector<PartialShape> out = original.output_shapes();
  for (PartialShape& shape : out) shape = turned(shape, turn);
  return out;
}

size_t data_rank(const Sample& sample) {
  if (!sample.inputs.empty())
    return sample.inputs[0].value ? sample.inputs[0].value->shape.size() : sample.inputs[0].shape.dimensions().size();
  SampleNode node(sample);
  infer_node(node.node());
  return node.output_shapes().at(0).dimensions().size();
}

/// The difference from the permuted original after applying `rules`; empty if there is none.
std::string difference(const Sample& sample, const LayoutRules& rules, Turn turn) {
  try {
    const Permutation p = turn(data_rank(sample));
    Sample after = sample;
    for (size_t i = 0; i < after.inputs.size(); ++i) {
      SampleInput& input = after.inputs[i];
      if (!input.value && is_data_input(rules, static_cast<int>(i))) input.shape = turned(input.shape, turn);
    }
    SampleNode made(after);
    Node& node = made.node();
    permute_attributes(node, rules, p);
    permute_inputs(node, rules, p);
    infer_node(node);
    const auto expected = turned_outputs(sample, turn), got = made.output_shapes();
    for (size_t i = 0; i < got.size(); ++i)
      if (got[i] != expected[i])
        return cat("output ", i, " is [", to_string(got[i]), "], want [", to_string(expected[i]), "]");
    if (turn != static_cast<Turn>(nhwc_to_nchw)) return {};
    for (const AxesInNchw& want : sample.nchw) {
      Ints axes = node.get_ints(want.attribute, {node.get_int(want.attribute, -1)});
      if (want.attribute.empty()) axes = node.source(want.input).tensor().ints->exact();
      if (axes != want.axes) return cat("the axes of ", want.attribute, want.input, " are not as expected");
    }
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::vector<Turn> turns_of(const Sample& sample) {
  std::vector<Turn> out{nhwc_to_nchw, nchw_to_nhwc};
  if (!sample.batch_first) out.push_back(shuffled);
  return out;
}

const Layout& layout_of(const Sample& sample) { return find_op(sample.op)->layout; }

LayoutRules without(const LayoutRules& rules, size_t index) {
  LayoutRules out;
  size_t i = 0;
  for (const LayoutRule& rule : rules)
    if (i++ != index) out.add(rule);
  return out;
}

TEST(Layout, EveryOperationHasASample) {
  std::set<std::string, std::less<>> sampled, defined;
  for (const Sample& sample : all_samples()) sampled.insert(sample.op);
  for (const OpDef* def : all_ops()) {
    EXPECT_TRUE(sampled.count(def->op)) << def->op << " has no sample in tests/core/ops/samples*.cpp";
    EXPECT_TRUE(defined.emplace(def->op).second) << def->op << " is defined twice";
  }
  for (const std::string& op : sampled) EXPECT_TRUE(defined.count(op)) << op << " is no operation";
}

TEST(Layout, OutputsFollowTheRules) {
  for (const Sample& sample : all_samples()) {
    if (!find_op(sample.op)) continue;
    SampleNode node(sample);
    infer_node(node.node());
    const LayoutClass kind = sample.reshapes ? LayoutClass::Reshapes : layout_of(sample).kind;
    EXPECT_EQ(layout_class(node.node()), kind) << sample.op;
    if (kind == LayoutClass::Reshapes) continue;
    for (const Turn turn : turns_of(sample))
      EXPECT_EQ(difference(sample, layout_of(sample).rules, turn), "") << sample.op;
  }
}

TEST(Layout, OnlyWhatFollowsHasRules) {
  for (const OpDef* def : all_ops()) {
    const LayoutClass kind = def->layout.kind;
    const bool has_rules = def->layout.rules.begin() != def->layout.rules.end();
    EXPECT_EQ(has_rules, kind == LayoutClass::Follows || kind == LayoutClass::Spatial || def->layout.drops_axes)
        << def->op;
  }
}

TEST(Layout, NoRuleCanBeLeftOut) {
  for (const OpDef* def : all_ops()) {
    const LayoutRules& rules = def->layout.rules;
    const auto count = static_cast<size_t>(rules.end() - rules.begin());
    for (size_t i = 0; i < count; ++i) {
      bool noticed = false;
      for (const Sample& sample : all_samples())
        if (sample.op == def->op && !sample.reshapes)
          for (const Turn turn : turns_of(sample)) noticed |= !difference(sample, without(rules, i), turn).empty();
      EXPECT_TRUE(noticed) << def->op << ": no sample notices that rule " << i << " is missing";
    }
  }
}

TEST(Layout, AttributesThatNameAxesHaveARule) {
  const std::set<std::string, std::less<>> axes{"axes",         "axis",         "seq_axis", "batch_axis",
                                                "channel_dims", "spatial_dims", "pads",     "order"};
  for (const Sample& sample : all_samples()) {
    const OpDef* def = find_op(sample.op);
    if (!def || def->layout.kind == LayoutClass::Reshapes) continue;
    const LayoutRules& rules = def->layout.rules;
    for (const auto& [name, value] : sample.attributes) {
      const bool ruled = std::any_of(
          rules.begin(), rules.end(),
          [&, key = std::string_view(name)](const LayoutRule& r) { return r.attribute && r.attribute == key; });
      EXPECT_TRUE(ruled || !axes.count(name)) << sample.op << ": " << name;
    }
  }
}

TEST(Permutation, TurnsOnlyWhatHasMoreThanThreeDimensions) {
  EXPECT_EQ(nhwc_to_nchw(4).perm, (Ints{0, 3, 1, 2}));
  EXPECT_EQ(nhwc_to_nchw(5).inv, (Ints{0, 2, 3, 4, 1}));
  EXPECT_EQ(nchw_to_nhwc(4).perm, (Ints{0, 2, 3, 1}));
  for (size_t rank = 0; rank <= 3; ++rank) EXPECT_TRUE(nhwc_to_nchw(rank).is_identity()) << rank;
  EXPECT_CODE(Code::BadValue, Permutation({0, 2}));
  EXPECT_CODE(Code::BadValue, Permutation({1, 1}));
}

TEST(Permutation, OfLists) {
  const Permutation p = nhwc_to_nchw(4);
  EXPECT_EQ(permute_numbers({1, 2, 3, 4}, p), (Ints{1, 4, 2, 3}));
  EXPECT_EQ(permute_numbers({1, 2}, p), (Ints{1, 0, 2, 0}));
  EXPECT_EQ(permute_numbers({}, p), Ints{});
  EXPECT_EQ(permute_axes({0, -1, 1, 1}, p), (Ints{0, 1, 2, 2}));
  EXPECT_EQ(permute_order({0, 1, 2, 3}, p), (Ints{0, 1, 2, 3}));
  EXPECT_CODE(Code::ShapeMismatch, permute_numbers({1, 2, 3, 4, 5}, p));
  EXPECT_CODE(Code::BadValue, permute_axes({4}, p));
  EXPECT_CODE(Code::ShapeMismatch, permute_shape({1, 2}, p));
}

/// An input of axes known only at run time is permuted at run time.
TEST(Layout, InputsThatAreNotKnownGetAGather) {
  SampleNode made({"ReduceSum", {data({2, 3, 5, 7}), data({2}, ElementType::I32)}, {{"keep_dims", true}}});
  permute_inputs(made.node(), find_op("ReduceSum")->layout.rules, nhwc_to_nchw(4));
  const Node& gather = made.node().source(1).node();
  EXPECT_EQ(gather.name(), "sample/AxisGather");
  EXPECT_EQ(gather.source(0).tensor().ints->exact(), (std::vector<int64_t>{0, 2, 3, 1}));
}

}  // namespace
}  // namespace mo::test
