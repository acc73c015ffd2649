// Products with a matrix of a row for each output, and a bias.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/libm.h"
#include "core/front/kaldi/extract/extractor.h"

namespace mo::kaldi {
namespace {

/// W x, + b if it is not empty.
void become_affine(Node& node, OutPort x, const Constant& weights, const Constant& bias) {
  Builder b(node);
  const OutPort matrix = b.constant(weights);
  if (!bias.content) return become(node, "MatMul", {x, matrix}, {{"transpose_b", true}});
  const OutPort row = b.constant(reshape(bias, {1, bias.shape[0]}));
  become(node, "Add", {b.matmul({x, matrix}, true), row});
}

void affine(Node& node, std::string_view weights_key, std::string_view bias_key = {}) {
  const OutPort x = frame(node);
  const Constant weights = matrix_of(node, weights_key);
  require_sizes(node, weights.shape[1], weights.shape[0]);
  become_affine(node, x, weights, bias_key.empty() ? Constant() : vector_of(node, bias_key, weights.shape[0]));
}

}  // namespace

void extract_affine(Node& node) { affine(node, "LinearParams", "BiasParams"); }
void extract_linear_transform(Node& node) { affine(node, "LinearParams"); }
void extract_linear(Node& node) { affine(node, "Params"); }
void extract_fixed_linear(Node& node) { affine(node, "CuMatrix"); }

/// One matrix for all blocks of the input.
void extract_repeated_affine(Node& node) {
  const OutPort x = frame(node);
  const Constant weights = matrix_of(node, "LinearParams"), bias = vector_of(node, "BiasParams", weights.shape[0]);
  product("NumRepeats", size_of(node, "NumRepeats"), std::max(weights.shape[0], weights.shape[1]));
  Builder b(node);
  give(node, by_blocks(b, x, weights.shape[1], [&](OutPort rows) {
         const OutPort matrix = b.constant(weights), row = b.constant(reshape(bias, {1, bias.shape[0]}));
         return b.op("Add", {b.matmul({rows, matrix}, true), row});
       }));
}

/// A matrix for each block of the input: they lie one below the other.
void extract_block_affine(Node& node) {
  const OutPort x = frame(node);
  const Constant weights = matrix_of(node, "LinearParams"), bias = vector_of(node, "BiasParams", weights.shape[0]);
  const int64_t blocks = size_of(node, "NumBlocks"), columns = weights.shape[1];
  const int64_t rows = times("the number of rows of LinearParams", weights.shape[0], "NumBlocks", blocks);
  Builder b(node);
  const OutPort matrices = b.constant(reshape(weights, {blocks, rows, columns}));
  const OutPort products = b.matmul({b.reshape(x, {blocks, 1, columns}), matrices}, true);
  const OutPort row = b.constant(reshape(bias, {1, bias.shape[0]}));
  become(node, "Add", {b.reshape(products, {1, -1}), row});
}

/// The cosine transform of each block of the input; with Reorder the blocks' elements take turns, those of the results,
/// too.
void extract_dct(Node& node) {
  const OutPort x = frame(node);
  const int64_t size = size_of(node, "DctDim"), blocks = times("Dim", size_of(node, "Dim"), "DctDim", size);
  int64_t kept = size_of(node, "DctKeepDim", 0, size);
  if (kept == 0) kept = size;
  const bool interlaced = node.get_bool("Reorder");
  if (kept > size || size > 4096) throw Error(Code::BadAttribute, msg("DctKeepDim is ", kept, ", DctDim ", size));
  if (interlaced && kept != size)
    throw Error(Code::UnsupportedForm, "a cosine transform of interlaced blocks, of which a part is kept");
  std::vector<float> matrix;
  for (int64_t row = 0; row < kept; ++row)
    for (int64_t column = 0; column < size; ++column) {
      const double angle = std::numbers::pi / static_cast<double>(size) * (static_cast<double>(column) + 0.5);
      const double scale = std::sqrt((row == 0 ? 1.0 : 2.0) / static_cast<double>(size));
      matrix.push_back(static_cast<float>(scale * libm::cos(angle * static_cast<double>(row))));
    }
  Builder b(node);
  const OutPort weights = b.constant(make_f32({kept, size}, matrix));
  if (!interlaced) return give(node, b.reshape(b.matmul({b.reshape(x, {blocks, size}), weights}, true), {1, -1}));
  const OutPort rows = b.transpose(b.reshape(x, {size, blocks}), {1, 0});
  give(node, b.reshape(b.transpose(b.matmul({rows, weights}, true), {1, 0}), {1, -1}));
}

}  // namespace mo::kaldi
