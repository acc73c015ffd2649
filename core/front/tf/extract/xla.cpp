// XLA's operations, which jax2tf writes. What an axis of an operand is for stands in attributes that are messages.

#include <algorithm>
#include <functional>

#include "core/base/proto/wire_message.h"
#include "core/build/builder.h"
#include "core/front/tf/extract/extractor.h"
#include "core/ops/spatial.h"
#include "tensorflow_messages.h"

namespace mo::tf {
namespace {

/// More axes would be a mistake of the file.
constexpr int64_t kMostAxes = 64;

using ReadNumbers = std::function<void(const proto::Message&)>;

/// Reads the message in `dimension_numbers`. Throws MissingAttribute, and BadAttribute for bytes that are none.
void read_numbers(Node& node, const char* message, const ReadNumbers& read) {
  if (!node.has("dimension_numbers")) throw Error(Code::MissingAttribute, "dimension_numbers");
  std::string bytes = node.get_string("dimension_numbers");
  node.attributes.erase("dimension_numbers");
  try {
    read(proto::read_wire(std::move(bytes), pb::kSchema, pb::kSchema.message(message)));
  } catch (const Error& error) {
    if (error.code() == Code::BadAttribute) throw;
    throw Error(Code::BadAttribute, msg("dimension_numbers is no ", message));
  }
}

int64_t checked_axis(int64_t axis, const char* field) {
  if (axis < 0 || axis >= kMostAxes) throw Error(Code::BadAttribute, msg(field, " is ", axis));
  return axis;
}

/// Sets the lists of axes as attributes with the names that they have in the message.
void set_axes_of(Node& node, const proto::Message& numbers, std::initializer_list<const char*> fields) {
  for (const char* field : fields) {
    const Ints axes = numbers.ints(field);
    if (axes.size() > static_cast<size_t>(kMostAxes)) throw Error(Code::BadAttribute, msg(field, " has ", axes.size()));
    Ints sorted = axes;
    std::sort(sorted.begin(), sorted.end());
    for (const int64_t axis : axes) checked_axis(axis, field);
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      throw Error(Code::BadAttribute, msg(field, " names an axis twice"));
    node.set(field, axes);
  }
}

void set_result_type(Node& node) {
  if (node.has("preferred_element_type")) node.set("result_type", type_of(node, "preferred_element_type"));
}

}  // namespace

void extract_xla_dot(Node& node) {
  read_numbers(node, "DotDimensionNumbers", [&](const proto::Message& numbers) {
    set_axes_of(
        node, numbers,
        {"lhs_contracting_dimensions", "rhs_contracting_dimensions", "lhs_batch_dimensions", "rhs_batch_dimensions"});
  });
  set_result_type(node);
  node.set_op("XlaDot");
}

/// (x, weights, strides, padding [spatial, 2], dilations of x, dilations of the weights, feature groups)
void extract_xla_conv(Node& node) {
  read_numbers(node, "ConvolutionDimensionNumbers", [&](const proto::Message& numbers) {
    const auto axis = [&](const char* field) { return checked_axis(numbers.get_int(field), field); };
    set_axes_of(node, numbers, {"input_spatial_dimensions", "kernel_spatial_dimensions", "output_spatial_dimensions"});
    const Ints spatial = node.get_ints("input_spatial_dimensions");
    if (node.get_ints("kernel_spatial_dimensions").size() != spatial.size() ||
        node.get_ints("output_spatial_dimensions").size() != spatial.size())
      throw Error(Code::BadAttribute, "different numbers of spatial dimensions");
    set_spatial_dims(node, {static_cast<size_t>(axis("input_batch_dimension")),
                            static_cast<size_t>(axis("input_feature_dimension")),
                            {spatial.begin(), spatial.end()}});
    node.attributes.erase("input_spatial_dimensions");
    node.set("kernel_spatial_idx", node.get_ints("kernel_spatial_dimensions"));
    node.attributes.erase("kernel_spatial_dimensions");
    node.set("input_feature_channel", axis("kernel_input_feature_dimension"));
    node.set("output_feature_channel", axis("kernel_output_feature_dimension"));
    node.set("output_batch_dimension", axis("output_batch_dimension"));
    node.set("output_feature_dimension", axis("output_feature_dimension"));
  });
  set_result_type(node);
  node.set_op("XlaConv");
}

void extract_xla_gather(Node& node) {
  read_numbers(node, "GatherDimensionNumbers", [&](const proto::Message& numbers) {
    set_axes_of(node, numbers,
                {"offset_dims", "collapsed_slice_dims", "start_index_map", "operand_batching_dims",
                 "start_indices_batching_dims"});
    node.set("index_vector_dim", checked_axis(numbers.get_int("index_vector_dim"), "index_vector_dim"));
  });
}

void extract_xla_scatter(Node& node) {
  read_numbers(node, "ScatterDimensionNumbers", [&](const proto::Message& numbers) {
    set_axes_of(node, numbers,
                {"update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims", "input_batching_dims",
                 "scatter_indices_batching_dims"});
    node.set("index_vector_dim", checked_axis(numbers.get_int("index_vector_dim"), "index_vector_dim"));
  });
}

/// XlaReduce, XlaVariadicReduce and V2: (tensors…, first values…).
void extract_xla_reduce(Node& node) {
  node.set("width", int64_t{node.in_count()} / 2);
  node.set_op("XlaReduce");
}

/// Rounds to the bits of bf16; as many as the type has change nothing. Runtimes take out conversions to f16 and back.
void extract_xla_reduce_precision(Node& node) {
  require_input(node, 0);
  const int64_t exponent = node.get_int("exponent_bits"), mantissa = node.get_int("mantissa_bits");
  const ElementType type = type_of(node, "T");
  const auto holds = [&](int64_t e, int64_t m) { return exponent >= e && mantissa >= m; };
  const bool keeps = type == ElementType::F64    ? holds(11, 52)
                     : type == ElementType::F32  ? holds(8, 23)
                     : type == ElementType::BF16 ? holds(8, 7)
                                                 : holds(5, 10);
  const bool is_bf16 = exponent == 8 && mantissa == 7;
  if (!keeps && !is_bf16)
    throw Error(Code::UnsupportedForm,
                msg("rounding to ", exponent, " bits of exponent and ", mantissa, " of mantissa"));
  if (keeps) return node.set_op("Identity");
  const OutPort rounded = Builder(node).convert(node.source(0), ElementType::BF16);
  node.in(0).disconnect();
  node.in(0).connect(rounded);
  node.set("dst_type", type);
  node.set_op("Cast");
}

}  // namespace mo::tf
