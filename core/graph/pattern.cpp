#include "core/graph/pattern.h"

#include <algorithm>

namespace mo {

// Attributes

const Attribute* find_attribute(const PatternNode& node, std::string_view key, Attribute& made) {
  const auto make = [&](Attribute value) {
    made = std::move(value);
    return &made;
  };
  if (key == "kind") return make(std::string(node.is_data() ? "data" : "op"));
  if (node.is_data()) {
    if (key == "name" || key == "id") return make(cat(node.node->name(), "/Output_", node.output, "/Data_0"));
    const Tensor& tensor = OutPort(node.node, node.output).tensor();
    if (key == "shape" && tensor.shape.has_rank()) return make(tensor.shape);
    if (key == "value" && tensor.value) return make(*tensor.value);
    if (key == "data_type" && tensor.type != ElementType::Unknown) return make(tensor.type);
    return nullptr;
  }
  if (key == "op") return make(node.node->op());
  if (key == "name") return make(node.node->name());
  if (key == "id") return make(node.node->key());
  if (key == "type") {
    const OpDef* definition = node.node->definition();
    const std::string_view type = definition ? node.node->graph().model().operations.type_of(*definition) : "";
    if (!type.empty()) return make(std::string(type));
  }
  if (const Attribute* stored = node.node->attributes.find(key)) return stored;
  if (key != "shape" && key != "data_type") return nullptr;
  // Those of a constant are its value's.
  const Constant* value = node.node->op() == "Const" ? node.node->get_constant("value") : nullptr;
  if (!value) return nullptr;
  return key == "shape" ? make(PartialShape(value->shape)) : make(value->type);
}

// Equality

namespace {

bool same_number(int64_t whole, double number) {
  // Every whole double within these bounds is an int64_t, so comparing as integers loses nothing.
  constexpr double kBound = 9223372036854775808.0;
  if (!(number >= -kBound && number < kBound)) return false;
  const int64_t truncated = static_cast<int64_t>(number);
  return truncated == whole && static_cast<double>(truncated) == number;
}

/// Flags and whole numbers; nullopt for other attributes.
std::optional<int64_t> whole(const Attribute& a) {
  if (const bool* flag = std::get_if<bool>(&a)) return *flag;
  if (const int64_t* number = std::get_if<int64_t>(&a)) return *number;
  return std::nullopt;
}

/// Lists of whole numbers, including static shapes.
std::optional<Ints> wholes(const Attribute& a) {
  if (const Ints* list = std::get_if<Ints>(&a)) return *list;
  const PartialShape* shape = std::get_if<PartialShape>(&a);
  if (shape && shape->is_static()) return shape->to_shape();
  return std::nullopt;
}

bool same_list(const Ints& a, const Doubles& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](int64_t x, double y) { return same_number(x, y); });
}

bool is_empty_list(const Attribute& a) {
  if (const Ints* list = std::get_if<Ints>(&a)) return list->empty();
  if (const Doubles* list = std::get_if<Doubles>(&a)) return list->empty();
  const Strings* list = std::get_if<Strings>(&a);
  return list && list->empty();
}

bool same_constant(const Constant& a, const Constant& b) {
  if (a.type != b.type || a.shape != b.shape) return false;
  if (a.content == b.content) return true;
  if (!a.content || !b.content || a.content->kind() != b.content->kind()) return false;
  if (a.content->kind() == Content::Kind::Owned)
    return static_cast<const OwnedContent&>(*a.content).bytes == static_cast<const OwnedContent&>(*b.content).bytes;
  const std::string identity = a.content->identity();
  return !identity.empty() && identity == b.content->identity();
}

}  // namespace

bool same_value(const Attribute& a, const Attribute& b) {
  const double *da = std::get_if<double>(&a), *db = std::get_if<double>(&b);
  const std::optional<int64_t> wa = whole(a), wb = whole(b);
  if (wa && db) return same_number(*wa, *db);
  if (da && wb) return same_number(*wb, *da);
  if (wa || wb) return wa && wb && *wa == *wb;

  if (is_empty_list(a) || is_empty_list(b)) {
    const std::optional<Ints> la = wholes(a), lb = wholes(b);
    return (is_empty_list(a) || (la && la->empty())) && (is_empty_list(b) || (lb && lb->empty()));
  }
  if (const std::optional<Ints> la = wholes(a)) {
    if (const Doubles* lb = std::get_if<Doubles>(&b)) return same_list(*la, *lb);
    const std::optional<Ints> lb = wholes(b);
    return lb && *la == *lb;
  }
  if (const Doubles* la = std::get_if<Doubles>(&a))
    if (const std::optional<Ints> lb = wholes(b)) return same_list(*lb, *la);

  const ElementType *ta = std::get_if<ElementType>(&a), *tb = std::get_if<ElementType>(&b);
  const std::string *sa = std::get_if<std::string>(&a), *sb = std::get_if<std::string>(&b);
  if (ta && sb) return ir_name(*ta) == *sb;
  if (sa && tb) return *sa == ir_name(*tb);

  if (a.index() != b.index()) return false;
  if (da) return *da == *db;
  if (sa) return *sa == *sb;
  if (ta) return *ta == *tb;
  if (const Doubles* list = std::get_if<Doubles>(&a)) return *list == std::get<Doubles>(b);
  if (const Strings* list = std::get_if<Strings>(&a)) return *list == std::get<Strings>(b);
  if (const PartialShape* shape = std::get_if<PartialShape>(&a)) return *shape == std::get<PartialShape>(b);
  if (const Constant* constant = std::get_if<Constant>(&a)) return same_constant(*constant, std::get<Constant>(b));
  if (const auto* body = std::get_if<std::shared_ptr<Graph>>(&a)) return *body == std::get<std::shared_ptr<Graph>>(b);
  return std::holds_alternative<std::monostate>(a);
}

bool Pattern::Condition::holds(const Attribute* attribute, const PatternNode& node) const {
  if (predicate_) return predicate_(attribute, node);
  return attribute ? same_value(*attribute, literal_) : std::holds_alternative<std::monostate>(literal_);
}

// Match

bool Match::has(std::string_view alias) const {
  return std::find(aliases_->begin(), aliases_->end(), alias) != aliases_->end();
}

const PatternNode& Match::operator[](std::string_view alias) const {
  const auto found = std::find(aliases_->begin(), aliases_->end(), alias);
  if (found == aliases_->end()) throw Error(Code::UnknownAlias, msg("\"", alias, "\""));
  return nodes_[static_cast<size_t>(found - aliases_->begin())];
}

Node& Match::op(std::string_view alias) const {
  const PatternNode& found = (*this)[alias];
  if (found.is_data())
    throw Error(Code::UnknownAlias, msg("\"", alias, "\" is a tensor, not an operation"), found.node->place());
  return *found.node;
}

OutPort Match::tensor(std::string_view alias) const {
  const PatternNode& found = (*this)[alias];
  if (!found.is_data())
    throw Error(Code::UnknownAlias, msg("\"", alias, "\" is an operation, not a tensor"), found.node->place());
  return {found.node, found.output};
}

void for_each_match(Graph& graph, const Pattern& pattern, bool with_data,
                    const std::function<void(const Match&)>& action) {
  size_t skipped = 0;
  Place first;
  for (const Match& match : find_matches(graph, pattern, with_data)) {
    const auto gone = std::find_if(match.nodes().begin(), match.nodes().end(),
                                   [](const PatternNode& member) { return member.node->removed(); });
    if (gone == match.nodes().end()) {
      action(match);
    } else if (skipped++ == 0) {
      first = gone->node->place();
    }
  }
  if (skipped != 0) graph.model().diagnostics.warn(Code::MatchSkipped, msg(skipped, " of them"), first);
}

}  // namespace mo
