// mo_layout_graphs FOLDER: each graph of tests/core/layout/layout_graphs.h as an IR pair of the converter, and next
// to it the original graph as JSON, for tests/numeric/test_layout.py.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/cli/ir_pair_writer.h"
#include "core/graph/body.h"
#include "core/pipeline/convert_graph.h"
#include "tests/core/layout/layout_graphs.h"

namespace {

using nlohmann::ordered_json;

ordered_json describe(const mo::Graph& graph);

ordered_json describe(const mo::Constant& constant, mo::Files& files) {
  ordered_json values;
  if (mo::is_float(constant.type))
    values = *mo::read_doubles(constant, files, UINT64_MAX);
  else
    values = *mo::read_ints(constant, files, UINT64_MAX);
  return {{"type", mo::ir_name(constant.type)}, {"shape", constant.shape}, {"values", values}};
}

ordered_json describe(const mo::Attribute& attribute, mo::Files& files) {
  return std::visit(
      [&](const auto& value) -> ordered_json {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::shared_ptr<mo::Graph>>)
          return describe(*value);
        else if constexpr (std::is_same_v<T, mo::Constant>)
          return describe(value, files);
        else if constexpr (std::is_same_v<T, mo::ElementType>)
          return mo::ir_name(value);
        else if constexpr (std::is_same_v<T, mo::PartialShape> || std::is_same_v<T, std::monostate>)
          return nullptr;
        else
          return value;
      },
      attribute);
}

ordered_json describe(const mo::Graph& graph) {
  ordered_json nodes = ordered_json::array();
  for (const mo::Node* node : graph.topological_order()) {
    ordered_json inputs = ordered_json::array(), attributes = ordered_json::object(), names;
    for (int i = 0; i < node->in_count(); ++i) {
      const mo::OutPort source = node->source(i);
      inputs.push_back(source ? ordered_json{source.node().id(), source.index()} : ordered_json());
    }
    for (const auto& [key, value] : node->attributes) attributes[key] = describe(value, graph.files());
    if (const mo::OutPort source = node->source(0); node->op() == "Result" && source) names = source.tensor().names;
    nodes.push_back({{"id", node->id()},
                     {"op", node->op()},
                     {"name", node->name()},
                     {"inputs", inputs},
                     {"outputs", node->out_count()},
                     {"attributes", attributes},
                     {"names", names}});
  }
  return nodes;
}

bool write(const mo::test::LayoutGraph& made, const std::filesystem::path& folder) {
  mo::DiskFiles files(".");
  std::string description;
  const auto conversion = mo::convert_graph(files,
                                            [&](mo::Graph& graph) {
                                              graph.model().framework = "tf";
                                              graph.model().name = made.name;
                                              graph.model().layout = mo::DataLayout::Nhwc;
                                              mo::test::NhwcGraph nhwc(graph);
                                              made.build(nhwc);
                                              description = describe(graph).dump();
                                            },
                                            {{"compress_to_fp16", "False"}});
  for (const mo::Message& message : conversion->messages())
    std::fprintf(stderr, "%s: %s\n", made.name, mo::format(message).c_str());
  if (!conversion->ok()) return false;
  mo::IrPairWriter pair(folder, made.name, mo::Fsync::No);
  pair.write_xml(conversion->xml());
  pair.finish(*conversion, files);
  mo::write_text_file(folder / (std::string(made.name) + ".json"), description, mo::Fsync::No);
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  std::filesystem::create_directories(arguments[1]);
  bool good = true;
  for (const mo::test::LayoutGraph& graph : mo::test::layout_graphs()) good &= write(graph, arguments[1]);
  return good ? 0 : 1;
}
