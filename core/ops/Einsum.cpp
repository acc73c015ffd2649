// Einsum (opset7): any number of tensors. Attribute equation: a term of letters for each input, and the result's term
// after "->". "..." means further dimensions, which are broadcast.

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/ops/known.h"

namespace mo {
namespace {

constexpr char kEllipsis = '.';

/// The labels of a term. An ellipsis is one label.
std::string einsum_labels(const InferContext& c, std::string_view term) {
  std::string labels;
  for (size_t i = 0; i < term.size(); ++i) {
    const char letter = term[i];
    if (letter == ' ') continue;
    if (term.substr(i, 3) == "...") {
      if (labels.find(kEllipsis) != std::string::npos)
        c.fail(Code::BadAttribute, "two ellipses in a term of the equation");
      labels += kEllipsis;
      i += 2;
      continue;
    }
    if (!((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')))
      c.fail(Code::BadAttribute, msg("equation has '", printable(term), "'"));
    labels += letter;
  }
  return labels;
}

struct EinsumDimensions {
  std::map<char, Dimension> of_label;
  PartialShape ellipsis{std::vector<Dimension>()};

  void add(const InferContext& c, const std::string& labels, const PartialShape& shape) {
    const bool has_ellipsis = labels.find(kEllipsis) != std::string::npos;
    if (!shape.has_rank()) {
      for (const char l : labels)
        if (l != kEllipsis) of_label.try_emplace(l, kAnyDimension);
      if (has_ellipsis) ellipsis = {};
      return;
    }
    const size_t named = labels.size() - has_ellipsis, rank = shape.dimensions().size();
    if (has_ellipsis ? rank < named : rank != named)
      c.fail(Code::RankMismatch, msg("[", to_string(shape), "] for \"", labels, "\""));
    size_t axis = 0;
    for (const char l : labels) {
      if (l == kEllipsis) {
        const auto from = shape.dimensions().begin() + static_cast<std::ptrdiff_t>(axis);
        ellipsis = broadcast(ellipsis, std::vector<Dimension>(from, from + static_cast<std::ptrdiff_t>(rank - named)));
        axis += rank - named;
        continue;
      }
      const Dimension d = shape[axis++];
      const auto [entry, fresh] = of_label.try_emplace(l, d);
      if (!fresh) entry->second = broadcast(PartialShape{entry->second}, PartialShape{d})[0];
    }
  }
};

/// Without "->": the ellipsis, then all labels that occur once, in alphabetical order.
std::string implicit_result(const std::vector<std::string>& terms) {
  std::map<char, int> counts;
  for (const std::string& term : terms)
    for (const char l : term) ++counts[l];
  std::string result;
  for (const auto& [label, count] : counts)
    if (label == kEllipsis || count == 1) result += label;  // '.' sorts before the letters
  return result;
}

void infer_einsum(InferContext& c) {
  require_inputs(c, std::max(c.in_count(), 1));
  const std::string equation = c.node().get_string("equation");
  const size_t arrow = equation.find("->");
  std::vector<std::string> terms;
  for (const std::string& term : split(equation.substr(0, arrow), ',')) terms.push_back(einsum_labels(c, term));
  if (static_cast<int>(terms.size()) != c.in_count())
    c.fail(Code::BadAttribute, msg("equation has ", terms.size(), " terms for ", c.in_count(), " inputs"));
  const std::string result = arrow == std::string::npos
                                 ? implicit_result(terms)
                                 : einsum_labels(c, std::string_view(equation).substr(arrow + 2));
  EinsumDimensions dimensions;
  for (size_t i = 0; i < terms.size(); ++i) dimensions.add(c, terms[i], c.shape(static_cast<int>(i)));
  std::vector<Dimension> out;
  for (const char l : result) {
    if (l == kEllipsis) {
      if (!dimensions.ellipsis.has_rank()) return c.set(0, {}, c.type(0));
      out.insert(out.end(), dimensions.ellipsis.dimensions().begin(), dimensions.ellipsis.dimensions().end());
      continue;
    }
    const auto found = dimensions.of_label.find(l);
    if (found == dimensions.of_label.end()) c.fail(Code::BadAttribute, msg("the result's '", l, "' is in no term"));
    out.push_back(found->second);
  }
  c.set(0, out, c.type(0));
}

/// IR allows no blanks.
void attributes_einsum(const Node& n, IrAttributes& a) {
  std::string equation = n.get_string("equation");
  equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
  a.add("equation", equation);
}

constexpr OpDef kEinsumDefs[] = {
    {.op = "Einsum",
     .type = "Einsum",
     .version = "opset7",
     .infer = infer_einsum,
     .ir_attributes = attributes_einsum,
     .layout = {LayoutClass::Reshapes, {}}},
};

}  // namespace

OpFamily ops_Einsum() { return kEinsumDefs; }

}  // namespace mo
