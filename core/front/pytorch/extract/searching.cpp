// Different elements, places in sorted lists, counts, and places of elements other than 0.

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

OutPort in_shape_of(Builder& b, OutPort x, OutPort like) {
  return b.op("Reshape", {x, b.shape_of(like)}, {{"special_zero", false}});
}

/// Values, where each element is among them, how often each occurs: the outputs 0, `places` and `counts` of what
/// `make` gives for x, which has no booleans. Without an axis the places have the shape of x.
template <typename Make>
void give_different(Node& node, bool has_axis, int places, int counts, const Make& make) {
  Builder b(node);
  const OutPort x = required(node, "self");
  const ElementType type = type_of(node, "self"), own = type == ElementType::Bool ? ElementType::U8 : type;
  OutPort data = as_type(b, x, type, own);
  if (!has_axis) data = b.reshape(data, {-1}, false);
  Node& made = make(b, data);
  const OutPort values = as_type(b, made.out(0), own, type), at = made.out(places);
  const OutPort where = !has_axis && node.is_read(1) ? in_shape_of(b, at, x) : at;
  give(node, {values, where, made.out(counts)});
}

void unique_elements(Node& node, bool has_axis) {
  const Attributes attributes{
      {"sorted", true}, {"index_element_type", ElementType::I64}, {"count_element_type", ElementType::I64}};
  give_different(node, has_axis, 2, 3, [&](Builder& b, OutPort x) -> Node& {
    std::vector<OutPort> sources{x};
    if (has_axis) sources.push_back(b.i64_scalar(axis_of(node, "dim", rank_of(node, "self"))));
    return b.node("Unique", sources, attributes, 4);
  });
}

/// Elements or slices that differ from the one before.
void equal_runs(Node& node) {
  const bool has_axis = node.has("dim");
  Attributes attributes{{"dtype", ElementType::I64}};
  if (has_axis) attributes.set("axis", axis_of(node, "dim", rank_of(node, "self")));
  give_different(node, has_axis, 1, 2,
                 [&](Builder& b, OutPort x) -> Node& { return b.node("Runs", {x}, attributes, 3); });
}

/// How many numbers of a sorted list, or of a row of several, are less than each element, or not more.
void search_sorted(Node& node, std::string_view list, bool not_more) {
  Builder b(node);
  const ElementType type = common_type(node, list, "self"), result = result_type(node);
  OutPort sorted = operand(node, b, list, type);
  const OutPort x = operand(node, b, "self", type);
  if (const OutPort order = input(node, "sorter"))
    sorted = b.op("GatherElements", {sorted, order}, {{"axis", rank_of(node, "sorter") - 1}});
  if (rank_of(node, list) == 1)
    return become(node, "Bucketize", {x, sorted}, {{"output_type", result}, {"with_right_bound", !not_more}});
  become(node, "PlacesInSorted", {sorted, x}, {{"dtype", result}, {"compare", not_more ? "LessEqual" : "Less"}});
}

/// [dimensions, places].
OutPort nonzero_places(Builder& b, OutPort x) { return b.op("NonZero", {x}, {{"output_type", ElementType::I64}}); }

}  // namespace

void extract_unique(Node& node) { unique_elements(node, false); }
void extract_unique_dim(Node& node) { unique_elements(node, true); }
void extract_unique_consecutive(Node& node) { equal_runs(node); }

void extract_searchsorted(Node& node) {
  const std::string side = node.get_string("side");
  if (!side.empty() && side != "left" && side != "right")
    throw Error(Code::BadAttribute, msg("side is '", printable(side), "'"));
  search_sorted(node, "sorted_sequence", node.get_bool("right") || side == "right");
}
void extract_bucketize(Node& node) { search_sorted(node, "boundaries", node.get_bool("right")); }

/// Whether each element is one of a list. A side may be a number.
void extract_isin(Node& node) {
  Builder b(node);
  const std::string_view elements = is_given(node, "elements") ? "elements" : "element",
                         among = is_given(node, "test_elements") ? "test_elements" : "test_element";
  const ElementType type = common_type(node, elements, among);
  const OutPort x = b.unsqueeze(operand(node, b, elements, type), {-1}),
                list = b.reshape(operand(node, b, among, type), {-1}, false);
  const OutPort found = b.reduce("ReduceLogicalOr", b.op("Equal", {x, list}), {-1}, false);
  give(node, {node.get_bool("invert") ? b.op("LogicalNot", {found}) : found});
}

void extract_bincount(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "self");
  const int64_t least = int_of(node, "minlength");
  if (!input(node, "weights")) return become(node, "BinCount", {x}, {{"minlength", least}});
  const OutPort weights = operand(node, b, "weights", result_type(node));
  become(node, "BinCountOfWeights", {x, weights}, {{"minlength", least}});
}

/// A list of places for each dimension; a scalar is a list.
void extract_nonzero_numpy(Node& node) {
  Builder b(node);
  const int count = node.out_count();
  const OutPort x = required(node, "self"),
                all = nonzero_places(b, rank_of(node, "self") ? x : b.reshape(x, {1}, false));
  if (count == 1) return give(node, {b.squeeze(all, {0})});
  become(node, "Unpack", {all}, {{"axis", int64_t{0}}}, count);
}

/// So many places, filled up with a number.
void extract_nonzero_static(Node& node) {
  const int64_t rank = rank_of(node, "self");
  if (rank == 0) throw Error(Code::UnsupportedForm, "places in a tensor without dimensions");
  Builder b(node);
  const OutPort found = b.transpose(nonzero_places(b, required(node, "self")), {1, 0}),
                size = b.reshape(int_scalar(node, b, "size"), {1}, false);
  const OutPort rest = b.op("Broadcast", {b.i64_scalar(int_of(node, "fill_value")), b.concat({size, b.i64({rank})}, 0)},
                            {{"mode", "numpy"}});
  const OutPort all = b.concat({found, rest}, 0), start = b.i64({0}), step = b.i64({1}), axes = b.i64({0});
  become(node, "Slice", {all, start, size, step, axes});
}

}  // namespace mo::pytorch
