// Normalisation of frames, and by the statistics of training.

#include <cmath>

#include "core/base/libm.h"
#include "core/front/kaldi/extract/extractor.h"

namespace mo::kaldi {
namespace {

constexpr double kLeastSquare = 1.0 / (1LL << 33) / (1LL << 33);  // 2^-66

/// rows [n, size] divided by the roots of their mean squares over rms^2; the logarithms of the roots behind them.
OutPort with_log_deviation(Builder& b, OutPort rows, int64_t size, double rms) {
  const OutPort squares = b.reduce("ReduceSum", b.op("Mul", {rows, rows}), {1}, true);
  const OutPort factor = b.f32_scalar(static_cast<float>(1 / (static_cast<double>(size) * rms * rms)));
  const OutPort mean = b.op("Maximum", {b.op("Mul", {squares, factor}), b.f32_scalar(kLeastSquare)});
  const OutPort root = b.op("Sqrt", {mean});
  const OutPort logarithm = b.op("Add", {b.op("Log", {root}), b.f32_scalar(static_cast<float>(libm::log(rms)))});
  return b.concat({b.op("Div", {rows, root}), logarithm}, 1);
}

OutPort normalized_rows(Builder& b, OutPort rows, int64_t size, double rms) {
  const double count = static_cast<double>(size) * rms * rms;
  const OutPort unit = b.op("NormalizeL2", {rows, b.i64({1})}, {{"eps", kLeastSquare * count}, {"eps_mode", "max"}});
  return b.op("Mul", {unit, b.f32_scalar(static_cast<float>(std::sqrt(count)))});
}

double rms_of(const Node& node) {
  const double rms = number_of(node, "TargetRms", 1);
  if (!(rms > 0) || !std::isfinite(rms)) throw Error(Code::BadAttribute, msg(std::string("TargetRms"), " is ", rms));
  return rms;
}

}  // namespace

void extract_normalize(Node& node) {
  const OutPort x = frame(node);
  const int64_t dim = size_of(node, node.has("InputDim") ? "InputDim" : "Dim");
  const int64_t block = size_of(node, "BlockDim", 1, dim);
  times("InputDim", dim, "BlockDim", block);
  const double rms = rms_of(node);
  Builder b(node);
  const bool with_log = node.get_bool("AddLogStddev");
  const auto normalized = [&](OutPort rows) {
    return with_log ? with_log_deviation(b, rows, block, rms) : normalized_rows(b, rows, block, rms);
  };
  give(node, block == dim ? normalized(x) : by_blocks(b, x, block, normalized));
}

/// To a length of 1.
void extract_length_norm(Node& node) {
  const OutPort x = frame(node);
  Builder b(node);
  const OutPort axes = b.i64({1});
  become(node, "NormalizeL2", {x, axes}, {{"eps", 0.0}, {"eps_mode", "max"}});
}

/// By the statistics of the file, which Kaldi's programs use for all tests.
void extract_batch_norm(Node& node) {
  const OutPort x = frame(node);
  const int64_t dim = size_of(node, "Dim"), block = size_of(node, "BlockDim", 1, dim);
  times("Dim", dim, "BlockDim", block);
  const double epsilon = number_of(node, "Epsilon", 1e-3);
  if (!(epsilon >= 0)) throw Error(Code::BadAttribute, msg(std::string("Epsilon"), " is ", epsilon));
  if (!has_elements(node, "StatsMean"))
    throw Error(Code::UnsupportedForm, "a batch normalisation without statistics, which is not trained");
  const Constant mean = vector_of(node, "StatsMean", block), variance = vector_of(node, "StatsVar", block);
  const double rms = rms_of(node);
  Builder b(node);
  const OutPort gamma = b.constant(make_splat(ElementType::F32, {block}, rms));
  const OutPort beta = b.constant(make_splat(ElementType::F32, {block}, 0));
  const OutPort center = b.constant(mean), spread = b.constant(variance);
  const auto normalized = [&](OutPort rows) {
    return b.op("batchNormInference", {rows, gamma, beta, center, spread}, {{"epsilon", epsilon}});
  };
  if (block == dim) return become(node, "batchNormInference", {x, gamma, beta, center, spread}, {{"epsilon", epsilon}});
  give(node, by_blocks(b, x, block, normalized));
}

}  // namespace mo::kaldi
