// A format of several files. x.pair is a text, `pair` and then `input NAME SIZE…`; the files beside it have f32
// numbers, one for each element of the last dimension:
//   x.scale   needed: the input is multiplied by it
//   x.bias    optional: it is added
//   x.row-0 … any number of them: all are added
// Numbers may lie in a file of any name with the ending, if it is the only one.

#include "core/front/loader.h"

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/graph/framework_node.h"
#include "tests/toy/load/statement.h"

namespace mo::toy {
namespace {

constexpr Role kScale = {.name = "scale", .option = "pair_scale", .patterns = "{stem}.scale | *.scale", .needed = true};
constexpr Role kBias = {.name = "bias", .option = "pair_bias", .patterns = "{stem}.bias | *.bias"};
constexpr Role kRows = {.name = "rows", .option = "pair_rows", .patterns = "{stem}.row-#", .several = true};
constexpr Role kRoles[] = {kScale, kBias, kRows};

class PairModel final : public LoadedModel {
 public:
  void extract(Node& node) override {
    const auto file = static_cast<FileId>(node.get_int("file"));
    const uint64_t size = node.graph().files().source(file).size();
    const Constant numbers{
        ElementType::F32, {static_cast<int64_t>(size / 4)}, std::make_shared<SliceContent>(file, 0, size / 4 * 4)};
    node.attributes = {};
    node.add_in_ports(2);
    node.in(1).connect(Builder(node).constant(numbers));
    node.set_op(node.pb->op == "Times" ? "Mul" : "Add");
  }
};

class PairLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return model.has("pair\n"); }
  std::span<const Role> roles() const override { return kRoles; }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    const std::vector<Statement> lines = read_statements(request.model.files().read_text(request.model.name()));
    const std::vector<Word>& input = lines.at(1).words;
    std::vector<Dimension> sizes;
    for (size_t i = 2; i < input.size(); ++i) sizes.push_back(parse_int(input[i].text).value_or(-1));
    Node& parameter = request.graph.add_node("Parameter", input.at(1).text);
    parameter.set("shape", PartialShape(sizes));
    parameter.set("data_type", ElementType::F32);
    Chain chain{request, named(parameter, input[1].text)};
    chain.add("Times", request.needed_companion(kScale));
    chain.add("Plus", request.companion(kBias));
    chain.add("Plus", request.companion(kRows));
    chain.last.tensor().add_name("y");
    Node& result = request.graph.add_node("Result", "y/sink_port_0");
    result.add_in_ports(1);
    result.in(0).connect(chain.last);
    return std::make_unique<PairModel>();
  }

 private:
  static OutPort named(Node& node, const std::string& name) {
    node.add_out_ports(1);
    node.out(0).tensor().add_name(name);
    return node.out(0);
  }

  struct Chain {
    const LoadRequest& request;
    OutPort last;

    /// One node for each file.
    void add(const std::string& op, const Companion& numbers) {
      for (const std::string& name : numbers.files) {
        Node& node = request.graph.add_node(op, cat(op, " ", name));
        node.pb = std::make_shared<FrameworkNode>(FrameworkNode{op, {}, 1, request.model.file(), 0, 0});
        node.set("file", static_cast<int64_t>(request.graph.files().open_given(name)));
        node.add_in_ports(1);
        node.in(0).connect(last);
        last = named(node, node.name());
      }
    }
  };
};

}  // namespace
}  // namespace mo::toy

namespace mo {

const Loader& loader_pair() {
  static const toy::PairLoader loader;
  return loader;
}

}  // namespace mo
