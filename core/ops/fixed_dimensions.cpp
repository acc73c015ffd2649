#include "core/ops/fixed_dimensions.h"

#include <map>
#include <optional>

#include "core/base/text.h"
#include "core/ops/spatial.h"

namespace mo {
namespace {

struct FixedRow {
  std::string_view ops, conditions, shapes;
};
constexpr FixedRow kFixedRows[] = {
#define MO_FIXED(ops, conditions, shapes) {ops, conditions, shapes},
#include "core/ops/fixed_dimensions.def"
};

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

const std::vector<const FixedRow*>* rows_of(const std::string& op) {
  static const auto by_op = [] {
    std::map<std::string_view, std::vector<const FixedRow*>> map;
    for (const FixedRow& row : kFixedRows)
      for (const std::string_view name : parts_of(row.ops, ' ')) map[name].push_back(&row);
    return map;
  }();
  const auto found = by_op.find(op);
  return found == by_op.end() ? nullptr : &found->second;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '#'; }

/// One row, for one node: what its letters are.
class FixedShapes {
 public:
  explicit FixedShapes(const Node& node) : node_(node) {}

  std::vector<OpenDimension> open(const FixedRow& row) {
    std::vector<OpenDimension> found;
    const PartialShape& first = shape(0);
    if (first.has_rank()) letters_[size_t{'#'}] = first.rank();
    for (const std::string_view condition : parts_of(row.conditions, ' '))
      if (!holds(condition)) return found;
    const std::vector<std::string_view> shapes = parts_of(row.shapes, ' ');
    for (int turn = 0; turn < 2; ++turn)  // a product may need letters of a later input
      for_each_dimension(shapes, [&](int, size_t, std::string_view term, Dimension d) { solve(term, d); });
    for_each_dimension(shapes, [&](int input, size_t axis, std::string_view term, Dimension d) {
      const auto size = d.is_exact() ? std::nullopt : value(term);
      if (size && intersect(d, *size)) found.push_back({input, axis, *size});
    });
    return found;
  }

 private:
  const PartialShape& shape(int input) const {
    static const PartialShape unknown;
    const OutPort source = node_.source(input);
    return source ? source.tensor().shape : unknown;
  }

  /// Whether a condition holds; an attribute that is given becomes a letter.
  bool holds(std::string_view text) {
    if (text[0] == '!') return is_digit(text[1]) ? !node_.has_in(text[1] - '0') : !node_.has(text.substr(1));
    if (const size_t colon = text.find(':'); colon != text.npos) {
      const std::string_view key = text.substr(0, colon);
      return node_.get_int(key, node_.get_bool(key)) == text.back() - '0';
    }
    const std::string_view from = text.substr(2), key = from.substr(0, from.find('.'));
    std::optional<int64_t>& letter = letters_[static_cast<unsigned char>(text[0])];
    const Ints* list = node_.attributes.get_if<Ints>(key);
    if (!node_.has(key)) return true;
    if (key.size() == from.size())
      letter = key == "direction" ? 1 + (node_.get_string(key) == "bidirectional") : node_.get_int(key);
    else if (list && from.back() == '#')
      letter = static_cast<int64_t>(list->size());
    else if (list && static_cast<size_t>(from.back() - '0') < list->size())
      letter = (*list)[static_cast<size_t>(from.back() - '0')];
    return true;
  }

  /// Calls `use` for each dimension that a shape of the row names, as far as the inputs have these shapes.
  template <typename Use>
  void for_each_dimension(const std::vector<std::string_view>& shapes, const Use& use) {
    for (size_t i = 0; i < shapes.size(); ++i) {
      std::string_view text = shapes[i];
      const PartialShape& given = shape(static_cast<int>(i));
      if (text == "-" || !given.has_rank()) continue;
      const bool ordered = text[0] == '@';
      if (ordered) text.remove_prefix(1);
      const std::vector<std::string_view> terms = parts_of(text, ',');
      const size_t rank = given.dimensions().size();
      size_t open = terms.size();
      for (size_t k = 0; k < terms.size(); ++k)
        if (terms[k] == "*") open = k;
      if (open == terms.size() ? rank != terms.size() : rank + 1 < terms.size()) continue;
      for (size_t k = 0; k < terms.size(); ++k) {
        if (k == open || terms[k] == "?") continue;
        const size_t place = k < open ? k : rank - (terms.size() - k);
        const size_t axis = ordered ? axis_at(place, rank) : place;
        use(static_cast<int>(i), axis, terms[k], given[axis]);
      }
    }
  }

  /// The axis that has the `place`-th dimension of [batch, channels, spatial axes].
  size_t axis_at(size_t place, size_t rank) const {
    if (rank < 2) return place;
    const SpatialDims dims = spatial_dims(node_, rank);
    return place == 0 ? dims.batch : place == 1 ? dims.channel : dims.spatial[place - 2];
  }

  /// The product of the known factors, the number added, and the letter that is not known if there is exactly one.
  struct Term {
    Interval product = 1, added = 0;
    char unknown = 0;
    bool solvable = true;
  };
  Term read(std::string_view text) const {
    Term term;
    int64_t sign = 0;
    for (const char c : text) {
      if (c == '+' || c == '-')
        sign = c == '+' ? 1 : -1;
      else if (is_digit(c))
        (sign ? term.added : term.product) = sign ? sign * (c - '0') : c - '0';
      else if (const auto& known = letters_[static_cast<unsigned char>(c)])
        term.product = term.product * Interval(*known);
      else if (is_letter(c))
        term.solvable = !term.unknown, term.unknown = c;
    }
    return term;
  }
  std::optional<int64_t> value(std::string_view text) const {
    const Term term = read(text);
    const Interval size = term.product + term.added;
    const bool known = !term.unknown && size.min >= 0 && size.max < Interval::kInfinity;
    return known ? std::optional<int64_t>(size.min) : std::nullopt;
  }
  void solve(std::string_view text, Dimension d) {
    const Term term = read(text);
    if (!d.is_exact() || !term.unknown || !term.solvable || term.product.min < 1) return;
    const Interval left = d - term.added;
    if (left.min % term.product.min == 0)
      letters_[static_cast<unsigned char>(term.unknown)] = left.min / term.product.min;
  }

  const Node& node_;
  std::optional<int64_t> letters_[128];
};

}  // namespace

std::vector<OpenDimension> open_dimensions(const Node& node) {
  std::vector<OpenDimension> found;
  bool is_open = false;
  for (int i = 0; i < node.in_count() && !is_open; ++i)
    if (const OutPort source = node.source(i)) is_open = !source.tensor().shape.is_static();
  if (!is_open) return found;
  const auto* rows = rows_of(node.op());
  if (!rows) return found;
  for (const FixedRow* row : *rows) {
    const std::vector<OpenDimension> of_row = FixedShapes(node).open(*row);
    found.insert(found.end(), of_row.begin(), of_row.end());
  }
  return found;
}

void refine_by_definition(Node& node) {
  for (const OpenDimension& open : open_dimensions(node)) refine_inputs(node.source(open.input), open.axis, open.size);
}

}  // namespace mo
