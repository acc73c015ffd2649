// Before: y = LabelEncoder(x) {keys_…, values_…, default_…}
// After:  place = Bucketize(x, the sorted keys) {with_right_bound}
//         y = Select(keys[place] = x, values[place], default); a NaN key is compared by IsNaN, or dropped unless
//         finds_nan
//         The first of equal keys counts.
// Conditions: keys and values are numbers.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// One side of the mapping: the numbers of an attribute.
struct LabelSide {
  Doubles real;
  Ints whole;
  ElementType type = ElementType::Unknown;
  size_t size() const { return is_float(type) ? real.size() : whole.size(); }
};

class DecomposeLabelEncoder final : public Decomposition {
 public:
  Names ops() const override { return {"LabelEncoder"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    if (!node.get_strings("classes_strings").empty() || node.source(0).tensor().type == ElementType::String)
      refuse_texts();
    const LabelSide keys = side(node, "keys_"), values = side(node, "values_");
    if (keys.size() == 0 || keys.size() != values.size())
      throw Error(Code::BadAttribute, msg(keys.size(), " keys and ", values.size(), " values"));
    std::vector<size_t> order(keys.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const auto nan = [&](size_t i) { return is_float(keys.type) && std::isnan(keys.real[i]); };
    const auto end = std::stable_partition(order.begin(), order.end(), [&](size_t i) { return !nan(i); });
    std::stable_sort(order.begin(), end, [&](size_t l, size_t r) {
      return is_float(keys.type) ? keys.real[l] < keys.real[r] : keys.whole[l] < keys.whole[r];
    });
    const auto last = std::unique(order.begin(), end, [&](size_t l, size_t r) {
      return is_float(keys.type) ? keys.real[l] == keys.real[r] : keys.whole[l] == keys.whole[r];
    });
    const std::vector<size_t> numbers(order.begin(), last), not_numbers(end, order.end());

    const OutPort x = b.convert(node.source(0), keys.type);
    OutPort y = otherwise(b, node, values.type);
    if (!numbers.empty()) {
      const OutPort sorted = part(b, keys, numbers);
      const OutPort behind =
          b.op("Bucketize", {x, sorted}, {{"output_type", ElementType::I64}, {"with_right_bound", true}});
      const OutPort place = b.op("Minimum", {behind, b.i64_scalar(static_cast<int64_t>(numbers.size()) - 1)});
      const OutPort found = b.op("Equal", {b.gather(sorted, place, 0), x});
      y = b.op("Select", {found, b.gather(part(b, values, numbers), place, 0), y});
    }
    const bool finds = node.get_bool("finds_nan");
    if (finds ? !not_numbers.empty() : numbers.empty()) {  // without numbers, Select gives the default x's shape
      const OutPort named = finds ? b.reshape(part(b, values, {not_numbers[0]}), {}, false) : y;
      y = b.op("Select", {b.op("IsNaN", {x}), named, y});
    }
    return {y};
  }

 private:
  [[noreturn]] static void refuse_texts() {
    throw Error(Code::UnsupportedForm, "labels that are texts: the runtime computes no texts");
  }

  static LabelSide side(const Node& node, const std::string& prefix) {
    if (node.has(prefix + "strings")) refuse_texts();
    if (node.has(prefix + "int64s")) return {{}, node.get_ints(prefix + "int64s"), ElementType::I64};
    if (node.has(prefix + "floats")) return {node.get_floats(prefix + "floats"), {}, ElementType::F32};
    const Constant* tensor = node.get_constant(prefix + "tensor");
    if (!tensor) throw Error(Code::MissingAttribute, msg(prefix, "int64s, ", prefix, "floats or ", prefix, "tensor"));
    if (tensor->type == ElementType::String) refuse_texts();
    constexpr uint64_t kMost = 1 << 20;
    LabelSide out{{}, {}, tensor->type};
    const auto real = is_float(out.type) ? read_doubles(*tensor, node.graph().files(), kMost) : std::nullopt;
    const auto whole = is_float(out.type) ? std::nullopt : read_ints(*tensor, node.graph().files(), kMost);
    if (!real && !whole) throw Error(Code::UnsupportedForm, msg(tensor->elements(), " labels"));
    if (real) out.real = *real;
    if (whole) out.whole = *whole;
    return out;
  }

  static OutPort part(Builder& b, const LabelSide& side, const std::vector<size_t>& order) {
    const auto count = static_cast<int64_t>(order.size());
    Doubles real;
    Ints whole;
    for (const size_t i : order) {
      if (is_float(side.type))
        real.push_back(side.real[i]);
      else
        whole.push_back(side.whole[i]);
    }
    return is_float(side.type) ? precise_constant(b, side.type, {count}, real)
                               : b.constant(convert(make_i64(whole), side.type));
  }

  static OutPort otherwise(Builder& b, const Node& node, ElementType type) {
    if (const Constant* tensor = node.get_constant("default_tensor")) {
      if (tensor->elements() != 1 || tensor->type != type)
        throw Error(Code::BadAttribute, "default_tensor is not one number of the values' type");
      return b.constant(reshape(*tensor, {}));
    }
    if (is_float(type)) return precise_constant(b, type, {}, {node.get_float("default_float", -0.0)});
    return b.constant(convert(make_i64_scalar(node.get_int("default_int64")), type));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLabelEncoder)
}  // namespace mo
