#include "tests/core/layout/layout_conversion.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/pipeline/convert_graph.h"

namespace mo::test {

Converted convert_nhwc(const BuildNhwc& build, Extensions* extensions, const std::vector<OptionText>& options,
                       DataLayout layout) {
  Converted out;
  out.files = std::make_unique<MemoryFiles>();
  std::vector<OptionText> all = {{"compress_to_fp16", "False"}};
  all.insert(all.end(), options.begin(), options.end());
  const auto make = [&](Graph& graph) {
    graph.model().framework = "tf";
    graph.model().layout = layout;
    NhwcGraph nhwc(graph);
    build(nhwc);
  };
  const auto on_progress = [&](const Progress& step) { out.trace.push_back(cat(step.phase, ":", step.transform)); };
  out.conversion = convert_graph(*out.files, make, all, on_progress, extensions);
  out.document = std::make_unique<pugi::xml_document>();
  out.document->load_string(out.xml().c_str());
  return out;
}

BuildNhwc layout_graph(std::string_view name) {
  for (const LayoutGraph& graph : layout_graphs())
    if (graph.name == name) return graph.build;
  throw Error(Code::NoSuchNode, std::string(name));
}

std::string operations(const Converted& converted) {
  std::string out;
  for (const pugi::xml_node layer : converted.layers()) {
    const std::string type = text_of(layer, "type");
    if (type == "Const" || type == "Result") continue;
    std::string inputs;
    for (int port = 0; const pugi::xml_node source = converted.source(layer, port); ++port)
      if (text_of(source, "type") != "Const") inputs += (port ? ", " : "") + text_of(source, "name");
    out += cat(type, " ", text_of(layer, "name"), " (", inputs, ") ", dims(layer), "\n");
  }
  return out;
}

size_t count(const Converted& converted, std::string_view type) { return converted.layers(type).size(); }

Converted look_after(const std::string& after, const BuildNhwc& build, const std::function<void(Graph&)>& look) {
  static const std::vector<std::string> passes{"PostMiddleStart",
                                               "ConvertLayoutDependentOperations",
                                               "MarkSubGraphsWithCorrectLayout",
                                               "NormalizeEltwiseInputs",
                                               "LayoutChangeForEinsum",
                                               "InsertLayoutPropagationTranspose",
                                               "LayoutChangeForConstantShapePaths",
                                               "ApplyNHWCtoNCHWpermutation",
                                               "MergeNodesPermutations",
                                               "PreserveRuntimeInfo",
                                               "ApplyPermutation",
                                               "BackStart"};
  const auto at = std::find(passes.begin(), passes.end(), after);
  Extensions extensions;
  bool looked = false;
  ScriptedTransform& transform = add_transform(extensions, "Look", Phase::Middle, [&](Graph& graph) {
    looked = true;
    look(graph);
  });
  transform.only_model = true;
  transform.after = {*at};
  transform.before = {*(at + 1)};
  Converted out = convert_nhwc(build, &extensions);
  EXPECT_TRUE(looked) << out.message().text;
  return out;
}

const Tensor& tensor_of(Graph& graph, std::string_view node, int index) {
  Node* found = graph.find(node);
  if (!found) throw Error(Code::NoSuchNode, std::string(node));
  return found->out(index).tensor();
}

}  // namespace mo::test
