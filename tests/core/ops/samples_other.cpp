// Other operations: sources, generators, recurrent cells, detection.
#include "tests/core/ops/samples.h"

namespace mo::test {

Samples other_samples() {
  const Attributes cell{{"hidden_size", int64_t{5}}, {"direction", std::string("bidirectional")}};
  const SampleInput sequence = data({2, 3, 7}), state = data({2, 2, 5}), lengths = data({2}, ElementType::I64);
  const auto weights = [](int64_t gates, int64_t inputs) { return data({2, gates * 5, inputs}); };
  return {
      {"Const", {}, {{"value", make_f32({1, 2, 3, 4}, std::vector<float>(24))}}},
      {"Parameter", {}, {{"shape", PartialShape{2, 3, 5, 7}}, {"data_type", ElementType::F32}}},
      {"Result", {data({2, 3, 5, 7})}, {}, 0},
      {"ReadValue",
       {data({2, 3, 5, 7})},
       {{"variable_id", std::string("v")},
        {"variable_type", ElementType::F32},
        {"variable_shape", PartialShape{2, 3, 5, 7}}}},
      {"Assign", {data({2, 3, 5, 7})}, {{"variable_id", std::string("v")}}},
      {"Range", {number(1), number(20), number(3)}, {{"output_type", ElementType::I64}}},
      {"Range", {float_number(1), float_number(2), float_number(0.25F)}, {{"output_type", ElementType::F32}}},
      {"OneHot",
       {data({2, 3}, ElementType::I64), number(6), float_number(1), float_number(0)},
       {{"axis", int64_t{-1}}}},
      {"Eye", {number(3), number(4), number(0), numbers({2})}, {{"output_type", ElementType::F32}}},
      {"RandomUniform",
       {numbers({2, 3, 5, 7}), float_number(0), float_number(1)},
       {{"op_seed", int64_t{1}}, {"global_seed", int64_t{0}}}},
      {"Multinomial", {data({2, 6}), number(4)}, {{"op_seed", int64_t{1}}, {"global_seed", int64_t{0}}}},
      {"RNNSequence", {sequence, state, lengths, weights(1, 7), weights(1, 5), data({2, 5})}, cell, 2},
      {"GRUSequence", {sequence, state, lengths, weights(3, 7), weights(3, 5), data({2, 15})}, cell, 2},
      {"LSTMSequence", {sequence, state, state, lengths, weights(4, 7), weights(4, 5), data({2, 20})}, cell, 3},
      {"RNNCell", {data({2, 7}), data({2, 5}), data({5, 7}), data({5, 5}), data({5})}, {{"hidden_size", int64_t{5}}}},
      {"GRUCell",
       {data({2, 7}), data({2, 5}), data({15, 7}), data({15, 5}), data({15})},
       {{"hidden_size", int64_t{5}}}},
      {"LSTMCell",
       {data({2, 7}), data({2, 5}), data({2, 5}), data({20, 7}), data({20, 5}), data({20})},
       {{"hidden_size", int64_t{5}}},
       2},
      {"NonMaxSuppression",
       {data({1, 6, 4}), data({1, 2, 6}), number(3), float_number(0.5F), float_number(0), float_number(0)},
       {},
       3},
      {"CTCLoss",
       {data({2, 3, 5}), data({2}, ElementType::I32), data({2, 3}, ElementType::I32), data({2}, ElementType::I32)},
       {{"preprocess_collapse_repeated", false}, {"ctc_merge_repeated", true}, {"unique", false}}},
      {"ScaledDotProductAttention", {data({2, 3, 5, 7}), data({2, 3, 4, 7}), data({2, 3, 4, 6})}, {{"causal", false}}},
  };
}

}  // namespace mo::test
