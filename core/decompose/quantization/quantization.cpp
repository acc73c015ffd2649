#include "core/decompose/quantization/quantization.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/decompose/math/constants.h"

namespace mo {
namespace {

struct Limits {
  double least, most;
};
Limits limits_of(ElementType type) {
  if (is_integer(type) && bits(type) <= 16) {
    const double count = static_cast<double>(int64_t{1} << bits(type));
    return is_signed(type) ? Limits{-count / 2, count / 2 - 1} : Limits{0, count - 1};
  }
  switch (type) {
    case ElementType::F8E4M3: return {-448, 448};
    case ElementType::F8E5M2: return {-57344, 57344};
    case ElementType::F4E2M1: return {-6, 6};
    default: throw Error(Code::UnsupportedForm, msg("quantised to ", ir_name(type)));
  }
}

/// A Convert that is not folded, so that weights stay narrow.
OutPort lasting_convert(Builder& b, OutPort x, ElementType type) {
  if (x.tensor().type == type) return x;
  return b.op("Cast", {x}, {{"dst_type", type}, {"stop_value_propagation", true}});
}
/// 16-bit floating point cannot hold the range of many steps.
ElementType wide(ElementType type) {
  return type == ElementType::F16 || type == ElementType::BF16 ? ElementType::F32 : type;
}

OutPort to_float(Builder& b, OutPort x, ElementType type) {
  x = in_type_of_ir(b, x);
  return is_float(x.tensor().type) || bits(x.tensor().type) <= 16 ? lasting_convert(b, x, type) : b.convert(x, type);
}

/// The data and its parameters in shapes that broadcast, and what restores the data's shape.
struct Aligned {
  OutPort x, scale, zero_point;
  OutPort shape;       ///< of the original data, if it was divided into blocks
  Shape static_shape;  ///< the same, if it is known
};

/// One number for each index of `axis`, in the shape [1…, n, 1…].
OutPort along_axis(Builder& b, OutPort numbers, const PartialShape& data, int64_t axis) {
  if (!numbers) return numbers;
  const PartialShape& shape = numbers.tensor().shape;
  if (shape.rank() == 0) return numbers;
  if (shape.elements() == Interval(1)) return reshaped(b, numbers, {});
  if (shape.rank() != 1) return numbers;
  if (!data.has_rank()) throw Error(Code::UnsupportedForm, "quantisation along an axis of data of unknown rank");
  const size_t at = normalize_axis(axis, data.rank());
  if (!intersect(data[at], shape[0]))
    throw Error(Code::ShapeMismatch,
                msg(to_string(shape), " scales or zero points along axis ", axis, " of [", to_string(data), "]"));
  Shape full(static_cast<size_t>(data.rank()), 1);
  full[at] = shape[0].is_exact() ? shape[0].min : -1;
  return reshaped(b, numbers, full);
}

/// Each number repeated for the elements of its block.
OutPort repeated(Builder& b, OutPort numbers, OutPort x, size_t axis, int64_t block) {
  if (!numbers || numbers.tensor().shape.rank() == 0) return numbers;
  const auto at = static_cast<int64_t>(axis);
  const OutPort size = b.squeeze(b.dims_of(x, {at}), {0});
  const OutPort positions =
      b.op("Range", {b.i64_scalar(0), size, b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
  return b.gather(numbers, b.op("Div", {positions, b.i64_scalar(block)}), at);
}

/// x [A, B, C] and numbers [A, B/block, C] become [A, B/block, block, C] and [A, B/block, 1, C].
Aligned in_blocks(Builder& b, OutPort x, OutPort scale, OutPort zero_point, Granularity by) {
  const PartialShape& data = x.tensor().shape;
  if (!data.has_rank()) throw Error(Code::UnsupportedForm, "quantisation in blocks of data of unknown rank");
  const size_t axis = normalize_axis(by.axis, data.rank());
  if (!data.is_static() || data[axis].min % by.block != 0)
    return {x, repeated(b, scale, x, axis, by.block), repeated(b, zero_point, x, axis, by.block), {}, {}};
  const Shape whole = data.to_shape();
  Shape cut = whole, numbers = whole;
  const auto at = static_cast<std::ptrdiff_t>(axis) + 1;
  cut[axis] = numbers[axis] = whole[axis] / by.block;
  cut.insert(cut.begin() + at, by.block);
  numbers.insert(numbers.begin() + at, 1);
  const auto part = [&](OutPort p) { return p && p.tensor().shape.rank() != 0 ? reshaped(b, p, numbers) : p; };
  return {reshaped(b, x, cut), part(scale), part(zero_point), b.i64(whole), whole};
}

Aligned aligned(Builder& b, OutPort x, OutPort scale, OutPort zero_point, Granularity by) {
  if (by.block < 0) throw Error(Code::BadAttribute, msg("block_size is ", by.block));
  const bool blocks =
      by.block > 0 && scale.tensor().shape.rank() == x.tensor().shape.rank() && x.tensor().shape.rank() != 0;
  if (blocks) return in_blocks(b, x, scale, zero_point, by);
  const PartialShape& data = x.tensor().shape;
  return {x, along_axis(b, scale, data, by.axis), along_axis(b, zero_point, data, by.axis), {}, {}};
}

OutPort whole_again(Builder& b, OutPort y, const Aligned& parts) {
  return parts.shape ? b.op("Reshape", {y, parts.shape}, {{"special_zero", false}}) : y;
}

bool is_zero(Builder& b, OutPort zero_point) { return !zero_point || known_number(b, zero_point) == 0.0; }

/// The FakeQuantize before a Convert to integers if it gives exactly these integers; else empty.
OutPort fake_quantize_before(Builder& b, OutPort x) {
  const Node& convert = x.node();
  if (convert.op() != "Cast" || !is_integer(x.tensor().type) || bits(x.tensor().type) > 16) return {};
  const OutPort y = convert.source(0);
  if (!y || y.node().op() != "FakeQuantize" || !y.node().has_in(3) || !y.node().has_in(4)) return {};
  const Limits limits = limits_of(x.tensor().type);
  const bool plain =
      known_number(b, y.node().source(3)) == limits.least && known_number(b, y.node().source(4)) == limits.most;
  return plain ? y : OutPort();
}

/// Finds FakeQuantizes among many consumers of a tensor by what they get: a tensor may have as many as the model nodes.
class FakeQuantizes {
 public:
  /// The one that was first connected of those with these inputs and levels; null if there is none.
  static Node* find(Builder& b, const std::vector<OutPort>& inputs, int64_t levels) {
    if (inputs[0].reader_count() < kMany) {
      for (const InPort& port : inputs[0].destinations())
        if (port.index() == 0 && is_same(b, port.node(), inputs, levels)) return &port.node();
      return nullptr;
    }
    for (Node* node : of(b, inputs[0]).nodes_[key_of(b, inputs, levels)])
      if (is_same(b, *node, inputs, levels)) return node;
    return nullptr;
  }

  /// Has to be told of new ones.
  static void add(Builder& b, OutPort made) {
    Node& node = made.node();
    const OutPort x = node.source(0);
    if (auto known = x.node().memory<FakeQuantizes>(); known && known->seen_.count(x.index())) known->insert(b, node);
  }

 private:
  static constexpr size_t kMany = 64;

  /// Those of all outputs of the node.
  static FakeQuantizes& of(Builder& b, OutPort x) {
    auto known = x.node().memory<FakeQuantizes>();
    if (!known) x.node().remember(known = std::make_shared<FakeQuantizes>());
    if (known->seen_.insert(x.index()).second)
      for (const InPort& port : x.destinations())
        if (port.node().op() == "FakeQuantize" && port.index() == 0) known->insert(b, port.node());
    return *known;
  }

  void insert(Builder& b, Node& node) {
    std::vector<OutPort> inputs;
    for (int i = 0; i < 5; ++i) inputs.push_back(node.source(i));
    if (std::all_of(inputs.begin(), inputs.end(), [](const OutPort& input) { return bool(input); }))
      nodes_[key_of(b, inputs, node.get_int("levels"))].push_back(&node);
  }

  static bool is_same(Builder& b, Node& node, const std::vector<OutPort>& inputs, int64_t levels) {
    if (node.removed() || node.op() != "FakeQuantize" || node.get_int("levels") != levels) return false;
    bool all = node.source(0) == inputs[0];
    for (int i = 1; i < 5; ++i)
      all = all && node.has_in(i) && is_equal(b, inputs[static_cast<size_t>(i)], node.source(i));
    return all;
  }

  static std::optional<std::vector<std::byte>> bytes_of(Builder& b, const Constant& value) {
    return read_all(value, b.graph().files(), kComputeAtOnce);
  }

  static bool is_equal(Builder& b, OutPort x, OutPort y) {
    const auto &left = x.tensor().value, &right = y.tensor().value;
    if (x == y || !left || !right || left->type != right->type || left->shape != right->shape) return x == y;
    const auto bytes = bytes_of(b, *left);
    return bytes && bytes == bytes_of(b, *right);
  }

  /// Equal for inputs that are. What differs in values that are not known, or long, is left to is_equal.
  static uint64_t key_of(Builder& b, const std::vector<OutPort>& inputs, int64_t levels) {
    Hasher hasher;
    hasher.add(std::as_bytes(std::span(&levels, 1)));
    for (const OutPort& input : inputs) {
      const auto& value = input.tensor().value;
      const auto bytes = value && &input != &inputs[0] ? bytes_of(b, *value) : std::nullopt;
      if (bytes) hasher.add(*bytes);
    }
    return hasher.result().low;
  }

  std::set<int> seen_;                                      ///< outputs whose consumers are in the lists
  std::unordered_map<uint64_t, std::vector<Node*>> nodes_;  ///< by keys, in the order in which they were connected
};

/// y = FakeQuantize(inputs) {levels}. An existing node with the same data and ranges is reused, so that runtimes see
/// one consumer to fuse it with.
OutPort shared_fake_quantize(Builder& b, const std::vector<OutPort>& inputs, int64_t levels) {
  if (Node* known = FakeQuantizes::find(b, inputs, levels)) return known->out(0);
  const OutPort made = b.op("FakeQuantize", inputs, {{"levels", levels}});
  FakeQuantizes::add(b, made);
  return made;
}

/// Whether runtimes can run a FakeQuantize with these ranges. They cannot if there is one range for each index of axis
/// 2, unless all dimensions are known.
bool runtimes_fake_quantize(const Aligned& parts) {
  const PartialShape &data = parts.x.tensor().shape, &scale = parts.scale.tensor().shape;
  if (data.is_static() || !data.has_rank() || !scale.has_rank()) return true;
  const int axis = 2 - data.rank() + scale.rank();
  return axis < 0 || axis >= scale.rank() || scale[static_cast<size_t>(axis)] == Dimension(1);
}

/// The numbers of a small constant, one for each of `count` indices of an axis; nullopt when they are unknown or their
/// number does not fit.
std::optional<std::vector<double>> numbers_along(Builder& b, OutPort x, int64_t count) {
  const auto& value = x.tensor().value;
  constexpr uint64_t kMost = 1 << 16;
  auto numbers = value ? read_doubles(*value, b.graph().files(), kMost) : std::nullopt;
  if (!numbers || count > static_cast<int64_t>(kMost)) return std::nullopt;
  if (numbers->size() == 1) numbers->resize(static_cast<size_t>(count), (*numbers)[0]);
  return static_cast<int64_t>(numbers->size()) == count ? numbers : std::nullopt;
}

/// Constant f32 weights, quantised to bytes with constant parameters; nullopt in all other cases.
std::optional<Constant> quantised_weights(Builder& b, OutPort x, OutPort scale, OutPort zero_point, Granularity by,
                                          ElementType type) {
  const auto& value = x.tensor().value;
  if (!value || value->type != ElementType::F32 || value->shape.empty() || value->elements() == 0 || by.block != 0 ||
      !is_integer(type) || bits(type) != 8 || scale.tensor().type != ElementType::F32)
    return std::nullopt;
  const bool one = scale.tensor().shape.elements() == Interval(1);
  const size_t axis = one ? 0 : normalize_axis(by.axis, static_cast<int>(value->shape.size()));
  const auto steps = numbers_along(b, scale, value->shape[axis]);
  const auto zeros = zero_point ? numbers_along(b, zero_point, value->shape[axis]) : std::nullopt;
  if (!steps || (zero_point && !zeros)) return std::nullopt;
  // In f32, numbers near 1.5 * 2^23 are integers: the addition rounds to nearest even. Saturation handles larger ones.
  constexpr float kWhole = 12582912;
  std::vector<float> factors, back;
  for (const double step : *steps) factors.push_back(static_cast<float>(1 / step));
  for (size_t i = 0; i < factors.size(); ++i) back.push_back((zeros ? static_cast<float>((*zeros)[i]) : 0) - kWhole);
  const Constant whole = scale_shift(*value, axis, factors, std::vector<float>(factors.size(), kWhole));
  return convert(scale_shift(whole, axis, std::vector<float>(factors.size(), 1), back), type);
}

/// A bound of the quantised range as a real number: (bound - zero_point) * scale.
OutPort range_bound(Builder& b, double bound, OutPort scale, OutPort zero_point) {
  const OutPort steps = splat_like(b, scale, {}, bound);
  if (is_zero(b, zero_point)) return b.op("Mul", {scale, steps});
  return b.op("Mul", {scale, b.op("Sub", {steps, convert_like(b, zero_point, scale)})});
}

}  // namespace

OutPort in_type_of_ir(Builder& b, OutPort x) {
  const ElementType type = x.tensor().type;
  if (type == ElementType::Unknown || in_ir(type)) return x;
  if (const auto& value = x.tensor().value)
    return b.constant(convert(*value, is_integer(type) ? ElementType::I4 : ElementType::F16));
  if (is_integer(type) && x.node().op() == "Cast") return x.node().source(0);
  throw Error(Code::UnsupportedType, std::string(ir_name(type)));
}

OutPort dequantize(Builder& b, OutPort x, OutPort scale, OutPort zero_point, Granularity by, ElementType type) {
  if (type == ElementType::Unknown) type = scale.tensor().type;
  if (type == ElementType::Unknown || x.tensor().type == ElementType::Unknown)
    throw Error(Code::UnsupportedForm, "quantised data of unknown type");
  const bool known = scale.tensor().value && (!zero_point || zero_point.tensor().value);
  const OutPort fake = known && by.block == 0 ? fake_quantize_before(b, x) : OutPort();
  const ElementType step = fake ? fake.tensor().type : type;
  const Aligned parts = aligned(b, x, b.convert(scale, step), zero_point, by);
  if (fake && step == wide(type)) {
    // Both quantised and dequantised with constants: a single FakeQuantize of real numbers.
    const Node& from = fake.node();
    const Limits limits = limits_of(x.tensor().type);
    const OutPort least = range_bound(b, limits.least, parts.scale, parts.zero_point);
    const OutPort most = range_bound(b, limits.most, parts.scale, parts.zero_point);
    return b.convert(
        shared_fake_quantize(b, {from.source(0), from.source(1), from.source(2), least, most}, from.get_int("levels")),
        type);
  }
  OutPort y = to_float(b, parts.x, type);
  if (!is_zero(b, zero_point)) y = b.op("Sub", {y, to_float(b, parts.zero_point, type)});
  return whole_again(b, b.op("Mul", {y, b.convert(parts.scale, type)}), parts);
}

OutPort quantize(Builder& b, OutPort x, OutPort scale, OutPort zero_point, Granularity by, ElementType type,
                 ElementType precision, bool saturate) {
  if (precision == ElementType::Unknown) precision = wide(scale.tensor().type);
  if (precision == ElementType::Unknown) throw Error(Code::UnsupportedForm, "a scale of unknown type");
  const Limits limits = limits_of(type);
  if (const auto weights = quantised_weights(b, x, scale, zero_point, by, type)) return b.constant(*weights);
  const OutPort real = b.convert(x, precision);
  const Aligned parts = aligned(b, real, b.convert(scale, precision), zero_point, by);
  OutPort y;
  if (is_integer(type) && runtimes_fake_quantize(parts)) {
    const OutPort least = splat_like(b, parts.x, {}, limits.least), most = splat_like(b, parts.x, {}, limits.most);
    const OutPort low = range_bound(b, limits.least, parts.scale, parts.zero_point);
    const OutPort high = range_bound(b, limits.most, parts.scale, parts.zero_point);
    // Runtimes leave a FakeQuantize of 16 bits out, with its limits.
    const OutPort limited = bits(type) == 16 ? b.op("Minimum", {b.op("Maximum", {parts.x, low}), high}) : parts.x;
    y = b.op("FakeQuantize", {limited, low, high, least, most},
             {{"levels", static_cast<int64_t>(limits.most - limits.least) + 1}});
    FakeQuantizes::add(b, y);
  } else {
    y = b.op("Div", {parts.x, parts.scale});
    if (is_integer(type)) y = b.op("Round", {y}, {{"mode", "half_to_even"}});
    if (!is_zero(b, zero_point)) y = b.op("Add", {y, b.convert(parts.zero_point, precision)});
    if (saturate || is_integer(type)) y = b.op("AttributedClamp", {y}, {{"min", limits.least}, {"max", limits.most}});
  }
  return whole_again(b, b.convert(y, type), parts);
}

OutPort real_input(Builder& b, const Node& node, int x, int scale, int zero_point, int64_t axis) {
  require_input(node, x);
  require_input(node, scale);
  return dequantize(b, node.source(x), node.source(scale), node.source(zero_point), {.axis = axis}, {});
}

OutPort quantized_like_input(Builder& b, const Node& node, OutPort y, int scale, int like) {
  require_input(node, scale);
  const OutPort zero_point = node.source(scale + 1);
  const ElementType type = (zero_point ? zero_point : node.source(like)).tensor().type;
  return quantize(b, y, node.source(scale), zero_point, {}, type, {});
}

OutPort without_zero_point(Builder& b, OutPort x, OutPort zero_point, int64_t axis) {
  const OutPort wide = to_float(b, x, ElementType::F32);
  if (is_zero(b, zero_point)) return wide;
  return b.op("Sub", {wide, to_float(b, along_axis(b, zero_point, x.tensor().shape, axis), ElementType::F32)});
}

}  // namespace mo
