// The equation of an Einsum between permuted tensors.

#include <algorithm>

#include "core/base/text.h"
#include "core/layout/layout_state.h"

namespace mo {
namespace {

constexpr std::string_view kEinsumDots = "...";

/// The term for a permuted tensor: the label of the last axis moves after the first.
std::optional<std::string> turned_term(std::string_view term, int rank) {
  std::vector<std::string> labels;
  for (size_t i = 0; i < term.size(); ++i) {
    if (term[i] == ' ') continue;
    const bool ellipsis = term.substr(i, 3) == kEinsumDots;
    labels.emplace_back(term.substr(i, ellipsis ? 3 : 1));
    i += ellipsis ? 2 : 0;
  }
  if (rank <= 3) return std::string(term);
  const auto ellipsis = std::find(labels.begin(), labels.end(), kEinsumDots);
  if (ellipsis != labels.end()) {
    const int width = rank + 1 - static_cast<int>(labels.size());
    const bool at_end = ellipsis == labels.begin() || ellipsis + 1 == labels.end();
    if (width != 1 && at_end) return std::nullopt;
  }
  if (labels.size() > 1) std::rotate(labels.begin() + 1, labels.end() - 1, labels.end());
  return join(
      labels, [](const std::string& label) { return label; }, "");
}

}  // namespace

std::optional<std::string> equation_in_nchw(Node& node) {
  if (node.op() != "Einsum") return std::nullopt;
  const std::string equation = node.get_string("equation");
  const size_t arrow = equation.find("->");
  if (arrow == std::string::npos || node.out_count() != 1) return std::nullopt;
  std::string out;
  int input = 0;
  for (const std::string& term : split(equation.substr(0, arrow), ',')) {
    const OutPort source = node.source(input);
    const auto made =
        source && source.tensor().shape.has_rank() ? turned_term(term, source.tensor().shape.rank()) : std::nullopt;
    if (!made) return std::nullopt;
    out += (input++ ? "," : "") + *made;
  }
  const int rank = node.out().tensor().shape.rank();
  const auto result = rank < 0 ? std::nullopt : turned_term(std::string_view(equation).substr(arrow + 2), rank);
  return result ? std::optional<std::string>(out + "->" + *result) : std::nullopt;
}

}  // namespace mo
