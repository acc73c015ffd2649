#include "core/front/preprocess/preprocess.h"

#include <algorithm>

#include "core/base/layout_text.h"
#include "core/base/text.h"

namespace mo {
namespace {

constexpr const char *kMean = "mean_values", *kScale = "scale_values";

class Preprocessor {
 public:
  Preprocessor(Graph& graph, const PreprocessRequest& request, const std::vector<NamedInput>& named)
      : graph_(graph), request_(request), named_(named) {}

  void run() {
    if (request_.empty()) return;
    of_option("--mean_values", [&] { set_values(request_.mean, kMean, Code::MeanValuesCount); });
    of_option("--scale_values", [&] { set_values(request_.scale, kScale, Code::ScaleValuesCount); });
    of_option(request_.layout_options(), [&] { set_layouts(); });
    for (Node* parameter : graph_.parameters) {
      parameter->set("own_names", Strings(parameter->out(0).tensor().names));
      if (request_.scale_factor) parameter->set(kScale, Doubles{*request_.scale_factor});
      if (request_.reverse_channels) parameter->set("reverse_input_channels", true);
      check_sizes(parameter->name(), parameter->get_floats(kMean), parameter->get_floats(kScale));
    }
  }

 private:
  /// A Parameter, or with `outputs` a Result; null if there is none.
  Node* find(std::string_view name, bool outputs) const {
    for (const NamedInput& input : named_)
      if (input.place == name) return input.parameter;
    for (Node* parameter : graph_.parameters)
      if (parameter->name() == name || parameter->out(0).tensor().has_name(name)) return parameter;
    if (!outputs) return nullptr;
    for (Node* result : graph_.results)
      if (const OutPort source = result->source(0);
          result->name() == name || (source && (source.tensor().has_name(name) || source.node().name() == name)))
        return result;
    return nullptr;
  }

  Node& boundary(const std::string& name, bool outputs) {
    Node* const found = find(name, outputs);
    if (!found) throw Error(Code::NoSuchInput, msg("with name \"", printable(name), "\""));
    return *found;
  }

  using Keys = std::vector<std::pair<const Node*, std::string_view>>;
  /// Remembers that the node is meant by `name`. Throws InputNamedTwice.
  static void remember(Keys& keys, const Node& node, std::string_view name) {
    for (const auto& [other, key] : keys)
      if (other == &node)
        throw Error(Code::InputNamedTwice, msg("\"", printable(key), "\" and \"", printable(name), "\""));
    keys.emplace_back(&node, name);
  }

  void set_values(const std::vector<ChannelValues>& values, const char* attribute, Code count) {
    if (values.empty()) return;
    std::vector<Node*> inputs = graph_.parameters;
    if (!named_.empty()) {
      inputs.clear();
      for (const NamedInput& input : named_) inputs.push_back(input.parameter);
    }
    const bool by_order = values[0].input.empty();
    if (by_order && values.size() != inputs.size())
      throw Error(count, msg(values.size(), " items of --", attribute, " for ", inputs.size(), " inputs"));
    Keys keys;
    for (size_t i = 0; i < values.size(); ++i) {
      Node& input = by_order ? *inputs[i] : boundary(values[i].input, false);
      remember(keys, input, values[i].input);
      input.set(attribute, Doubles(values[i].numbers));
    }
  }

  void set_layouts() {
    const auto& layouts = request_.layouts;
    if (layouts.empty()) return;
    const bool by_order = layouts[0].name.empty();
    if (by_order && layouts.size() != graph_.parameters.size())
      throw Error(Code::LayoutCount,
                  msg(layouts.size(), " for the inputs ", join(graph_.parameters, [](const Node* input) {
                        return cat("\"", printable(input->name()), "\"");
                      })));
    Keys keys;
    for (size_t i = 0; i < layouts.size(); ++i) {
      Node& node = by_order ? *graph_.parameters[i] : boundary(layouts[i].name, true);
      remember(keys, node, layouts[i].name);
      const auto* own = node.attributes.get_if<PartialShape>("shape");
      const PartialShape shape = own ? *own : PartialShape();  // set() moves attributes
      for (const std::string* layout : {&layouts[i].source, &layouts[i].target}) {
        if (layout->empty()) continue;
        if (shape.has_rank() && !axis_names(*layout, shape.rank()))
          throw Error(Code::LayoutUnfit, msg(*layout, " for the shape [", to_string(shape), "]"), node.place());
        node.set(layout == &layouts[i].source ? "source_layout" : "target_layout", *layout);
      }
    }
  }

  Graph& graph_;
  const PreprocessRequest& request_;
  const std::vector<NamedInput>& named_;
};

}  // namespace

void set_preprocessing(Graph& graph, const PreprocessRequest& request, const std::vector<NamedInput>& named) {
  Preprocessor(graph, request, named).run();
}

void check_channel_values(const Graph& graph) {
  for (const Node* parameter : graph.parameters) {
    const auto* shape = parameter->attributes.get_if<PartialShape>("shape");
    const std::string source = parameter->get_string("source_layout");
    const std::string layout = source.empty() ? parameter->get_string("target_layout") : source;
    for (const char* option : {kMean, kScale}) {
      const size_t count = parameter->get_floats(option).size();
      if (count == 0) continue;
      of_option(count == 1 && option == kScale ? "--scale or --scale_values" : cat("--", option), [&] {
        const ElementType type = parameter->get_type("data_type");
        if (type != ElementType::Unknown) require_values_type(type, parameter->place());
        if (count > 1 && shape && shape->has_rank()) axis_for_values(*shape, layout, count, parameter->place());
      });
    }
  }
}

}  // namespace mo
