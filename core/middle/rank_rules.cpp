#include "core/middle/rank_rules.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/body.h"
#include "core/ops/filter_order.h"
#include "core/ops/spatial.h"

namespace mo {
namespace {

using Rule = PartialShape (*)(const Demand&);

PartialShape of_rank(int64_t rank) {
  return rank < 0 ? PartialShape() : PartialShape::of_rank(static_cast<size_t>(rank));
}

/// What is demanded of output 0.
const PartialShape& output(const Demand& d) {
  static const PartialShape nothing;
  return d.outputs.empty() ? nothing : d.outputs[0];
}

std::optional<Ints> numbers(OutPort port) {
  port = behind_identities(port);
  const Constant* value = port && port.node().op() == "Const" ? port.node().get_constant("value") : nullptr;
  return value ? read_ints(*value, port.node().graph().files(), 64) : std::nullopt;
}

/// How many numbers an input has, whatever they are; -1 if that is not known.
int64_t count(OutPort port) {
  const PartialShape shape = constant_shape(port);
  return shape.rank() > 0 && shape[0].is_exact() ? shape[0].min : -1;
}

/// The tensor from which `port` is computed by operations that keep the shape.
OutPort origin(OutPort port);

std::optional<Ints> axes_of(const Demand& d) {
  if (d.node.has("axes")) return d.node.get_ints("axes");
  return numbers(d.node.source(1));
}

template <int kRank>
PartialShape rank_of(const Demand&) {
  return of_rank(kRank);
}

template <int kInput>
PartialShape like_list(const Demand& d) {
  return of_rank(count(d.node.source(kInput)));
}

PartialShape same(const Demand& d) { return output(d); }

/// Among tensors that are broadcast, one has the rank of the result. It is this one if the others are constants, or
/// have its shape. Another computed tensor may have it just as well.
PartialShape broadcast(const Demand& d) {
  const PartialShape& all = output(d);
  if (!all.has_rank()) return {};
  for (int i = 0; i < d.node.in_count(); ++i)
    if (i != d.input && !constant_shape(d.node.source(i)).has_rank() &&
        !(origin(d.node.source(i)) == origin(d.node.source(d.input))))
      return {};
  PartialShape out = of_rank(all.rank());
  for (size_t axis = 0; axis < out.dimensions().size(); ++axis) {
    bool decides = true;
    for (int i = 0; i < d.node.in_count(); ++i) {
      if (i == d.input) continue;
      const PartialShape other = constant_shape(d.node.source(i));
      const int64_t at = static_cast<int64_t>(axis) - (all.rank() - other.rank());
      decides &= other.has_rank() && (at < 0 || other[static_cast<size_t>(at)] == Dimension(1));
    }
    if (decides) out[axis] = all[axis];
  }
  return out;
}

/// The rank of the data of a spatial operation; -1 if the node does not say it.
int64_t spatial_rank(const Node& node) {
  for (const char* key : {"spatial_dims", "kernel_shape", "kernel", "strides"})
    if (const auto size = static_cast<int64_t>(node.get_ints(key).size()); size > 0) return size + 2;
  return -1;
}

PartialShape with_channels(const Node& node, int64_t rank, Dimension channels) {
  PartialShape out = of_rank(rank);
  if (rank > 1 && channels.is_exact()) out[spatial_dims(node, static_cast<size_t>(rank)).channel] = channels;
  return out;
}

PartialShape spatial(const Demand& d) {
  const int64_t rank = d.node.has("spatial_dims") ? spatial_rank(d.node) : -1;
  return of_rank(rank < 0 ? output(d).rank() : rank);
}

bool channels_are_last(const Node& node) { return node.op().starts_with("Nhwc") || node.get_bool("channels_last"); }

PartialShape convolution(const Demand& d) {
  const Node& node = d.node;
  const PartialShape weights = constant_shape(node.source(node.op().ends_with("QLinearConv") ? 3 : 1));
  const int64_t rank = weights.has_rank() ? weights.rank() : spatial_rank(node);
  if (!weights.has_rank() || weights.rank() < 3 || channels_are_last(node)) return of_rank(rank);
  const bool transposed = node.op() == "Deconvolution";
  const auto order = FilterOrder::of(node, weights.rank());
  const size_t axis = order ? order->inputs() : transposed ? 0 : 1;
  const int64_t groups = order || transposed ? 1 : node.get_int("group", 1);
  return with_channels(node, rank, weights[axis] * Interval(groups));
}

PartialShape pooling(const Demand& d) {
  const PartialShape& out = output(d);
  const int64_t rank = d.node.get_bool("global_pool") && !d.node.has("spatial_dims") ? -1 : spatial_rank(d.node);
  if (out.rank() < 3 || channels_are_last(d.node)) return of_rank(rank);
  return with_channels(d.node, out.rank(), out[spatial_dims(d.node, static_cast<size_t>(out.rank())).channel]);
}

PartialShape batch_norm(const Demand& d) {
  const PartialShape gamma = constant_shape(d.node.source(1));
  const PartialShape rank = spatial(d);
  return with_channels(d.node, rank.rank(), gamma.rank() == 1 ? gamma[0] : kAnyDimension);
}

PartialShape resize(const Demand& d) {
  if (d.node.has("axes")) return {};
  int64_t rank = static_cast<int64_t>(d.node.get_floats("scales").size());
  for (int i = d.node.op() == "ONNXResize11" ? 2 : 1; i < d.node.in_count() && rank <= 0; ++i)
    rank = count(d.node.source(i));
  return of_rank(rank > 0 ? rank : output(d).rank());
}

/// Whether the node makes rows of all that samples have, for a fully connected layer.
bool makes_rows(const Node& node) {
  return node.op() == "ReshapedAxes" && node.get_ints("shape") == Ints{-1} && node.get_int("begin") == 1 &&
         node.get_int("end") == -1;
}

/// Data that goes through no other layer before has rows already, as far as anybody can know.
PartialShape rows_of_layer(const Demand& d) {
  if (!makes_rows(d.node)) return {};
  return output(d).rank() == 2 ? output(d) : of_rank(2);
}

/// A factor of the product of matrices. `b` transposed: [n, k].
PartialShape matmul(const Demand& d) {
  if (d.input > 1) return {};
  const PartialShape other = constant_shape(d.node.source(1 - d.input));
  int64_t rank = d.node.get_int("rank", -1);
  if (rank < 0 && output(d).rank() > std::max(other.rank(), 1)) rank = output(d).rank();
  if (rank < 0 && other.has_rank() && output(d).rank() == 2 && other.rank() == 2) rank = 2;
  if (const OutPort own = d.node.source(d.input); rank < 0 && own && makes_rows(own.node())) rank = 2;
  PartialShape out = of_rank(rank);
  if (rank < 2 || other.rank() < 2) return out;
  const bool own = d.node.get_bool(d.input == 0 ? "transpose_a" : "transpose_b"),
             others = d.node.get_bool(d.input == 0 ? "transpose_b" : "transpose_a");
  const auto last = [](const PartialShape& shape, bool first) {
    return static_cast<size_t>(shape.rank() - (first ? 2 : 1));
  };
  // The summed dimension: the last one of a, the last but one of b.
  out[last(out, own == (d.input == 0))] = other[last(other, others == (d.input == 1))];
  return out;
}

PartialShape gemm(const Demand& d) {
  PartialShape out = of_rank(2);
  const PartialShape b = constant_shape(d.node.source(1));
  if (b.rank() == 2) out[d.node.get_bool("transA") ? 0 : 1] = b[d.node.get_bool("transB") ? 1 : 0];
  return out;
}

PartialShape recurrent(const Demand& d) {
  PartialShape out = of_rank(3);
  const PartialShape weights = constant_shape(d.node.source(1));
  if (d.node.op().size() <= 4 && weights.rank() == 3) out[2] = weights[2];
  return out;
}

/// [steps, batch, inputs]. One vector has all weights: of the first layer the other sizes are known.
PartialShape fused_rnn(const Demand& d) {
  PartialShape out = of_rank(3);
  const std::string mode = d.node.get_string("mode");
  const int64_t all = count(d.node.source(1)), size = d.node.get_int("hidden_size"), layers = d.node.get_int("layers");
  const int64_t ways = d.node.get_bool("both") ? 2 : 1;
  const int64_t gates = (mode == "lstm" ? 4 : mode == "gru" ? 3 : 1) * size * ways;
  if (all <= 0 || gates <= 0 || gates > INT32_MAX || layers <= 0 || layers > INT16_MAX) return out;
  const int64_t inputs = (all - (layers - 1) * gates * ((ways + 1) * size + 2)) / gates - size - 2;
  if (inputs > 0) out[2] = inputs;
  return out;
}

PartialShape transpose(const Demand& d) {
  const auto order = d.node.has("perm") ? d.node.get_ints("perm") : numbers(d.node.source(1));
  const PartialShape& result = output(d);
  if (!order || order->empty()) return of_rank(result.rank());
  PartialShape out = of_rank(static_cast<int64_t>(order->size()));
  if (result.rank() != out.rank()) return out;
  for (size_t i = 0; i < order->size(); ++i) out[normalize_axis((*order)[i], out.rank())] = result[i];
  return out;
}

PartialShape reduce(const Demand& d) {
  const auto axes = axes_of(d);
  const int rank = output(d).rank();
  if (rank < 0 || d.node.get_bool("keep_dims")) return of_rank(rank);
  return axes ? of_rank(rank + static_cast<int64_t>(axes->size())) : PartialShape();
}

PartialShape squeeze(const Demand& d) {
  const auto axes = axes_of(d);
  if (!axes || axes->empty() || !output(d).has_rank()) return {};
  return of_rank(output(d).rank() + static_cast<int64_t>(axes->size()));
}

PartialShape unsqueeze(const Demand& d) {
  const auto axes = axes_of(d);
  return axes ? of_rank(output(d).rank() - static_cast<int64_t>(axes->size())) : PartialShape();
}

PartialShape onnx_pad(const Demand& d) {
  const auto pads = static_cast<int64_t>(d.node.get_ints("pads").size());
  if (pads > 0) return of_rank(pads / 2);
  const int64_t given = d.node.has_in(3) ? -1 : count(d.node.source(1));
  return of_rank(given < 0 ? output(d).rank() : given / 2);
}

/// Parts and the whole have one rank.
PartialShape parts(const Demand& d) {
  const auto known =
      std::find_if(d.outputs.begin(), d.outputs.end(), [](const PartialShape& shape) { return shape.has_rank(); });
  const int rank = known == d.outputs.end() ? -1 : known->rank();
  const bool is_data =
      d.input == 0 || d.node.op() == "Concat" || (d.node.op() == "ConcatV2" && d.input + 1 < d.node.in_count());
  return is_data ? of_rank(rank) : PartialShape();
}

PartialShape pack(const Demand& d) { return of_rank(output(d).rank() - 1); }

PartialShape gathered(const Demand& d) {
  const PartialShape indices = constant_shape(d.node.source(1));
  if (!output(d).has_rank() || !indices.has_rank() || d.node.get_int("batch_dims") != 0) return {};
  return of_rank(output(d).rank() - indices.rank() + 1);
}

PartialShape indices(const Demand& d) {
  const PartialShape table = constant_shape(d.node.source(0));
  if (!output(d).has_rank() || !table.has_rank() || d.node.get_int("batch_dims") != 0) return {};
  return of_rank(output(d).rank() - table.rank() + 1);
}

struct Row {
  std::string_view ops;
  int input;
  Rule rule;
};
constexpr Row kRows[] = {
#define MO_RANK(ops, input, rule) {" " ops " ", input, rule},
#include "core/middle/rank_rules.def"
};

}  // namespace

namespace {

const Row* find_row(std::string_view op, int input) {
  const std::string name = cat(" ", op, " ");
  for (const Row& row : kRows)
    if ((row.input < 0 || row.input == input) && row.ops.find(name) != std::string_view::npos) return &row;
  return nullptr;
}

OutPort origin(OutPort port) {
  for (int way = 0; port && way < 64; ++way) {
    const Row* row = find_row(port.node().op(), 0);
    if (!row || row->rule != same) break;
    port = port.node().source(0);
  }
  return port;
}

}  // namespace

PartialShape constant_shape(OutPort port) {
  constexpr std::string_view kKeep[] = {
      "Identity",         "Cast",         "CastONNX", "CastLike",           "Dropout", "QuantizeLinear",
      "DequantizeLinear", "FakeQuantize", "Abs",      "FakeQuantWithMinMax"};
  for (int way = 0; port && way < 64; ++way) {
    const std::string& op = port.node().op();
    if (op == "Const")
      if (const Constant* value = port.node().get_constant("value")) return value->shape;
    if (!is_one_of(op, kKeep)) break;
    port = port.node().source(0);
  }
  return {};
}

PartialShape demanded_shape(const Demand& demand) {
  const Row* row = find_row(demand.node.op(), demand.input);
  try {
    return row ? row->rule(demand) : PartialShape();
  } catch (const Error&) {
    return {};  // inference says what is wrong with the node
  }
}

}  // namespace mo
