// Operations of ai.onnx.ml that prepare features
// Before → after:
// ArrayFeatureExtractor(x, places)            → Gather along the last axis; a 1-D x gives one row
// Binarizer(x) {threshold}                    → Convert(x > threshold)
// Scaler(x) {offset, scale}                   → (x - offset) * scale as f32
// Normalizer(x) {norm}                        → x / ReduceMax(x), ReduceL1(x), ReduceL2(x); x where that is 0
// Imputer(x) {imputed_value_…, replaced_value_…} → Select(x is the replaced value, the imputed one, x)
// FeatureVectorizer(x0, x1…) {inputdimensions} → Concat of rows of f32, each padded with 0 or cut to its width
// OneHotEncoder(x) {cats_int64s}              → Convert(x = each category) as f32
// Conditions: categories are numbers.

#include <cmath>

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeFeatures final : public Decomposition {
 public:
  Names ops() const override {
    return {"ArrayFeatureExtractor", "Binarizer",    "Scaler", "Normalizer", "Imputer",
            "FeatureVectorizer",     "OneHotEncoder"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string& op = node.op();
    require_input(node, 0);
    const OutPort x = node.source(0);
    if (op == "ArrayFeatureExtractor") return {extracted(b, node)};
    if (op == "Binarizer") {
      const OutPort real = is_float(x.tensor().type) ? x : b.convert(x, ElementType::F32);
      const OutPort above = b.op("Greater", {real, splat_like(b, real, {}, node.get_float("threshold"))});
      return {convert_like(b, above, x)};
    }
    if (op == "Scaler") return {scaled(b, node)};
    if (op == "Normalizer") return {normalized(b, node)};
    if (op == "Imputer") return {imputed(b, node)};
    if (op == "FeatureVectorizer") return {joined(b, node)};
    return {one_hot(b, node)};
  }

 private:
  static OutPort wide(Builder& b, OutPort x) {
    return x.tensor().type == ElementType::F64 ? x : b.convert(x, ElementType::F32);
  }

  static OutPort extracted(Builder& b, const Node& node) {
    require_input(node, 1);
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank < 1) throw Error(Code::UnsupportedForm, "features of a scalar or of unknown rank");
    const OutPort y = b.gather(x, b.reshape(node.source(1), {-1}, false), rank - 1);
    return rank == 1 ? b.unsqueeze(y, {0}) : y;
  }

  /// One number for all features, or one per feature.
  static OutPort by_feature(Builder& b, const Node& node, std::string_view name, OutPort x, double otherwise) {
    Doubles values = node.get_floats(name);
    if (values.empty()) values = {otherwise};
    const PartialShape& shape = x.tensor().shape;
    const auto count = static_cast<int64_t>(values.size());
    if (count > 1 && shape.has_rank() &&
        (shape.rank() == 0 || !intersect(shape[static_cast<size_t>(shape.rank() - 1)], count)))
      throw Error(Code::ShapeMismatch, msg(count, " numbers of ", name, " for features [", to_string(shape), "]"));
    return precise_constant(b, x.tensor().type, count == 1 ? Shape{} : Shape{count}, values);
  }

  static OutPort scaled(Builder& b, const Node& node) {
    const OutPort x = wide(b, node.source(0));
    // Not fused to one factor and one summand: a large offset would lose digits.
    const Attributes apart{{"can_be_fused", false}};
    const OutPort moved = b.op("Sub", {x, by_feature(b, node, "offset", x, 0)}, apart);
    return b.convert(b.op("Mul", {moved, by_feature(b, node, "scale", x, 1)}, apart), ElementType::F32);
  }

  static OutPort normalized(Builder& b, const Node& node) {
    const OutPort x = wide(b, node.source(0));
    const std::string norm = node.get_string("norm");
    const char* reduction = norm == "MAX" ? "ReduceMax" : norm == "L1" ? "ReduceL1" : "ReduceL2";
    if (norm != "MAX" && norm != "L1" && norm != "L2") throw Error(Code::BadAttribute, msg("norm is '", norm, "'"));
    const int rank = x.tensor().shape.rank();
    if (rank == 0) throw Error(Code::RankMismatch, "a norm of a scalar");
    const OutPort size = b.reduce(reduction, x, {rank == 1 ? 0 : 1}, true);
    const OutPort none = b.op("Equal", {size, splat_like(b, size, {}, 0)});
    const OutPort divisor = b.op("Select", {none, splat_like(b, size, {}, 1), size});
    return b.convert(b.op("Div", {x, divisor}), ElementType::F32);
  }

  static OutPort imputed(Builder& b, const Node& node) {
    const OutPort x = node.source(0);
    const Ints integers = node.get_ints("imputed_value_int64s");
    if (is_integer(x.tensor().type)) {
      const PartialShape& shape = x.tensor().shape;
      const auto count = static_cast<int64_t>(integers.size());
      if (count != 1 &&
          (!shape.has_rank() || shape.rank() == 0 || shape[static_cast<size_t>(shape.rank() - 1)] != Dimension(count)))
        throw Error(Code::ShapeMismatch, msg(count, " imputed values for features [", to_string(shape), "]"));
      const OutPort is =
          b.op("Equal", {x, b.scalar_like(x, static_cast<double>(node.get_int("replaced_value_int64")))});
      return b.op("Select", {is, b.convert(b.i64(integers), x.tensor().type), x});
    }
    if (!node.has("imputed_value_floats")) throw Error(Code::MissingAttribute, "imputed_value_floats");
    const double replaced = node.get_float("replaced_value_float");
    const OutPort is = std::isnan(replaced) ? b.op("IsNaN", {x}) : b.op("Equal", {x, splat_like(b, x, {}, replaced)});
    return b.op("Select", {is, by_feature(b, node, "imputed_value_floats", x, 0), x});
  }

  static OutPort joined(Builder& b, const Node& node) {
    const Ints widths = node.get_ints("inputdimensions");
    if (static_cast<int>(widths.size()) != node.in_count())
      throw Error(Code::BadAttribute, msg(widths.size(), " inputdimensions for ", node.in_count(), " inputs"));
    std::vector<OutPort> parts;
    for (int i = 0; i < node.in_count(); ++i) {
      require_input(node, i);
      const int64_t width = widths[static_cast<size_t>(i)];
      if (width < 1 || width > (1 << 24)) throw Error(Code::BadAttribute, msg("inputdimensions has ", width));
      OutPort x = b.convert(node.source(i), ElementType::F32);
      const int rank = x.tensor().shape.rank();
      if (rank != 2) x = b.reshape(x, {rank == 1 ? 1 : 0, -1}, true);
      if (x.tensor().shape.rank() != 2 || x.tensor().shape[1] != Dimension(width)) {
        const OutPort padded =
            b.op("Pad", {x, b.i64({0, 0}), b.i64({0, width}), b.f32_scalar(0)}, {{"mode", "constant"}});
        x = b.op("Slice", {padded, b.i64({0}), b.i64({width}), b.i64({1}), b.i64({1})});
      }
      parts.push_back(x);
    }
    return b.concat(parts, 1);
  }

  static OutPort one_hot(Builder& b, const Node& node) {
    const Ints categories = node.get_ints("cats_int64s");
    if (!node.get_strings("cats_strings").empty() || node.source(0).tensor().type == ElementType::String)
      throw Error(Code::UnsupportedForm, "categories that are texts: the runtime computes no texts");
    if (categories.empty()) throw Error(Code::MissingAttribute, "cats_int64s");
    const OutPort x = b.unsqueeze(b.convert(node.source(0), ElementType::I64), {-1});
    return b.convert(b.op("Equal", {x, b.i64(categories)}), ElementType::F32);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFeatures)
}  // namespace mo
