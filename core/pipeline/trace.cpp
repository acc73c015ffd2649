#include "core/pipeline/trace.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/base/json_text.h"
#include "core/graph/body.h"
#include "core/graph/framework_node.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

/// The parts of a node that are compared.
enum Part { kWhat, kInputs, kOutputs, kAttributes, kParts };

class Fingerprint {
 public:
  Fingerprint& operator<<(uint64_t value) {
    hash_ = (hash_ ^ value) * 0x9E3779B97F4A7C15u;
    hash_ ^= hash_ >> 29;
    return *this;
  }
  Fingerprint& operator<<(const void* address) { return *this << uint64_t{reinterpret_cast<uintptr_t>(address)}; }
  Fingerprint& operator<<(const std::string& text) {
    for (size_t i = 0; i < text.size(); i += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, text.data() + i, std::min(sizeof word, text.size() - i));
      *this << word;
    }
    return *this << text.size();
  }
  Fingerprint& operator<<(const PartialShape& shape) {
    *this << uint64_t{shape.has_rank()};
    if (shape.has_rank())
      for (const Dimension& d : shape.dimensions())
        *this << static_cast<uint64_t>(d.min) << static_cast<uint64_t>(d.max);
    return *this;
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0x2545F4914F6CDD1Du;
};

struct AddAttribute {
  Fingerprint& out;
  void operator()(std::monostate) const {}
  void operator()(bool value) const { out << uint64_t{value}; }
  void operator()(int64_t value) const { out << static_cast<uint64_t>(value); }
  void operator()(double value) const { out << std::bit_cast<uint64_t>(value); }
  void operator()(ElementType value) const { out << static_cast<uint64_t>(value); }
  void operator()(const std::string& value) const { out << value; }
  void operator()(const PartialShape& value) const { out << value; }
  void operator()(const Constant& value) const {
    out << static_cast<const void*>(value.content.get()), (*this)(value.shape);
  }
  void operator()(const std::shared_ptr<Graph>&) const {}
  template <typename T>
  void operator()(const std::vector<T>& values) const {
    for (const T& value : values) (*this)(value);
    out << values.size();
  }
};

/// The text of an attribute; empty for a body.
struct AttributeText {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return format_double(value); }
  std::string operator()(ElementType value) const { return std::string(ir_name(value)); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const PartialShape& value) const { return cat("[", to_string(value), "]"); }
  std::string operator()(const Constant& value) const {
    return cat(ir_name(value.type), "[", join(value.shape, std::string_view(",")), "]");
  }
  std::string operator()(const std::shared_ptr<Graph>&) const { return {}; }
  template <typename T>
  std::string operator()(const std::vector<T>& values) const {
    constexpr size_t kMost = 32;
    const std::vector<T> some(values.begin(), values.begin() + static_cast<ptrdiff_t>(std::min(values.size(), kMost)));
    return cat("[", join(some, *this, ","), values.size() > kMost ? ",…]" : "]");
  }
};

void add_field(std::string& out, std::string_view name, std::string_view json) {
  separate(out, "\""), out += name, out += "\":", out += json;
}

std::string inputs_json(const Node& node) {
  std::string out = "[";
  for (int i = 0; i < node.in_count(); ++i) {
    const OutPort source = node.source(i);
    separate(out, source ? cat("[", source.node().id(), ",", source.index(), "]") : "null");
  }
  return out += ']';
}

std::string tensor_json(const Tensor& tensor) {
  std::string out = "{";
  if (tensor.shape.has_rank()) add_field(out, "shape", cat("\"[", to_string(tensor.shape), "]\""));
  if (tensor.type != ElementType::Unknown) add_field(out, "type", cat("\"", ir_name(tensor.type), "\""));
  if (!tensor.names.empty()) add_field(out, "names", cat("[", join(tensor.names.all(), json_text, ","), "]"));
  return out += '}';
}

std::string outputs_json(Node& node) {
  std::string out = "[";
  for (int i = 0; i < node.out_count() && node.op() != "Result"; ++i)
    separate(out, node.has_out_port(i) ? tensor_json(node.out(i).tensor()) : "null");
  return out += ']';
}

std::string attributes_json(const Node& node) {
  constexpr size_t kLongest = 1000;
  std::string out = "{";
  for (const auto& [key, value] : node.attributes)
    if (const std::string text = std::visit(AttributeText(), value); !text.empty())
      separate(out, json_text(key)), out += ':', out += json_text(std::string_view(text).substr(0, kLongest));
  return out += '}';
}

std::string source_json(const FrameworkNode& pb) {
  std::string out = "{";
  add_field(out, "op", json_text(pb.op));
  if (!pb.domain.empty()) add_field(out, "domain", json_text(pb.domain));
  if (pb.line > 0)
    add_field(out, "line", std::to_string(pb.line));
  else if (pb.size > 0)
    add_field(out, "offset", std::to_string(pb.offset));
  return out += '}';
}

/// The parts of a node that have changed; of a new one all that are not empty.
std::string node_json(Node& node, const std::string& path, bool is_new, const bool (&changed)[kParts]) {
  std::string out = "{";
  const auto add = [&](Part part, std::string_view name, std::string_view json) {
    if (changed[part] && !(is_new && json.size() == 2)) add_field(out, name, json);
  };
  if (!path.empty()) add_field(out, "graph", json_text(path));
  add_field(out, "id", std::to_string(node.id()));
  add(kWhat, "name", json_text(node.name()));
  add(kWhat, "op", json_text(node.op()));
  if (changed[kInputs]) add(kInputs, "in", inputs_json(node));
  if (changed[kOutputs]) add(kOutputs, "out", outputs_json(node));
  if (changed[kAttributes]) add(kAttributes, "attributes", attributes_json(node));
  if (is_new && node.pb) add_field(out, "source", source_json(*node.pb));
  return out += '}';
}

std::string path_of(const Graph& graph) {
  const Node* owner = graph.owner();
  if (!owner) return {};
  const std::string outer = path_of(owner->graph());
  for (const auto& [key, value] : owner->attributes)
    if (const auto* body = std::get_if<std::shared_ptr<Graph>>(&value); body && body->get() == &graph)
      return cat(outer, outer.empty() ? "" : "/", owner->id(), ".", key);
  return outer;
}

}  // namespace

void Trace::step(std::string_view phase, std::string_view transform) {
  for (auto& [path, known] : graphs_) known.visited = false;
  visit(model_, {});
  for (auto at = graphs_.begin(); at != graphs_.end();) {
    if (!at->second.visited) remove_all(at->first, at->second);
    at = at->second.visited ? std::next(at) : graphs_.erase(at);
  }
  close_step(phase, transform);
}

void Trace::visit(Graph& graph, const std::string& path) {
  Known& known = graphs_[path];
  if (&graph != &model_ && known.graph.get() != &graph) {
    remove_all(path, known);
    known = {graph.shared_from_this(), {}, false};
  }
  known.visited = true;
  known.nodes.resize(graph.ids());
  for (size_t id = 0; id < known.nodes.size(); ++id) {
    Node& node = graph.node(static_cast<int>(id));
    graph.model().beat();
    compare(node, path, known.nodes[id]);
    if (node.removed() || !graph.model().has_bodies) continue;
    for (const auto& [key, value] : node.attributes)
      if (const auto* body = std::get_if<std::shared_ptr<Graph>>(&value); body && *body)
        visit(**body, cat(path, path.empty() ? "" : "/", node.id(), ".", key));
  }
}

void Trace::compare(const Node& node, const std::string& path, Seen& seen) {
  if (node.removed()) {
    if (seen.there) separate(removed_, cat("[", json_text(path), ",", node.id(), "]"));
    seen = {};
    return;
  }
  // A graph keeps one copy of each name and op, so that equal addresses mean equal texts.
  Fingerprint parts[kParts];
  parts[kWhat] << static_cast<const void*>(&node.name()) << static_cast<const void*>(&node.op());
  for (int i = 0; i < node.in_count(); ++i) {
    const OutPort source = node.source(i);
    parts[kInputs] << (source ? static_cast<uint64_t>(source.node().id()) << 32 | static_cast<uint64_t>(source.index())
                              : UINT64_MAX);
  }
  auto& made = const_cast<Node&>(node);
  for (int i = 0; i < node.out_count(); ++i) {
    const Tensor& tensor = OutPort(&made, i).tensor();
    parts[kOutputs] << tensor.shape << static_cast<uint64_t>(tensor.type);
    AddAttribute{parts[kOutputs]}(tensor.names.all());
  }
  for (const auto& [key, value] : node.attributes) {
    parts[kAttributes] << key.size() << value.index();
    std::visit(AddAttribute{parts[kAttributes]}, value);
  }
  bool changed[kParts], any = false;
  for (int i = 0; i < kParts; ++i) {
    changed[i] = !seen.there || seen.parts[i] != parts[i].value();
    any |= changed[i];
    seen.parts[i] = parts[i].value();
  }
  if (any) separate(seen.there ? changed_ : added_, node_json(made, path, !seen.there, changed));
  seen.there = true;
}

void Trace::remove_all(const std::string& path, const Known& known) {
  for (size_t id = 0; id < known.nodes.size(); ++id)
    if (known.nodes[id].there) separate(removed_, cat("[", json_text(path), ",", id, "]"));
}

void Trace::decomposed(const Node& node, std::string_view transform, size_t first) {
  std::string out = "{";
  add_field(out, "transform", json_text(transform));
  if (const std::string path = path_of(node.graph()); !path.empty()) add_field(out, "graph", json_text(path));
  add_field(out, "node", std::to_string(node.id()));
  add_field(out, "added", cat("[", first, ",", node.graph().ids(), "]"));
  separate(decomposed_, out += '}');
}

void Trace::emit(const NodeLayers& layers) {
  for (const auto& [node, layer] : layers) {
    const std::string path = path_of(node->graph());
    separate(layers_, cat("[", json_text(path), ",", node->id(), ",", layer, "]"));
    const OpDef* def = node->definition();
    if (!def || def->type == node->op()) continue;
    std::string out = "{";
    if (!path.empty()) add_field(out, "graph", json_text(path));
    add_field(out, "id", std::to_string(node->id()));
    add_field(out, "op", json_text(def->type));
    separate(changed_, out += '}');
  }
  close_step("emit", {});
}

void Trace::close_step(std::string_view phase, std::string_view transform) {
  std::string out = "{";
  add_field(out, "phase", json_text(phase));
  if (!transform.empty()) add_field(out, "transform", json_text(transform));
  bool any = false;
  for (const auto& [name, list] :
       {std::pair("added", &added_), std::pair("removed", &removed_), std::pair("changed", &changed_),
        std::pair("decomposed", &decomposed_), std::pair("layers", &layers_)}) {
    if (list->empty()) continue;
    any = true;
    add_field(out, name, "["), out += *list, out += ']';
    list->clear();
  }
  model_.files().count_output(out.size());
  if (any) separate(steps_, out += '}');
}

std::string Trace::take() {
  steps_.insert(0, "{\"steps\":[");
  return std::move(steps_ += "]}");
}

}  // namespace mo
