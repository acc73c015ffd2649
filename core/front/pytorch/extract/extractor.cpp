#include "core/front/pytorch/extract/extractor.h"

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/build/attribute_rows.h"
#include "core/front/pytorch/load/program.h"
#include "core/graph/framework_node.h"

namespace mo::pytorch {

#define MO_OPERATORS "core/front/pytorch/extract/operators.def"
#include "core/front/common/operator_rows.inc"

const Operators& operators() {
  static const Operators all(kRows);
  return all;
}

namespace {

struct Schema {
  std::string_view name, defaults;
};
constexpr Schema kSchemas[] = {
#define PYTORCH_SCHEMA(name, defaults) {name, defaults},
#include "core/front/pytorch/extract/schemas.def"
};

/// A default of the table: True, False, 1, 0.5, 'none', [], [0,-1].
Attribute default_of(std::string_view text) {
  if (text == "True" || text == "False") return text == "True";
  if (text.starts_with('\'')) return std::string(text.substr(1, text.size() - 2));
  if (!text.starts_with('[')) {
    if (const auto whole = parse_int(text)) return *whole;
    return parse_double(text).value_or(0);
  }
  Ints out;
  for (const std::string& part : split(text.substr(1, text.size() - 2), ','))
    if (const auto whole = parse_int(part)) out.push_back(*whole);
  return out;
}

/// The first input of an argument; -1 if there is none.
int port_of(const Node& node, std::string_view argument) {
  const auto* slots = node.attributes.get_if<Strings>("input_slots");
  for (size_t i = 0; slots && i < slots->size(); ++i)
    if ((*slots)[i] == argument) return static_cast<int>(i);
  return -1;
}

int required_port(const Node& node, std::string_view argument) {
  const int port = port_of(node, argument);
  if (port < 0) throw Error(Code::MissingInput, std::string(argument));
  return port;
}

ElementType known_type(const Node& node, const char* list, size_t index) {
  const Ints types = node.get_ints(list);
  const auto type = index < types.size() ? static_cast<ElementType>(types[index]) : ElementType::Unknown;
  if (type == ElementType::Unknown) throw Error(Code::UnsupportedType, "a tensor of unknown type");
  return type;
}

int64_t known_rank(const Node& node, const char* list, size_t index) {
  const Ints ranks = node.get_ints(list);
  if (index >= ranks.size()) throw Error(Code::MissingInput, msg("output ", index));
  return ranks[index];
}

Ints known_sizes(const Node& node, const char* ranks, const char* sizes, size_t index) {
  const Ints all = node.get_ints(ranks), numbers = node.get_ints(sizes);
  size_t begin = 0;
  for (size_t i = 0; i < index && i < all.size(); ++i) begin += static_cast<size_t>(all[i]);
  const auto count = static_cast<size_t>(known_rank(node, ranks, index));
  return {numbers.begin() + static_cast<std::ptrdiff_t>(begin),
          numbers.begin() + static_cast<std::ptrdiff_t>(begin + count)};
}

[[noreturn]] void refuse_computed(std::string_view argument) {
  throw Error(Code::UnsupportedForm, msg(std::string(argument), " is computed"));
}

/// Booleans, integers, floating point: the classes of promotion.
int class_of(ElementType type) { return type == ElementType::Bool ? 0 : is_float(type) ? 2 : 1; }

/// PyTorch's table of two types of one class.
ElementType wider(ElementType a, ElementType b) {
  if (a == b) return a;
  if (class_of(a) != class_of(b)) return class_of(a) > class_of(b) ? a : b;
  if (class_of(a) == 2) {
    const int bits_a = bits(a), bits_b = bits(b);
    if (bits_a == bits_b) return ElementType::F32;  // f16 and bf16
    return bits_a > bits_b ? a : b;
  }
  const int bits_a = bits(a), bits_b = bits(b);
  if (a == ElementType::U8 || b == ElementType::U8) {
    const ElementType other = a == ElementType::U8 ? b : a;
    return other == ElementType::I8 ? ElementType::I16 : other;
  }
  return bits_a > bits_b ? a : b;
}

}  // namespace

void add_defaults(Node& node) {
  static const std::map<std::string_view, std::string_view> kByName = [] {
    std::map<std::string_view, std::string_view> out;
    for (const Schema& schema : kSchemas) out.emplace(schema.name, schema.defaults);
    return out;
  }();
  const auto found = kByName.find(cat(node.pb->domain, ".", node.pb->op, ".", node.get_string("overload")));
  if (found == kByName.end()) return;
  for (const std::string& entry : split(found->second, ' ')) {
    const size_t equals = entry.find('=');
    if (equals == entry.npos) continue;
    const std::string name = entry.substr(0, equals);
    if (!node.has(name) && port_of(node, name) < 0)
      node.set(name, default_of(std::string_view(entry).substr(equals + 1)));
  }
}

std::vector<OutPort> inputs(const Node& node, std::string_view argument) {
  const auto* slots = node.attributes.get_if<Strings>("input_slots");
  std::vector<OutPort> out;
  for (size_t i = 0; slots && i < slots->size(); ++i)
    if ((*slots)[i] == argument)
      if (const OutPort source = node.source(static_cast<int>(i))) out.push_back(source);
  return out;
}

OutPort input(const Node& node, std::string_view argument) {
  const int port = port_of(node, argument);
  return port < 0 ? OutPort() : node.source(port);
}

OutPort required(const Node& node, std::string_view argument) {
  if (const OutPort port = input(node, argument)) return port;
  throw Error(Code::MissingInput, std::string(argument));
}

bool is_given(const Node& node, std::string_view argument) {
  return node.has(argument) || port_of(node, argument) >= 0;
}

int64_t int_of(const Node& node, std::string_view argument) {
  if (const auto* flag = node.attributes.get_if<bool>(argument)) return *flag;
  if (const auto* list = node.attributes.get_if<Ints>(argument); list && list->size() == 1 && (*list)[0] != kFromGraph)
    return (*list)[0];
  const auto* number = node.attributes.get_if<int64_t>(argument);
  if (!number) throw Error(Code::MissingAttribute, std::string(argument));
  if (*number == kFromGraph) refuse_computed(argument);
  return *number;
}

double number_of(const Node& node, std::string_view argument) {
  if (const auto* number = node.attributes.get_if<double>(argument)) return *number;
  return static_cast<double>(int_of(node, argument));
}

Ints ints_of(const Node& node, std::string_view argument) {
  if (node.attributes.get_if<int64_t>(argument)) return {int_of(node, argument)};
  const auto* list = node.attributes.get_if<Ints>(argument);
  if (!list) throw Error(Code::MissingAttribute, std::string(argument));
  if (std::find(list->begin(), list->end(), kFromGraph) != list->end()) refuse_computed(argument);
  return *list;
}

Ints ints_of_axes(const Node& node, std::string_view argument, size_t axes, const Ints& otherwise) {
  Ints out = ints_of(node, argument);
  if (out.empty()) out = otherwise;
  if (out.size() == 1) out.assign(axes, out[0]);
  if (out.size() != axes)
    throw Error(Code::BadAttribute, msg(std::string(argument), " has ", out.size(), " numbers for ", axes, " axes"));
  for (const int64_t value : out)
    if (value < 0 || value > INT32_MAX) throw Error(Code::BadAttribute, msg(std::string(argument), " is ", value));
  return out;
}

OutPort int_list(Node& node, Builder& b, std::string_view argument) {
  const Ints numbers =
      node.attributes.get_if<int64_t>(argument) ? Ints{node.get_int(argument)} : node.get_ints(argument);
  const std::vector<OutPort> computed = inputs(node, argument);
  if (computed.empty()) return b.i64(ints_of(node, argument));
  std::vector<OutPort> parts;
  Ints known;
  size_t next = 0;
  const auto flush = [&] {
    if (!known.empty()) parts.push_back(b.i64(known));
    known.clear();
  };
  for (const int64_t number : numbers) {
    if (number != kFromGraph) {
      known.push_back(number);
      continue;
    }
    flush();
    if (next >= computed.size()) throw Error(Code::MissingInput, std::string(argument));
    parts.push_back(b.reshape(b.convert(computed[next++], ElementType::I64), {1}));
  }
  flush();
  return parts.size() == 1 ? parts[0] : b.concat(parts, 0);
}

OutPort int_scalar(Node& node, Builder& b, std::string_view argument) {
  if (const OutPort port = input(node, argument)) return port;
  return b.i64_scalar(int_of(node, argument));
}

OutPort as_type(Builder& b, OutPort x, ElementType from, ElementType to) { return from == to ? x : b.convert(x, to); }

OutPort operand(Node& node, Builder& b, std::string_view argument, ElementType type) {
  if (const OutPort port = input(node, argument)) return as_type(b, port, type_of(node, argument), type);
  return b.constant(make_scalar(type, number_of(node, argument)));
}

ElementType type_of(const Node& node, std::string_view argument) {
  return known_type(node, "input_types", static_cast<size_t>(required_port(node, argument)));
}
int64_t rank_of(const Node& node, std::string_view argument) {
  return known_rank(node, "input_ranks", static_cast<size_t>(required_port(node, argument)));
}
Ints sizes_of(const Node& node, std::string_view argument) {
  return known_sizes(node, "input_ranks", "input_sizes", static_cast<size_t>(required_port(node, argument)));
}
bool is_in_order(const Node& node, std::string_view argument) {
  const auto port = static_cast<size_t>(required_port(node, argument));
  const Ints flags = node.get_ints("input_in_order");
  return port < flags.size() && flags[port] != 0;
}
OutPort as_stored(Node& node, Builder& b, std::string_view argument) {
  const OutPort x = required(node, argument);
  if (is_in_order(node, argument)) return x;
  const auto port = static_cast<size_t>(required_port(node, argument));
  const Ints order = node.has("input_orders") ? known_sizes(node, "input_ranks", "input_orders", port) : Ints();
  if (order.empty() || order[0] < 0)
    throw Error(Code::UnsupportedForm, "a view by strides of a tensor that is a part of its storage");
  return b.transpose(x, order);
}
std::vector<Operand> operands_of(const Node& node, std::string_view argument) {
  const auto* slots = node.attributes.get_if<Strings>("input_slots");
  const Ints ranks = node.get_ints("input_ranks"), sizes = node.get_ints("input_sizes");
  std::vector<Operand> out;
  auto next = sizes.begin();
  for (size_t i = 0; slots && i < slots->size(); ++i) {
    const auto begin = next;
    next += static_cast<std::ptrdiff_t>(ranks.at(i));
    if ((*slots)[i] != argument) continue;
    require_input(node, static_cast<int>(i));
    out.push_back({node.source(static_cast<int>(i)), known_type(node, "input_types", i), Ints(begin, next)});
  }
  if (out.empty()) throw Error(Code::MissingInput, std::string(argument));
  return out;
}
ElementType result_type(const Node& node, size_t index) { return known_type(node, "output_types", index); }
int64_t result_rank(const Node& node, size_t index) { return known_rank(node, "output_ranks", index); }
Ints result_sizes(const Node& node, size_t index) { return known_sizes(node, "output_ranks", "output_sizes", index); }

int64_t axis_of(const Node& node, std::string_view argument, int64_t rank) {
  const int64_t axis = int_of(node, argument), most = std::max<int64_t>(rank, 1);
  if (axis < -most || axis >= most) throw Error(Code::BadAttribute, msg(std::string(argument), " is ", axis));
  return axis < 0 ? axis + most : axis;
}

Ints axes_of(const Node& node, std::string_view argument, int64_t rank) {
  Ints out = ints_of(node, argument);
  const int64_t most = std::max<int64_t>(rank, 1);
  for (int64_t& axis : out) {
    if (axis < -most || axis >= most) throw Error(Code::BadAttribute, msg(std::string(argument), " holds ", axis));
    if (axis < 0) axis += most;
  }
  return out;
}

ElementType common_type(const Node& node, std::string_view a, std::string_view b) {
  struct Side {
    ElementType type;
    int strength;  ///< 2: a tensor with dimensions, 1: one without, 0: a number
  };
  const auto side = [&](std::string_view name) -> Side {
    const int port = port_of(node, name);
    if (port >= 0) return {type_of(node, name), rank_of(node, name) > 0 ? 2 : 1};
    if (node.attributes.get_if<double>(name)) return {ElementType::F32, 0};
    if (node.attributes.get_if<bool>(name)) return {ElementType::Bool, 0};
    return {ElementType::I64, 0};
  };
  Side x = side(a), y = side(b);
  if (x.strength == y.strength) return wider(x.type, y.type);
  if (x.strength < y.strength) std::swap(x, y);
  // The weaker one counts only if its class is higher, and a number of floating point is then of the default type.
  return class_of(y.type) > class_of(x.type) ? y.type : x.type;
}

void give_typed(Node& node, Builder& b, OutPort x, ElementType from) {
  give(node, {as_type(b, x, from, result_type(node))});
}

}  // namespace mo::pytorch
