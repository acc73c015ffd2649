#include "core/pipeline/check_facts.h"

#include "core/base/json_text.h"
#include "core/base/layout_text.h"
#include "core/middle/model_inputs.h"

namespace mo {
namespace {

constexpr const char* kNames = "source_tensors";

void quote(std::string& out, const std::string& text) {
  for (const char c : json_text(text))
    if (c == '\'')
      out += "\\u0027";
    else
      out += c;
}

/// Begins an item of a list or an object.
void next(std::string& out) {
  if (out.back() != '{' && out.back() != '[') out += ',';
}

void field(std::string& out, const char* name) {
  next(out);
  out += "\n \"";
  out += name;
  out += "\": ";
}

void field(std::string& out, const char* name, const std::string& text) {
  field(out, name);
  quote(out, text);
}

void field(std::string& out, const char* name, bool value) {
  field(out, name);
  out += value ? "true" : "false";
}

void field(std::string& out, const char* name, const Strings& texts) {
  field(out, name);
  out += '[';
  for (const std::string& text : texts) {
    next(out);
    quote(out, text);
  }
  out += ']';
}

/// A text of numbers, each with a comma behind it.
void numbers(std::string& out, const char* name, const Doubles& values) {
  std::string text;
  for (const double value : values) {
    text += format_double(value);
    text += ',';
  }
  field(out, name, text);
}

/// What inputs and outputs have in common: the names in the source, and, if both layouts are given, the order of the
/// Transpose from the source's layout to that of the IR.
void add_port(std::string& out, const Node& node, const Tensor& tensor, const std::string& name) {
  next(out);
  out += '{';
  field(out, "name", name);
  field(out, "names", node.get_strings(kNames));
  field(out, "order");
  out += '[';
  if (node.has("source_layout") && node.has("target_layout"))
    if (const auto order =
            order_between(node.get_string("source_layout"), node.get_string("target_layout"), tensor.shape.rank()))
      out += join(*order);
  out += ']';
}

/// Numbers for each channel, or one for all.
bool fits(const Doubles& numbers, const Tensor& tensor, std::optional<size_t> channels) {
  return numbers.size() == 1 || (channels && intersect(tensor.shape[*channels], Dimension(static_cast<int64_t>(numbers.size()))));
}

/// Where neither the IR nor the model normalises pictures, how a file beside the model says it is done.
void add_preparation(std::string& out, const Node& parameter, const Tensor& tensor, const ModelHead& head) {
  if (!head.preparation || tensor.shape.rank() != 4) return;
  if (!parameter.get_floats("mean_values").empty() || !parameter.get_floats("scale_values").empty()) return;
  const Doubles &mean = head.preparation->mean, &scale = head.preparation->scale;
  const auto channels = input_channels(parameter);
  if (mean.empty() || !fits(mean, tensor, channels) || !fits(scale, tensor, channels)) return;
  numbers(out, "usual_mean", mean);
  numbers(out, "usual_scale", scale);
}

void add_input(std::string& out, const Node& parameter, const Tensor& tensor, const ModelHead& head) {
  add_port(out, parameter, tensor, parameter.name());
  field(out, "shape", to_string(tensor.shape));
  field(out, "type", std::string(ir_name(tensor.type)));
  numbers(out, "mean", parameter.get_floats("mean_values"));
  numbers(out, "scale", parameter.get_floats("scale_values"));
  add_preparation(out, parameter, tensor, head);
  field(out, "reverse", parameter.get_bool("reverse_input_channels"));
  if (const auto channels = input_channels(parameter)) {
    field(out, "channels");
    out += std::to_string(*channels);
  }
  out += '}';
}

void note(Node& node, OutPort port) {
  if (port) node.set(kNames, Strings(port.tensor().names));
}

}  // namespace

std::string note_sources(Graph& graph, const CutRequest& cut) {
  for (Node* parameter : graph.parameters) note(*parameter, parameter->out(0));
  for (Node* result : graph.results) note(*result, result->source(0));
  std::string out = "[";
  for (const auto* specs : {&cut.inputs, &cut.frozen})
    for (const InputSpec& spec : *specs) {
      if (!spec.value) continue;
      for (Node* node : graph.nodes("Const")) {
        const Tensor& tensor = node->out(0).tensor();
        if (!tensor.has_name(spec.place)) continue;
        next(out);
        out += '{';
        field(out, "names", tensor.names);
        field(out, "elements", spec.value->elements);
        field(out, "list", spec.value->is_list);
        out += '}';
      }
    }
  return out += ']';
}

std::string check_facts(const Graph& graph, const ModelHead& head, const std::vector<OptionText>& options,
                        const std::string& frozen) {
  std::string out = "{";
  field(out, "name", graph.model().name);
  field(out, "framework", graph.model().framework);
  field(out, "tags", head.tags);
  field(out, "options");
  out += '{';
  for (const OptionText& option : options) field(out, option.name.c_str(), option.value);
  out += '}';
  field(out, "inputs");
  out += '[';
  for (Node* node : graph.parameters) add_input(out, *node, node->out(0).tensor(), head);
  out += ']';
  field(out, "outputs");
  out += '[';
  for (Node* node : graph.results)
    if (const OutPort source = node->source(0)) {
      const Tensor& tensor = source.tensor();
      add_port(out, *node, tensor, tensor.names.empty() ? node->name() : tensor.names[0]);
      out += '}';
    }
  out += ']';
  field(out, "frozen");
  out += frozen;
  return out += "\n}";
}

}  // namespace mo
