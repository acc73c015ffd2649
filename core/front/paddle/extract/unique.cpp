// Different elements.

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

/// Its four results: values, their first places, where each element is among them, how often each occurs.
Node& unique_of(Node& node, bool sorted) {
  const OutPort x = required(node, "X");
  const Ints axis = ints_of(node, "axis");
  const ElementType type = type_of(node, "dtype", ElementType::I64);
  Builder b(node);
  std::vector<OutPort> sources{x};
  if (!axis.empty()) sources.push_back(b.i64_scalar(axis[0]));
  return b.node("Unique", sources,
                Attributes{{"sorted", sorted}, {"index_element_type", type}, {"count_element_type", type}}, 4);
}

}  // namespace

/// Sorted, or of older programs in the order of their first occurrence.
void extract_unique(Node& node) {
  Node& unique = unique_of(node, node.get_bool("is_sorted"));
  give(node, {{"Out", unique.out(0)}, {"Indices", unique.out(1)}, {"Index", unique.out(2)}, {"Counts", unique.out(3)}});
}

void extract_unique_with_counts(Node& node) {
  Node& unique = unique_of(node, false);
  give(node, {{"Out", unique.out(0)}, {"Index", unique.out(2)}, {"Count", unique.out(3)}});
}

/// Elements that differ from the one before.
void extract_unique_consecutive(Node& node) {
  const OutPort x = required(node, "X");
  const Ints axis = ints_of(node, "axis");
  Attributes attributes{{"dtype", type_of(node, "dtype", ElementType::I64)}};
  if (!axis.empty()) attributes.set("axis", axis[0]);
  Node& runs = Builder(node).node("Runs", {x}, attributes, 3);
  give(node, {{"Out", runs.out(0)}, {"Index", runs.out(1)}, {"Counts", runs.out(2)}});
}

}  // namespace mo::paddle
