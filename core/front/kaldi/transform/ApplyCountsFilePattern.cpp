// Before: x -> SoftMax -> Result
// After:  x -> Sub(the logarithms of the classes' frequencies) -> SoftMax -> Result
// Before: x -> Result
// After:  x -> Sub(these) -> Result
// Conditions: --counts. A class of a frequency below 1e-10 gets a number so large that it never wins.

#include <limits>

#include "core/base/libm.h"
#include "core/base/text.h"
#include "core/front/kaldi/load/dimensions.h"
#include "core/front/kaldi/load/model_facts.h"
#include "core/graph/framework_node.h"
#include "core/rewrite/front_replacement.h"

namespace mo {
namespace {

class ApplyCountsFilePattern final : public FrontReplacementPattern {
 public:
  Names run_before() const override { return {"MemoryOffsetAdjustment", "FrontFinish"}; }
  bool run_not_recursively() const override { return true; }
  bool graph_condition(Graph& graph) const override {
    const kaldi::ModelFacts* facts = kaldi::facts_of(graph.model());
    return facts && facts->counts.content;
  }

  void find_and_replace_pattern(Graph& graph) override {
    const Constant priors = log_priors(kaldi::facts_of(graph.model())->counts, graph.files());
    for (const Node* result : graph.results) {
      const OutPort last = result->source(0);
      if (!last) continue;
      Node& node = last.node();
      require_classes(node, priors.shape[1]);
      Builder b(node);
      const OutPort values = b.constant(priors);
      if (is_softmax(node)) {
        node.in(0).connect(b.op("Sub", {node.source(0), values}));
        continue;
      }
      Node& sub = b.node("Sub", {OutPort(), values});
      sub.in(0).connect(last);
      const InPort end = const_cast<Node*>(result)->in(0);
      end.connect(sub.out(0));
      for (const std::string& name : last.tensor().names.all()) sub.out(0).tensor().add_name(name);
      last.tensor().names.clear();
    }
  }

 private:
  [[noreturn]] static void fail(const Detail& detail, const Place& place = {}) {
    throw Error(Code::BadValue, detail, place, "give the counts that were made for this model").about("counts");
  }

  static bool is_softmax(const Node& node) { return is_one_of(node.op(), {"SoftMax", "Softmax", "FlooredSoftMax"}); }

  /// How many outputs the node's component has; 0 if its fields do not say it.
  static int64_t outputs_of(const Node& node) {
    const int64_t own = node.pb && node.pb->elsewhere
                            ? kaldi::output_dim({.type = node.pb->op, .name = {}, .fields = *node.pb->elsewhere})
                            : 0;
    return own == 0 && is_softmax(node) && node.has_in(0) ? outputs_of(node.source(0).node()) : own;
  }
  static void require_classes(const Node& node, int64_t counts) {
    const int64_t outputs = outputs_of(node);
    if (outputs > 0 && outputs != counts)
      fail(msg("--counts has ", counts, " numbers, for ", outputs, " outputs"), {.node = node.name()});
  }

  static Constant log_priors(const Constant& counts, Files& files) {
    constexpr uint64_t kMostClasses = 1 << 24;
    const auto numbers = read_doubles(counts, files, kMostClasses);
    if (!numbers) fail(msg(counts.elements(), " counts"));
    double sum = 0;
    for (const double count : *numbers) {
      if (!(count >= 0 && count <= std::numeric_limits<float>::max())) fail(msg("a count of ", count));
      sum += count;
    }
    if (!(sum > 0)) fail("all counts are 0");
    std::vector<float> out;
    for (const double count : *numbers) {
      const double frequency = count / sum;
      out.push_back(frequency < 1e-10 ? std::sqrt(std::numeric_limits<float>::max())
                                      : static_cast<float>(mo_libm_log(frequency + 1e-20)));
    }
    return make_f32({1, static_cast<int64_t>(out.size())}, out);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ApplyCountsFilePattern)
}  // namespace mo
