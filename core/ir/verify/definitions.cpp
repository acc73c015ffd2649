#include "core/ir/verify/definitions.h"

#include <algorithm>

#include "core/base/memory_file.h"
#include "core/base/text.h"
#include "core/ir/verify/verify.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

/// IR's names of attributes whose internal name is another.
constexpr std::pair<std::string_view, std::string_view> kInternalNames[] = {
    {"destination_type", "dst_type"}, {"pad_mode", "mode"}, {"exclude-pad", "exclude_pad"}};

/// The definitions of an IR type, whose letters may be of either case.
const std::vector<const OpDef*>* definitions_of(const std::string& type) {
  static const auto by_type = [] {
    std::unordered_map<std::string, std::vector<const OpDef*>> out;
    for (const OpDef* def : all_ops())
      if (!def->type.empty() && def->infer) out[lower(def->type)].push_back(def);
    // Their shapes are given, or are those of bodies.
    for (const char* given : {"parameter", "result", "const", "readvalue", "assign", "if", "loop", "tensoriterator"})
      out.erase(given);
    return out;
  }();
  const auto found = by_type.find(type);
  return found == by_type.end() ? nullptr : &found->second;
}

int number_of_set(std::string_view version) {
  return version.starts_with("opset") ? static_cast<int>(parse_int(version.substr(5)).value_or(0)) : 0;
}

bool has_set(const IrOperation& operation, int set) { return operation.first <= set && set <= operation.last; }

/// The operation as it is in an operation set.
const IrOperation* operation_of(const IrLayer& layer, std::string_view version) {
  const auto* forms = find_ir_operation(layer.type);
  if (!forms) return nullptr;
  const int set = number_of_set(version);
  const auto found =
      std::find_if(forms->begin(), forms->end(), [&](const IrOperation& form) { return has_set(form, set); });
  return found == forms->end() ? nullptr : &*found;
}

template <typename T, typename Parse>
std::vector<T> list_of(std::string_view text, Parse parse) {
  std::vector<T> out;
  if (trim(text).empty()) return out;
  for (const std::string& part : split(text, ',')) out.push_back(parse(trim(part)).value_or(T()));
  return out;
}

std::optional<std::string> trimmed(std::string_view text) { return std::string(text); }

Attribute attribute_of(std::string_view kind, const std::string& text) {
  if (kind == "bool") return lower(text) == "true" || text == "1";
  if (kind == "int" || kind == "uint") return parse_int(trim(text)).value_or(0);
  if (kind == "ints" || kind == "uints") return list_of<int64_t>(text, parse_int);
  if (kind == "float") return parse_double(trim(text)).value_or(0);
  if (kind == "floats") return list_of<double>(text, parse_double);
  if (kind == "type") return type_of_precision(text).value_or(ElementType::Unknown);
  if (kind == "texts") return list_of<std::string>(text, trimmed);
  return kind == "text" ? text : lower(text);
}

/// Another value of the attribute.
Attribute other_than(const IrAttributeRule& rule, const Attribute& value) {
  if (const auto* is = std::get_if<bool>(&value)) return !*is;
  if (const auto* number = std::get_if<int64_t>(&value)) return *number < 1000 ? *number + 1 : 0;
  if (const auto* number = std::get_if<double>(&value)) return *number == 1 ? 2.0 : 1.0;
  if (const auto* numbers = std::get_if<Ints>(&value)) return Ints(std::max<size_t>(numbers->size(), 1), 2);
  if (const auto* type = std::get_if<ElementType>(&value))
    return *type == ElementType::I32 ? ElementType::I64 : ElementType::I32;
  std::string_view words = ir_values(rule.kind).value_or("");
  const auto* text = std::get_if<std::string>(&value);
  if (text && words.starts_with(*text)) words.remove_prefix(std::min(text->size() + 1, words.size()));
  return std::string(words.substr(0, words.find(' ')));
}

/// Whether two texts mean one value. An axis may be counted from the other end.
bool is_same(const IrAttributeRule& rule, const std::string& given, const std::string& written) {
  if (given == written) return true;
  const Attribute a = attribute_of(rule.kind, given), b = attribute_of(rule.kind, written);
  if (const auto* x = std::get_if<int64_t>(&a), *y = std::get_if<int64_t>(&b); x && y && *x < 0 && *y >= 0) return true;
  if (std::holds_alternative<std::string>(a)) return lower(given) == lower(written);
  if (const auto* x = std::get_if<double>(&a), *y = std::get_if<double>(&b); x && y)
    return static_cast<float>(*x) == static_cast<float>(*y);
  const auto are_equal = [](const auto* x, const auto* y) { return x && y && *x == *y; };
  return are_equal(std::get_if<bool>(&a), std::get_if<bool>(&b)) ||
         are_equal(std::get_if<int64_t>(&a), std::get_if<int64_t>(&b)) ||
         are_equal(std::get_if<Ints>(&a), std::get_if<Ints>(&b)) ||
         are_equal(std::get_if<Doubles>(&a), std::get_if<Doubles>(&b)) ||
         are_equal(std::get_if<Strings>(&a), std::get_if<Strings>(&b)) ||
         are_equal(std::get_if<ElementType>(&a), std::get_if<ElementType>(&b));
}

const std::string* find_attribute(const Entries& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& one) { return one.first == name; });
  return found == entries.end() ? nullptr : &found->second;
}

std::string_view internal_name(std::string_view name) {
  for (const auto& pair : kInternalNames)
    if (pair.first == name) return pair.second;
  return name;
}

/// A node with the attributes of a layer, and what its definition writes.
class Written {
 public:
  Written(Node& node, const IrLayer& layer, const IrOperation& operation)
      : node_(node), layer_(layer), operation_(operation) {
    node.attributes = {};
    for (const IrAttributeRule& rule : operation.attributes)
      if (const std::string* text = given(rule)) node.set(internal_name(rule.name), attribute_of(rule.kind, *text));
  }

  /// Whether the definition writes the layer's attributes, and an operation set in which they and the inputs mean the
  /// same: the oldest one that has the form. What it leaves out there has to be a value that it knows, as it shows by
  /// writing another.
  bool is_the_same() {
    const OpDef& def = *node_.definition();
    const IrOperation* own = operation_of(layer_, def.version_of ? def.version_of(node_) : def.version);
    if (!own || own->first > operation_.first || own->least_inputs != operation_.least_inputs ||
        own->most_inputs != operation_.most_inputs)
      return false;
    const Entries ours = attributes();
    std::vector<const IrAttributeRule*> left_out;
    for (const IrAttributeRule& rule : operation_.attributes) {
      const std::string *text = given(rule), *written = find_attribute(ours, rule.name);
      if (text && written && !is_same(rule, *text, *written)) return false;
      if (text && !written) left_out.push_back(&rule);
    }
    return left_out.empty() || writes_others(left_out);
  }

 private:
  const std::string* given(const IrAttributeRule& rule) const { return find_attribute(layer_.attributes, rule.name); }
  Entries attributes() const {
    IrAttributes written;
    if (node_.definition()->ir_attributes) node_.definition()->ir_attributes(node_, written);
    return written.entries();
  }

  bool writes_others(const std::vector<const IrAttributeRule*>& rules) {
    const Attributes kept = node_.attributes;
    for (const IrAttributeRule* rule : rules)
      node_.set(internal_name(rule->name), other_than(*rule, attribute_of(rule->kind, *given(*rule))));
    const Entries ours = attributes();
    node_.attributes = kept;
    return std::all_of(rules.begin(), rules.end(),
                       [&](const IrAttributeRule* rule) { return find_attribute(ours, rule->name); });
  }

  Node& node_;
  const IrLayer& layer_;
  const IrOperation& operation_;
};

/// The number of output `i`: numbers of outputs follow those of inputs, and the IR may leave out some.
size_t output_number(const IrLayer& layer, size_t i) {
  const int64_t number = layer.outputs[i].id - static_cast<int64_t>(layer.inputs.size());
  return number >= static_cast<int64_t>(i) && number < static_cast<int64_t>(i) + 8 ? static_cast<size_t>(number) : i;
}

}  // namespace

IrDefinitions::IrDefinitions()
    : no_files_(std::make_unique<MemoryFile>(std::span<const std::byte>())),
      graph_(std::make_shared<Graph>(std::make_shared<Model>(*no_files_, built_in_operations()))) {}
IrDefinitions::~IrDefinitions() = default;

IrDefinitions::Form& IrDefinitions::form_of(const IrLayer& layer) {
  return forms_[cat(layer.type, '/', layer.inputs.size(), '/', layer.outputs.size())];
}

Node& IrDefinitions::new_node(const IrLayer& layer) {
  Node& node = graph_->add_node("Identity");
  node.add_in_ports(static_cast<int>(layer.inputs.size()));
  node.add_out_ports(static_cast<int>(output_number(layer, layer.outputs.size() - 1) + 1));
  for (size_t i = 0; i < layer.inputs.size(); ++i) OutPort(sources_[i], 0).connect(node.in(static_cast<int>(i)));
  return node;
}

void IrDefinitions::give(const std::vector<IrTensor>& inputs) {
  while (sources_.size() < inputs.size()) {
    sources_.push_back(&graph_->add_node("Parameter"));
    sources_.back()->add_out_ports(1);
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    Tensor& tensor = OutPort(sources_[i], 0).tensor();
    tensor.shape = inputs[i].shape, tensor.type = inputs[i].type, tensor.ints = inputs[i].ints;
  }
}

void IrDefinitions::settle(Form& form, const IrLayer& layer) {
  form.version = layer.version, form.attributes = layer.attributes, form.fits = false;
  const IrOperation* operation = operation_of(layer, layer.version);
  const auto* definitions = definitions_of(lower(layer.type));
  if (!operation || !definitions || layer.inputs.size() > 65536) return;
  if (!form.node) form.node = &new_node(layer);
  for (const OpDef* def : *definitions) {
    form.node->set_op(std::string(def->op));
    try {
      if ((form.fits = Written(*form.node, layer, *operation).is_the_same())) return;
    } catch (const Error&) {
      // An attribute that the definition cannot write is none of its own.
    }
  }
}

std::optional<InferredLayer> IrDefinitions::infer(const IrLayer& layer, const std::vector<IrTensor>& inputs) {
  if (inputs.empty() || layer.outputs.empty()) return std::nullopt;
  give(inputs);
  Form& form = form_of(layer);
  if (form.version != layer.version || form.attributes != layer.attributes) settle(form, layer);
  if (!form.fits) return std::nullopt;
  Node& node = *form.node;
  for (int i = 0; i < node.out_count(); ++i) OutPort(&node, i).tensor().forget();
  InferContext context(node);
  node.definition()->infer(context);
  InferredLayer out;
  out.outputs.reserve(layer.outputs.size());
  for (size_t i = 0; i < layer.outputs.size(); ++i) {
    const size_t number = output_number(layer, i);
    if (number >= static_cast<size_t>(node.out_count())) return std::nullopt;
    Tensor& tensor = OutPort(&node, static_cast<int>(number)).tensor();
    out.outputs.push_back({std::move(tensor.shape), tensor.type, tensor.ints});
  }
  if (is_one_of(node.op(), kFixedForRuntimes)) out.opened = open_dimensions(node);
  return out;
}

}  // namespace mo
