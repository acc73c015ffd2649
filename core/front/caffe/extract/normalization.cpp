// BatchNorm, Scale, Bias, LRN, MVN.

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"
#include "core/front/common/inputs.h"

namespace mo::caffe {
namespace {

/// The number in blob 2 of a BatchNorm, by which mean and variance have been multiplied.
double factor_of(const Node& node) {
  const OutPort blob = blob_of(node, 2);
  const Constant* value = blob ? blob.node().get_constant("value") : nullptr;
  const auto numbers = value ? read_doubles(*value, node.graph().files(), 1) : std::nullopt;
  if (!numbers || numbers->size() != 1)
    throw Error(Code::ShapeMismatch, msg("blob 2 has ", value ? value->elements() : 0, " numbers, not 1"));
  return (*numbers)[0] == 0 ? 0 : 1 / (*numbers)[0];
}

OutPort times(Node& node, OutPort blob, double factor) {
  if (factor == 1) return blob;
  // One row, as a list of factors for each number would be as long as a file says.
  const Constant& value = *blob.node().get_constant("value");
  const Constant row = reshape(value, {1, static_cast<int64_t>(value.elements())});
  return Builder(node).constant(reshape(scale_shift(row, 0, {static_cast<float>(factor)}, {}), value.shape));
}

/// By the mean and variance of the data itself along the axes from `begin` on; also along the batch.
Attributes by_own(int64_t begin, bool of_batch, double eps, bool variance, const char* mode) {
  return {{"begin", begin}, {"of_batch", of_batch}, {"eps", eps}, {"normalize_variance", variance}, {"eps_mode", mode}};
}

void become_mvn(Node& node, Attributes attributes) {
  become(node, "CaffeMVN", {node.source(0)});
  node.attributes = std::move(attributes);
}

/// b aligned at an axis of a: sums and products of tensors of fewer dimensions.
void align(Node& node, OutPort a, OutPort b, const char* operation, int64_t axis) {
  become(node, "AxisBroadcast", {a, b});
  node.set("operation", std::string(operation));
  node.set("axis", axis);
}

/// A blob with as many dimensions as the layer covers; blobs of old files have four.
OutPort aligned_blob(Node& node, int i) {
  const int64_t axes = node.get_int("num_axes", 1);
  if (axes == 0) return shaped_blob(node, i, {});
  if (axes == 1) return shaped_blob(node, i, {-1}, {.axis = node.get_int("axis", 1)});
  const OutPort blob = blob_of(node, i);
  if (!blob) throw Error(Code::MissingInput, msg("blob ", i));
  if (blob.node().op() == "Filled") throw Error(Code::UnsupportedForm, "a filler for several axes");
  return blob;
}

}  // namespace

/// Blobs: mean, variance and their factor; in NVIDIA's and Intel's forks scale and bias behind them. NVIDIA's does not
/// divide by the factor, and has no eps below 1e-5.
void extract_batch_norm(Node& node) {
  require_input(node, 0);
  const int count = node.in_count() - bottoms_of(node);
  double eps = node.get_float("eps", 1e-5);
  const bool relu = node.get_bool("relu");
  if (!node.get_bool("use_global_stats", true)) {
    become_mvn(node, by_own(2, true, eps, true, "inside_sqrt"));
    if (relu) add_relu(node, 0);
    return;
  }
  const auto channels = size_of_blob(node, 0);
  const bool fits = (count == 2 || count == 3 || count == 5) && channels && size_of_blob(node, 1) == channels &&
                    (count < 5 || (size_of_blob(node, 3) == channels && size_of_blob(node, 4) == channels));
  if (!fits)
    throw Error(Code::ShapeMismatch,
                msg(count, " blobs that are not mean, variance and their factor: a merged BatchNorm?"), {},
                "give the prototxt and the weights that were saved together");
  const bool nvidia = node.has("raw_blobs") || node.has("scale_bias") || (count == 5 && !node.has("use_weight_bias"));
  if (nvidia) eps = std::max(eps, 1e-5);
  const double factor = count == 2 || nvidia ? 1 : factor_of(node);
  Builder b(node);
  const OutPort mean = times(node, shaped_blob(node, 0, {*channels}), factor);
  const OutPort variance = times(node, shaped_blob(node, 1, {*channels}), factor);
  const bool scales = count == 5 && node.get_bool("use_weight_bias", true) && node.get_bool("scale_bias", true);
  const OutPort gamma =
      scales ? shaped_blob(node, 3, {*channels}) : b.constant(make_splat(ElementType::F32, {*channels}, 1));
  const OutPort beta =
      scales ? shaped_blob(node, 4, {*channels}) : b.constant(make_splat(ElementType::F32, {*channels}, 0));
  become(node, "batchNormInference", {node.source(0), gamma, beta, mean, variance});
  node.set("epsilon", eps);
  if (relu) add_relu(node, 0);
}

/// A second bottom takes the place of blob 0.
void extract_scale(Node& node) {
  require_input(node, 0);
  const int64_t axis = node.get_int("axis", 1);
  const bool two = bottoms_of(node) > 1;
  const OutPort x = node.source(0), scale = two ? node.source(1) : aligned_blob(node, 0);
  if (!node.get_bool("bias_term")) return align(node, x, scale, "Mul", axis);
  const OutPort bias = aligned_blob(node, two ? 0 : 1);
  const OutPort product = Builder(node).op("AxisBroadcast", {x, scale}, {{"operation", "Mul"}, {"axis", axis}});
  align(node, product, bias, "Add", axis);
}

void extract_bias(Node& node) {
  require_input(node, 0);
  const int64_t axis = node.get_int("axis", 1);
  align(node, node.source(0), bottoms_of(node) > 1 ? node.source(1) : aligned_blob(node, 0), "Add", axis);
}

/// Within a channel, k is always 1.
void extract_lrn(Node& node) {
  require_input(node, 0);
  const int64_t size = node.get_int("local_size", 5);
  if (size < 1 || size % 2 == 0) throw Error(Code::BadAttribute, msg("local_size is ", size));
  const double alpha = node.get_float("alpha", 1), beta = node.get_float("beta", 0.75), k = node.get_float("k", 1);
  const bool within = node.get_string("norm_region") == "WITHIN_CHANNEL";
  if (within) {
    const OutPort axes = Builder(node).i64({2, 3});
    become(node, "LRN", {node.source(0), axes});
  } else {
    become(node, "AttributedLRN", {node.source(0)});
  }
  node.set("size", size);
  node.set("alpha", alpha);
  node.set("beta", beta);
  node.set("bias", within ? 1.0 : k);
}

/// Divided by the deviation and eps, which is not within the root.
void extract_mvn(Node& node) {
  require_input(node, 0);
  become_mvn(node, by_own(node.get_bool("across_channels") ? 1 : 2, false, node.get_float("eps", 1e-9),
                          node.get_bool("normalize_variance", true), "outside_sqrt"));
}

/// PSPNet's blobs are scale, shift, mean and variance; SegNet's scale and shift, of the data or, by default, of the
/// data normalised by itself.
void extract_bn(Node& node) {
  require_input(node, 0);
  const int count = node.in_count() - bottoms_of(node);
  if (count != 2 && count != 4)
    throw Error(Code::ShapeMismatch, msg("the layer has 2 or 4 blobs, its weights ", count));
  Builder b(node);
  std::vector<OutPort> blobs;
  for (int i = 0; i < count; ++i) blobs.push_back(shaped_blob(node, i, {-1}));
  if (count == 4) {
    const double eps = node.get_float("eps", node.get_float("var_eps", 1e-5));
    become(node, "batchNormInference", {node.source(0), blobs[0], blobs[1], blobs[2], blobs[3]});
    return node.set("epsilon", eps);
  }
  OutPort x = node.source(0);
  if (node.get_string("bn_mode", "LEARN") == "LEARN")
    x = b.op("CaffeMVN", {x}, by_own(2, true, 1e-9, true, "outside_sqrt"));
  align(node, b.op("AxisBroadcast", {x, blobs[0]}, {{"operation", "Mul"}, {"axis", 1}}), blobs[1], "Add", 1);
}

/// Divided by the norm of each place, or of all places of a sample.
void extract_normalize(Node& node) {
  require_input(node, 0);
  Builder b(node);
  const OutPort axes = node.get_bool("across_spatial", true) ? b.i64({1, 2, 3}) : b.i64({1});
  const OutPort scale = shaped_blob(node, 0, {node.get_bool("channel_shared", true) ? 1 : -1});
  const OutPort unit =
      b.op("NormalizeL2", {node.source(0), axes}, {{"eps", node.get_float("eps", 1e-10)}, {"eps_mode", "add"}});
  align(node, unit, scale, "Mul", 1);
}

/// x / sqrt(bias + the sum of the squares of all channels)
void extract_grn(Node& node) {
  require_input(node, 0);
  const double bias = node.get_float("bias", 1);
  const OutPort axes = Builder(node).i64({1});
  become(node, "NormalizeL2", {node.source(0), axes});
  node.set("eps", bias);
  node.set("eps_mode", std::string("add"));
}

}  // namespace mo::caffe
