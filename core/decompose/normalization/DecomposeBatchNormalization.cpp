// Before: y = batchNormInference(x, gamma, beta, mean, variance) {epsilon}
// After:  y = x * scale + shift;  scale = gamma / sqrt(variance + epsilon), shift = beta - mean * scale
// Before: y, running_mean, running_variance = batchNormInference(…) {training_mode: 1, momentum, unbiased_variance}
// After:  the same with the batch's own mean and variance; running = old * momentum + batch * (1 - momentum), where an
//         unbiased variance of the batch has a divisor that is less by 1; y alone is MVN(x) * gamma + beta
// Conditions: the rank of x is known. Otherwise the form without training becomes BatchNormInference.

#include <cmath>

#include "core/decompose/math/constants.h"
#include "core/decompose/spatial/convolution.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

constexpr uint64_t kMaxChannels = 1 << 16;

class DecomposeBatchNormalization final : public Decomposition {
 public:
  Names ops() const override { return {"batchNormInference"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const PartialShape& shape = node.source(0).tensor().shape;
    if (shape.has_rank() && shape.rank() < 2)
      throw Error(Code::RankMismatch, msg("the input is [", to_string(shape), "]"));
    if (node.get_bool("training_mode")) return training(b, node);
    if (!shape.has_rank()) return outputs(node, {without_rank(b, node)});
    const SpatialDims dims = spatial_dims(node, shape.dimensions().size());
    if (const auto known = from_constants(b, node, dims)) return outputs(node, {scaled(b, node.source(0), *known)});
    return outputs(node, {scaled(b, node.source(0), from_graph(b, node, dims, node.source(3), node.source(4)))});
  }

 private:
  struct ScaleShift {
    OutPort scale, shift;
  };

  static std::vector<OutPort> outputs(const Node& node, std::vector<OutPort> ports) {
    ports.resize(static_cast<size_t>(node.out_count()));
    return ports;
  }

  static OutPort scaled(Builder& b, OutPort x, const ScaleShift& by) {
    return b.op("Add", {b.op("Mul", {x, by.scale}), by.shift});
  }

  static OutPort without_rank(Builder& b, const Node& node) {
    Attributes attributes{{"epsilon", node.get_float("epsilon")}};
    copy_spatial_dims(node, attributes);
    return b.op("BatchNormInference", {node.source(0), node.source(1), node.source(2), node.source(3), node.source(4)},
                attributes);
  }

  /// nullopt unless all four are constants of the same small length.
  static std::optional<ScaleShift> from_constants(Builder& b, const Node& node, const SpatialDims& dims) {
    std::vector<double> parts[4];
    for (int i = 0; i < 4; ++i) {
      const auto& value = node.source(i + 1).tensor().value;
      if (!value || value->shape.size() != 1) return std::nullopt;
      const auto numbers = read_doubles(*value, b.graph().files(), kMaxChannels);
      if (!numbers || (i > 0 && numbers->size() != parts[0].size())) return std::nullopt;
      parts[i] = *numbers;
    }
    const double epsilon = node.get_float("epsilon");
    std::vector<float> scale, shift;
    for (size_t c = 0; c < parts[0].size(); ++c) {
      const double factor = parts[0][c] / std::sqrt(parts[3][c] + epsilon);
      scale.push_back(static_cast<float>(factor));
      shift.push_back(static_cast<float>(parts[1][c] - parts[2][c] * factor));
    }
    const ElementType type = node.source(0).tensor().type;
    Shape shape(dims.rank(), 1);
    shape[dims.channel] = static_cast<int64_t>(scale.size());
    const auto constant = [&](const std::vector<float>& values) {
      const Constant c = make_f32(shape, values);
      return b.constant(type == ElementType::F32 || type == ElementType::Unknown ? c : convert(c, type));
    };
    return ScaleShift{constant(scale), constant(shift)};
  }

  /// Up to operator set 8, spatial=0 meant one number for each element of a sample; these broadcast without a new
  /// shape.
  static OutPort part(Builder& b, OutPort x, const SpatialDims& dims, ElementType type) {
    const int rank = x.tensor().shape.rank();
    const OutPort same_type = type == ElementType::Unknown ? x : b.convert(x, type);
    return rank > 1 && static_cast<size_t>(rank) + 1 == dims.rank() ? same_type : per_channel(b, same_type, dims);
  }

  static ScaleShift from_graph(Builder& b, const Node& node, const SpatialDims& dims, OutPort mean, OutPort variance) {
    const ElementType type = node.source(0).tensor().type;
    const OutPort wide = part(b, variance, dims, type);
    const OutPort deviation = b.op("Sqrt", {b.op("Add", {wide, b.scalar_like(wide, node.get_float("epsilon"))})});
    const OutPort scale = b.op("Div", {part(b, node.source(1), dims, type), deviation});
    const OutPort shift =
        b.op("Sub", {part(b, node.source(2), dims, type), b.op("Mul", {part(b, mean, dims, type), scale})});
    return {scale, shift};
  }

  static std::vector<OutPort> training(Builder& b, Node& node) {
    const OutPort x = node.source(0);
    const PartialShape& shape = x.tensor().shape;
    if (!shape.has_rank()) throw Error(Code::UnsupportedForm, "training of an input of unknown rank");
    const SpatialDims dims = spatial_dims(node, shape.dimensions().size());
    Ints but_channels;
    for (size_t i = 0; i < dims.rank(); ++i)
      if (i != dims.channel) but_channels.push_back(static_cast<int64_t>(i));
    if (reads_only_first(node)) return outputs(node, {normalised(b, node, dims, but_channels)});
    const OutPort mean_kept = b.reduce("ReduceMean", x, but_channels, true);
    const OutPort distance = b.op("Sub", {x, mean_kept});
    const OutPort mean = b.squeeze(mean_kept, but_channels);
    const OutPort variance = b.reduce("ReduceMean", b.op("Mul", {distance, distance}), but_channels, false);
    std::vector<OutPort> ports{scaled(b, x, from_graph(b, node, dims, mean, variance))};
    for (const int i : {1, 2}) {
      const bool is_read = i < node.out_count() && !node.out(i).disconnected();
      const OutPort batch = i == 1                               ? mean
                            : node.get_bool("unbiased_variance") ? unbiased(b, variance, x, but_channels)
                                                                 : variance;
      ports.push_back(is_read ? running(b, node, node.source(2 + i), batch) : OutPort());
    }
    if (node.out_count() > 3) ports.insert(ports.end(), {mean, variance});
    return outputs(node, ports);
  }

  static bool reads_only_first(Node& node) {
    for (int i = 1; i < node.out_count(); ++i)
      if (!node.out(i).disconnected()) return false;
    return true;
  }

  static OutPort normalised(Builder& b, const Node& node, const SpatialDims& dims, const Ints& axes) {
    const OutPort x = node.source(0);
    const ElementType type = x.tensor().type;
    const OutPort unit =
        b.op("MVN", {x, b.i64(axes)},
             {{"eps", node.get_float("epsilon")}, {"normalize_variance", true}, {"eps_mode", "inside_sqrt"}});
    const OutPort factor = part(b, node.source(1), dims, type);
    const OutPort summand = part(b, node.source(2), dims, type);
    return scaled(b, unit, {factor, summand});
  }

  static OutPort unbiased(Builder& b, OutPort variance, OutPort x, const Ints& axes) {
    const OutPort one = b.i64_scalar(1), count = b.reduce("ReduceProd", b.dims_of(x, axes), {0}, false);
    const OutPort others = b.op("Maximum", {b.op("Sub", {count, one}), one});
    const OutPort factor = b.op("Div", {convert_like(b, count, variance), convert_like(b, others, variance)});
    return b.op("Mul", {variance, factor});
  }

  static OutPort running(Builder& b, const Node& node, OutPort old, OutPort batch) {
    const double momentum = node.get_float("momentum", 0.9);
    if (momentum == 0) return batch;
    const OutPort now = old.tensor().type == ElementType::Unknown ? b.op("ConvertLike", {batch, old})
                                                                  : b.convert(batch, old.tensor().type);
    return b.op("Add", {b.op("Mul", {old, b.scalar_like(old, momentum)}),
                        b.op("Mul", {now, b.scalar_like(now, 1 - momentum)})});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeBatchNormalization)
}  // namespace mo
