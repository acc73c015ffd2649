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

namespace mo::pair {

#define MO_OPERATORS "tests/toy/pair/operators.def"
#include "core/front/common/operator_rows.inc"

/// The loader has made the numbers of the file an attribute.
void take_numbers(Node& node, const char* op) {
  const OutPort numbers = Builder(node).constant(*node.get_constant("numbers"));
  node.attributes = {};
  node.add_in_ports(2);
  node.in(1).connect(numbers);
  node.set_op(op);
}
void extract_times(Node& node) { take_numbers(node, "Mul"); }
void extract_plus(Node& node) { take_numbers(node, "Add"); }

namespace {

constexpr Role kScale = {.name = "scale", .option = "pair_scale", .patterns = "{stem}.scale | *.scale", .needed = true};
constexpr Role kBias = {.name = "bias", .option = "pair_bias", .patterns = "{stem}.bias | *.bias"};
constexpr Role kRow = {.name = "rows", .option = "pair_rows", .patterns = "{stem}.row-#", .several = true};
constexpr Role kRoles[] = {kScale, kBias, kRow};

class PairLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return model.has("pair\n"); }
  std::span<const Role> roles() const override { return kRoles; }
  const Operators& operators() const override {
    static const Operators all(kRows);
    return all;
  }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    const std::vector<toy::Statement> lines =
        toy::read_statements(request.model.files().read_text(request.model.name()));
    const std::vector<toy::Word>& input = lines.at(1).words;
    std::vector<Dimension> sizes;
    for (size_t i = 2; i < input.size(); ++i) sizes.push_back(parse_int(input[i].text).value_or(-1));
    Node& parameter = request.graph.add_node("Parameter", input.at(1).text);
    parameter.set("shape", PartialShape(sizes));
    parameter.set("data_type", ElementType::F32);
    Chain chain{request, named(parameter, input[1].text)};
    chain.add("Times", request.needed_companion(kScale));
    chain.add("Plus", request.companion(kBias));
    chain.add("Plus", request.companion(kRow));
    chain.last.tensor().add_name("y");
    Node& result = request.graph.add_node("Result", "y/sink_port_0");
    result.add_in_ports(1);
    result.in(0).connect(chain.last);
    return std::make_unique<LoadedModel>(operators());
  }

 private:
  static OutPort named(Node& node, const std::string& name) {
    node.add_out_ports(1);
    node.out(0).tensor().add_name(name);
    return node.out(0);
  }

  /// A place.
  static Constant numbers_of(Files& files, const std::string& name) {
    const FileId file = files.open_given(name);
    const uint64_t count = files.source(file).size() / 4;
    return {ElementType::F32, {static_cast<int64_t>(count)}, std::make_shared<SliceContent>(file, 0, count * 4)};
  }

  struct Chain {
    const LoadRequest& request;
    OutPort last;

    /// One node for each file.
    void add(const std::string& op, const Companion& numbers) {
      for (const std::string& name : numbers.files) {
        Node& node = request.graph.add_node(op, cat(op, " ", name));
        node.pb = std::make_shared<FrameworkNode>(FrameworkNode{op, {}, 1, request.model.file(), 0, 0});
        node.set("numbers", numbers_of(request.graph.files(), name));
        node.add_in_ports(1);
        node.in(0).connect(last);
        last = named(node, node.name());
      }
    }
  };
};

}  // namespace
}  // namespace mo::pair

namespace mo {

const Loader& loader_pair() {
  static const pair::PairLoader loader;
  return loader;
}

}  // namespace mo
