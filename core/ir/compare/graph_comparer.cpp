#include "core/ir/compare/graph_comparer.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/ir/verify/verify.h"

namespace mo {
namespace {

bool is_same_number(std::string_view a, std::string_view b) {
  const auto x = parse_double(a), y = parse_double(b);
  return x && y && *x == *y;
}

/// Whether writers mean the same by two values: "1,1" and "1, 1", "0.5" and "5e-1", "True" and "true", "?" and "-1".
bool is_same_value(std::string_view a, std::string_view b) {
  if (a == b) return true;
  while (true) {
    const size_t a_end = std::min(a.find(','), a.size()), b_end = std::min(b.find(','), b.size());
    const std::string_view x = trim(a.substr(0, a_end)), y = trim(b.substr(0, b_end));
    if (x != y && !is_same_number(x == "?" ? "-1" : x, y == "?" ? "-1" : y) && lower(x) != lower(y)) return false;
    if (a_end == a.size() || b_end == b.size()) return (a_end == a.size()) == (b_end == b.size());
    a.remove_prefix(a_end + 1), b.remove_prefix(b_end + 1);
  }
}

bool is_same_type(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto x = type_of_precision(a), y = type_of_precision(b);
  return x && x == y;
}

uint64_t operations_of(const IrNet& net) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < net.size(); ++i) count += !net.is_weight(i);
  return count;
}

}  // namespace

std::string described(const IrLayer& layer) { return cat(layer.type, " \"", layer.name, "\""); }

std::string shown_shape(const std::vector<int64_t>& dims) {
  return cat("[",
             join(
                 dims, [](int64_t dim) { return dim == -1 ? "?" : std::to_string(dim); }, ","),
             "]");
}

IrGraphComparer::IrGraphComparer(IrComparison& all, const IrGraph& a, const IrGraph& b, std::string body,
                                 const std::vector<std::pair<int64_t, int64_t>>& ids)
    : all_(all), body_(std::move(body)), a_(a, all.types), b_(b, all.types) {
  std::vector<std::pair<uint32_t, uint32_t>> known;
  for (const auto& [id_a, id_b] : ids) {
    const auto x = a_.find(id_a), y = b_.find(id_b);
    if (x && y && a_.type(*x) == b_.type(*y)) known.emplace_back(*x, *y);
  }
  matches_ = match_layers(a_, b_, known);
}

void IrGraphComparer::differ(IrDifferenceKind kind, const IrLayer& a, const IrLayer& b, std::string what,
                             std::string in_a, std::string in_b) {
  all_.out.differences.add({.kind = kind,
                            .in_a = a.name,
                            .in_b = b.name,
                            .type = a.type,
                            .body = body_,
                            .what = std::move(what),
                            .a = std::move(in_a),
                            .b = std::move(in_b)});
}

void IrGraphComparer::compare() {
  all_.out.operations_a += operations_of(a_);
  all_.out.operations_b += operations_of(b_);
  all_.out.by_name += matches_.by_name;
  all_.out.by_structure += matches_.by_structure;
  IrDifferences& differences = all_.out.differences;
  for (uint32_t i = 0; i < a_.size(); ++i) {
    if (a_.is_weight(i)) continue;
    const IrLayer& layer = a_.layer(i);
    if (matches_.b_of[i] != IrNet::kNone)
      compare_layers({i, matches_.b_of[i]});
    else
      differences.add({.kind = IrDifferenceKind::OnlyInA, .in_a = layer.name, .type = layer.type, .body = body_});
  }
  for (uint32_t i = 0; i < b_.size(); ++i)
    if (const IrLayer& layer = b_.layer(i); matches_.a_of[i] == IrNet::kNone && !b_.is_weight(i))
      differences.add({.kind = IrDifferenceKind::OnlyInB, .in_b = layer.name, .type = layer.type, .body = body_});
  if (!body_.empty()) return;
  compare_order("Parameter", "inputs");
  compare_order("Result", "outputs");
}

void IrGraphComparer::compare_layers(Pair pair) {
  const IrLayer &a = a_.layer(pair.a), &b = b_.layer(pair.b);
  if (a_.type(pair.a) != b_.type(pair.b)) {
    differ(IrDifferenceKind::Type, a, b, {}, a.type, b.type);
  } else {
    if (a.version != b.version) differ(IrDifferenceKind::Version, a, b, {}, a.version, b.version);
    compare_attributes(a, b);
  }
  compare_inputs(pair);
  compare_outputs(a, b);
  if (body_.empty()) compare_model_ports(pair);
  compare_bodies(pair);
}

void IrGraphComparer::compare_attributes(const IrLayer& a, const IrLayer& b) {
  // Those of a Parameter are its output.
  const bool is_parameter = a.type == "Parameter";
  using Attributes = std::map<std::string_view, std::pair<const std::string*, const std::string*>>;
  Attributes all;
  for (const auto& [name, value] : a.attributes) all[name].first = &value;
  for (const auto& [name, value] : b.attributes) all[name].second = &value;
  for (const auto& [name, values] : all) {
    const auto [in_a, in_b] = values;
    if (in_a && in_b && (is_same_value(*in_a, *in_b) || (name == "element_type" && is_same_type(*in_a, *in_b))))
      continue;
    if (is_parameter && name == "element_type") continue;
    if (is_parameter && name == "shape" && a.outputs.size() == 1 && b.outputs.size() == 1 &&
        a.outputs[0].dims != b.outputs[0].dims)
      continue;
    differ(IrDifferenceKind::Attribute, a, b, std::string(name), in_a ? *in_a : "", in_b ? *in_b : "");
  }
}

void IrGraphComparer::compare_outputs(const IrLayer& a, const IrLayer& b) {
  const size_t common = std::min(a.outputs.size(), b.outputs.size());
  if (a.outputs.size() != b.outputs.size())
    differ(IrDifferenceKind::Shape, a, b, "number of outputs", std::to_string(a.outputs.size()),
           std::to_string(b.outputs.size()));
  for (size_t i = 0; i < common; ++i) {
    const IrPort &x = a.outputs[i], &y = b.outputs[i];
    const std::string what = cat("output ", i);
    if (!is_same_type(x.precision, y.precision))
      differ(IrDifferenceKind::ElementType, a, b, what, x.precision, y.precision);
    if (x.dims != y.dims) differ(IrDifferenceKind::Shape, a, b, what, shown_shape(x.dims), shown_shape(y.dims));
  }
}

void IrGraphComparer::compare_inputs(Pair pair) {
  const IrLayer &a = a_.layer(pair.a), &b = b_.layer(pair.b);
  if (a.inputs.size() != b.inputs.size())
    differ(IrDifferenceKind::Input, a, b, "number of inputs", std::to_string(a.inputs.size()),
           std::to_string(b.inputs.size()));
  const bool turned = is_turned(a_, pair.a, b_, pair.b, matches_);
  const auto common = static_cast<uint32_t>(std::min(a.inputs.size(), b.inputs.size()));
  for (uint32_t i = 0; i < common; ++i) compare_input(pair, i, turned ? 1 - i : i);
}

void IrGraphComparer::compare_input(Pair pair, uint32_t in_a, uint32_t in_b) {
  const IrNet::End x = a_.operand(pair.a, in_a), y = b_.operand(pair.b, in_b);
  const std::string what = cat("input ", in_a);
  if (a_.is_const(x) && b_.is_const(y)) return compare_constants(pair, {x.layer, y.layer}, what);
  if (matches_.has(x, y) || (!x && !y)) return;
  const auto shown = [](const IrNet& net, IrNet::End end) {
    if (!end) return std::string();
    const IrLayer& layer = net.layer(end.layer);
    return layer.outputs.size() > 1 ? cat(described(layer), " output ", end.port) : described(layer);
  };
  differ(IrDifferenceKind::Input, a_.layer(pair.a), b_.layer(pair.b), what, shown(a_, x), shown(b_, y));
}

/// The API of a model: names and layouts of its inputs and outputs.
void IrGraphComparer::compare_model_ports(Pair pair) {
  const auto port_of = [](const IrNet& net, uint32_t i) -> const IrPort* {
    const IrLayer& layer = net.layer(i);
    if (layer.type == "Parameter") return layer.outputs.size() == 1 ? &layer.outputs[0] : nullptr;
    if (layer.type != "Result" || layer.inputs.size() != 1) return nullptr;
    const IrNet::End read = net.source(i, 0);
    return read ? &net.layer(read.layer).outputs[read.port] : nullptr;
  };
  const IrPort *x = port_of(a_, pair.a), *y = port_of(b_, pair.b);
  if (!x || !y) return;
  const IrLayer &a = a_.layer(pair.a), &b = b_.layer(pair.b);
  const auto sorted = [](const std::string& names) {
    std::vector<std::string> all = split(names, ',');
    std::sort(all.begin(), all.end());
    return all;
  };
  if (x->names != y->names && sorted(x->names) != sorted(y->names))
    differ(IrDifferenceKind::Names, a, b, {}, x->names, y->names);
  if (a.type == "Result") x = &a.inputs[0], y = &b.inputs[0];
  if (x->layout != y->layout) differ(IrDifferenceKind::Layout, a, b, {}, x->layout, y->layout);
}

/// Programs take inputs and outputs by number, too.
void IrGraphComparer::compare_order(std::string_view type, const char* what) {
  std::vector<uint32_t> of_a, of_b;
  for (uint32_t i = 0; i < a_.size(); ++i)
    if (a_.layer(i).type == type && matches_.b_of[i] != IrNet::kNone) of_a.push_back(matches_.b_of[i]);
  for (uint32_t i = 0; i < b_.size(); ++i)
    if (b_.layer(i).type == type && matches_.a_of[i] != IrNet::kNone) of_b.push_back(i);
  if (of_a == of_b) return;
  const auto names = [](const std::vector<uint32_t>& places, const auto& name) { return join(places, name); };
  all_.out.differences.add({.kind = IrDifferenceKind::Order,
                            .type = std::string(type),
                            .what = what,
                            .a = names(of_a, [&](uint32_t i) { return a_.layer(matches_.a_of[i]).name; }),
                            .b = names(of_b, [&](uint32_t i) { return b_.layer(i).name; })});
}

}  // namespace mo
