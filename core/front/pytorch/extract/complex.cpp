#include "core/front/pytorch/extract/complex.h"

#include <algorithm>
#include <numeric>

#include "core/base/text.h"
#include "core/front/common/inputs.h"
#include "core/front/pytorch/load/program.h"
#include "core/graph/framework_node.h"

namespace mo::pytorch {

#define COMPLEX_PAIRS(op, count, arguments)
#define COMPLEX_PARTS(op, joined, arguments)
#define COMPLEX_BECOMES(op, internal)
#define COMPLEX_CALL(op, function) bool function(Node&);
#define COMPLEX_KNOWN(op)
#include "core/front/pytorch/extract/complex.def"

namespace {

enum class Count : uint8_t { None, Same, Axes, AxesOfResult, AxesOrAll, Sizes, Times, Order };
struct ComplexRow {
  std::string_view op;
  Count count = Count::None;
  std::string_view arguments = {};
  const char* joined = nullptr;   ///< of parts
  const char* becomes = nullptr;  ///< an op of pairs
  bool (*call)(Node&) = nullptr;
};
constexpr ComplexRow kComplexRows[] = {
#define COMPLEX_PAIRS(op, count, arguments) {#op, Count::count, arguments},
#define COMPLEX_PARTS(op, joined, arguments) {#op, Count::None, arguments, joined},
#define COMPLEX_BECOMES(op, internal) {#op, Count::None, {}, nullptr, #internal},
#define COMPLEX_CALL(op, function) {#op, Count::None, {}, nullptr, nullptr, function},
#define COMPLEX_KNOWN(op) {#op},
#include "core/front/pytorch/extract/complex.def"
};

bool is_axes(Count count) { return count == Count::Axes || count == Count::AxesOfResult || count == Count::AxesOrAll; }

bool is_set(const Node& node, const char* list, size_t index) {
  const auto* flags = node.attributes.get_if<Ints>(list);
  return flags && index < flags->size() && (*flags)[index] != 0;
}

std::string_view slot_of(const Node& node, int input) {
  const auto* slots = node.attributes.get_if<Strings>("input_slots");
  const auto at = static_cast<size_t>(input);
  return slots && at < slots->size() ? std::string_view((*slots)[at]) : std::string_view();
}

/// A real tensor becomes a complex one, of the type of the others.
void widen(Node& node, Builder& b, int input) {
  const auto at = static_cast<size_t>(input);
  Ints types = node.get_ints("input_types"), complex = node.get_ints("complex_inputs");
  complex.resize(types.size(), 0);
  const auto other = std::find(complex.begin(), complex.end(), 1);
  const ElementType type = gives_complex(node) ? result_type(node)
                           : other != complex.end()
                               ? static_cast<ElementType>(types[static_cast<size_t>(other - complex.begin())])
                               : throw not_complex(node);
  const OutPort x = as_type(b, node.source(input), static_cast<ElementType>(types.at(at)), type);
  node.in(input).connect(b.op("RealAsComplex", {x}));
  types[at] = static_cast<int64_t>(type);
  complex[at] = 1;
  node.set("input_types", std::move(types));
  node.set("complex_inputs", std::move(complex));
}

/// What the program says of complex tensors, with the dimension of pairs.
void count_in_facts(Node& node, const char* complex, const char* ranks, const char* sizes) {
  const auto* flags = node.attributes.get_if<Ints>(complex);
  if (!flags) return;
  Ints all = node.get_ints(ranks), out;
  const Ints numbers = node.get_ints(sizes);
  auto next = numbers.begin();
  for (size_t i = 0; i < all.size(); ++i) {
    const auto end = next + static_cast<std::ptrdiff_t>(all[i]);
    out.insert(out.end(), next, end);
    next = end;
    if (!is_set(node, complex, i)) continue;
    out.push_back(2);
    ++all[i];
  }
  node.set(ranks, std::move(all));
  node.set(sizes, std::move(out));
}

/// An argument of numbers, one or several, counts the dimension of pairs.
void count_in(Node& node, std::string_view argument, Count count, int64_t rank) {
  const auto* one = node.attributes.get_if<int64_t>(argument);
  Ints numbers = one ? Ints{*one} : node.get_ints(argument);
  const bool is_list = !one;
  if (!is_axes(count)) {
    numbers.push_back(count == Count::Sizes ? 2 : count == Count::Times ? 1 : rank);
    if (count == Count::Order)
      for (size_t i = 0; i + 1 < numbers.size(); ++i) numbers[i] -= numbers[i] < 0;
    node.set(argument, std::move(numbers));
    return;
  }
  for (int64_t& axis : numbers) {
    if (axis == kFromGraph || rank == 0) throw not_complex(node);
    if (axis < -rank || axis >= rank) throw Error(Code::BadAttribute, msg(std::string(argument), " is ", axis));
    axis -= axis < 0;
  }
  if (is_list)
    node.set(argument, std::move(numbers));
  else
    node.set(argument, numbers[0]);
}

/// True if the node is extracted.
bool count_pairs(Node& node, const ComplexRow& row) {
  Builder b(node);
  for (int i = 0; i < node.in_count(); ++i) {
    if (is_complex_input(node, i)) continue;
    const std::string_view slot = slot_of(node, i);
    const bool may_be_real = row.count == Count::Sizes;  // a view of real numbers as complex ones
    if ((slot == "self" && !may_be_real) || slot == "other") throw not_complex(node);
    if (is_one_of(slot, {"tensors", "src", "values"})) widen(node, b, i);
  }
  const int64_t rank = row.count == Count::AxesOfResult ? result_rank(node)
                       : row.count == Count::Same       ? 0
                                                        : rank_of(node, slot_of(node, 0));
  bool is_counted = row.count == Count::Same;
  for (const std::string& argument : split(row.arguments, ' ')) {
    const bool is_of_axes = is_axes(row.count);
    const bool has_numbers =
        node.attributes.get_if<int64_t>(argument) ||
        (node.attributes.get_if<Ints>(argument) && !(is_of_axes && node.get_ints(argument).empty()));
    if (row.count == Count::AxesOrAll && rank == 0) {
      give(node, {node.source(0)});
      return true;
    }
    if (row.count == Count::AxesOrAll && !has_numbers) {
      Ints all(static_cast<size_t>(rank));
      std::iota(all.begin(), all.end(), 0);
      node.set(argument, std::move(all));
    } else if (has_numbers) {
      count_in(node, argument, row.count, rank);
    } else {
      continue;
    }
    is_counted = true;
  }
  if (!is_counted && row.count != Count::Sizes) throw not_complex(node);
  count_in_facts(node, "complex_inputs", "input_ranks", "input_sizes");
  count_in_facts(node, "complex_outputs", "output_ranks", "output_sizes");
  return false;
}

/// The node's operation on the real parts of its inputs, or on the imaginary ones.
OutPort part(Node& node, Builder& b, const ComplexRow& row, bool imaginary) {
  Node& made = node.graph().add_node(node.op(), node.name());
  made.pb = node.pb;
  made.attributes = node.attributes;
  made.attributes.erase("complex_inputs");
  made.attributes.erase("complex_outputs");
  for (const std::string& argument : split(row.arguments, ' '))
    if (node.has(argument)) {
      const auto [real, other] = complex_number(node, argument);
      if (imaginary || node.attributes.get_if<Doubles>(argument)) made.set(argument, imaginary ? other : real);
    }
  std::vector<OutPort> sources;
  for (int i = 0; i < node.in_count(); ++i) {
    require_input(node, i);
    const OutPort source = node.source(i);
    sources.push_back(is_complex_input(node, i) ? b.op(imaginary ? "Imag" : "Real", {source}) : source);
  }
  set_inputs(made, sources);
  made.add_out_ports(node.out_count());
  operators().find(node.pb->op, node.pb->domain)->extract(made);
  made.pb.reset();
  return made.out(0);
}

void by_parts(Node& node, const ComplexRow& row) {
  Builder b(node);
  const std::vector<std::string> arguments = split(row.arguments, ' ');
  for (int i = 0; i < node.in_count(); ++i) {
    if (is_complex_input(node, i)) continue;
    if (is_one_of(slot_of(node, i), arguments))
      widen(node, b, i);
    else if (slot_of(node, i) == "self")
      throw not_complex(node);
  }
  const OutPort real = part(node, b, row, false), imaginary = part(node, b, row, true);
  become(node, row.joined, {real, imaginary});
}

}  // namespace

Error not_complex(const Node& node) {
  return Error(Code::UnsupportedForm, msg("complex numbers in ", printable(node.pb->op)));
}

bool is_of_complex(const Node& node) { return node.has("complex_inputs") || node.has("complex_outputs"); }
bool is_complex_input(const Node& node, int input) {
  return is_set(node, "complex_inputs", static_cast<size_t>(input));
}
bool is_complex(const Node& node, std::string_view argument) {
  for (int i = 0; i < node.in_count(); ++i)
    if (slot_of(node, i) == argument) return is_complex_input(node, i);
  return false;
}
bool gives_complex(const Node& node, size_t index) { return is_set(node, "complex_outputs", index); }

std::pair<double, double> complex_number(const Node& node, std::string_view argument) {
  if (const auto* parts = node.attributes.get_if<Doubles>(argument); parts && parts->size() == 2)
    return {(*parts)[0], (*parts)[1]};
  return {number_of(node, argument), 0.0};
}

OutPort pair(Builder& b, ElementType type, double real, double imaginary) {
  return b.constant(concat({make_splat(type, {1}, real), make_splat(type, {1}, imaginary)}, 0));
}

OutPort pairs(Node& node, Builder& b, std::string_view argument, ElementType type) {
  if (const OutPort port = input(node, argument)) {
    const OutPort x = as_type(b, port, type_of(node, argument), type);
    return is_complex(node, argument) ? x : b.op("RealAsComplex", {x});
  }
  const auto [real, imaginary] = complex_number(node, argument);
  return pair(b, type, real, imaginary);
}

bool extract_complex(Node& node) {
  const auto row = std::find_if(std::begin(kComplexRows), std::end(kComplexRows),
                                [&](const ComplexRow& each) { return each.op == node.pb->op; });
  if (row == std::end(kComplexRows)) throw not_complex(node);
  if (row->count != Count::None) return count_pairs(node, *row);
  if (row->call) return row->call(node);
  if (row->joined) return by_parts(node, *row), true;
  if (!row->becomes) return false;
  become(node, row->becomes, {required(node, "self")});
  return true;
}

}  // namespace mo::pytorch
