// Operations over whole axes.
#include "tests/core/ops/samples.h"

namespace mo::test {

Samples reduction_samples() {
  const SampleInput x = data({2, 3, 5, 7});
  Samples out{
      {"SoftMax", {x}, {{"axis", int64_t{3}}}, 1, {{"axis", -1, {1}}}},
      {.op = "SoftMax", .inputs = {x}, .reshapes = true},
      {"LogSoftmax", {x}, {{"axis", int64_t{-3}}}, 1, {{"axis", -1, {2}}}},
      {"MVN", {x, numbers({1, 2})}, {{"eps", 1e-6}}, 1, {{"", 1, {2, 3}}}},
      {"LRN",
       {x, numbers({-1})},
       channels_last(4, {{"alpha", 1.0}, {"beta", 0.5}, {"size", int64_t{3}}}),
       1,
       {{"", 1, {1}}}},
      {"NormalizeL2", {x, numbers({3})}, {{"eps", 1e-6}}, 1, {{"", 1, {1}}}},
      {"TopK", {x, number(4)}, {{"axis", int64_t{3}}}, 2},
      {"MatMul", {x, data({2, 1, 7, 4})}, {{"transpose_a", false}, {"transpose_b", false}}},
      {"Inverse", {data({2, 3, 5, 5})}, {{"adjoint", false}}},
      {"Einsum", {x, data({7, 4})}, {{"equation", std::string("abcd,de->abce")}}},
      {"Einsum", {x, x}, {{"equation", std::string("...a,...b")}}},
      {"DFT", {data({2, 3, 5, 2}), numbers({1, 2})}},
      {"IDFT", {data({2, 3, 5, 2}), numbers({1}), numbers({4})}},
      {"RDFT", {x, numbers({1, 2})}},
      {"IRDFT", {data({2, 3, 5, 2}), numbers({1, 2}), numbers({-1, 8})}},
      {"NonZero", {x}, {{"output_type", ElementType::I64}}},
      {"NonZero", {numbers({0, 4, 5})}},
      {"Unique", {x, number(1)}, {}, 4},
      {"Unique", {x}, {}, 4},
  };
  for (const char* op : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2"}) {
    out.push_back({op, {x, numbers({1, 2})}, {{"keep_dims", true}}});
    out.push_back({.op = op, .inputs = {x, numbers({-1})}, .attributes = {{"keep_dims", false}}, .reshapes = true});
    out.push_back({op, {numbers({4, 6}), number(0)}, {{"keep_dims", true}}});
  }
  for (const char* op : {"ReduceLogicalAnd", "ReduceLogicalOr"})
    out.push_back({op, {data({2, 3, 5, 7}, ElementType::Bool), numbers({3, 1})}, {{"keep_dims", true}}});
  return out;
}

}  // namespace mo::test
