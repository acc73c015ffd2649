// Operations that move elements: shapes, slices, gathers, scatters.
#include "tests/core/ops/samples.h"

namespace mo::test {

Samples movement_samples() {
  const SampleInput x = data({2, 3, 5, 7}), indices = data({2, 3, 5, 4}, ElementType::I64);
  const Ints zeros{0, 0, 0, 0};
  const auto masks = [&](Ints begin, Ints end, Ints shrink) {
    return Attributes{{"begin_mask", begin},
                      {"end_mask", end},
                      {"new_axis_mask", zeros},
                      {"shrink_axis_mask", shrink},
                      {"ellipsis_mask", zeros}};
  };
  return {
      {"ShapeOf", {x}},
      {"Reshape", {x, numbers({0, 15, -1})}},
      {"Squeeze", {data({2, 1, 5, 7}), numbers({1})}},
      {"Squeeze", {data({2, 1, 5, 7})}},
      {"Unsqueeze", {x, numbers({1})}},
      {"Transpose", {x, numbers({0, 2, 3, 1})}},
      {.op = "Transpose", .inputs = {x, numbers({})}, .reshapes = true},
      {"Concat", {x, data({2, 3, 5, 4})}, {{"axis", int64_t{3}}}},
      {"Concat", {x, data({2, 4, 5, 7})}, {{"axis", int64_t{-3}}}},
      {.op = "Concat", .inputs = {x, x}, .reshapes = true},
      {"Split", {data({2, 3, 5, 6}), number(3)}, {{"num_splits", int64_t{2}}}, 2},
      {"VariadicSplit", {x, number(-1), numbers({2, -1, 1})}, {}, 3},
      {"Gather", {x, numbers({1, 0}), number(3)}, {{"batch_dims", int64_t{0}}}},
      {"GatherElements", {x, indices}, {{"axis", int64_t{3}}}, 1, {{"axis", -1, {1}}}},
      {"GatherND", {x, data({2, 4, 2}, ElementType::I64)}, {{"batch_dims", int64_t{1}}}},
      {"Slice", {x, numbers({1, 6}), numbers({5, 0}), numbers({1, -2}), numbers({2, -1})}},
      {"Slice", {x, numbers({0, 1}), numbers({2, 3}), numbers({1, 1})}},
      {"StridedSlice",
       {data({2, 4, 5, 7}), numbers({0, 1, 0, 2}), numbers({2, 3, 5, 6}), numbers({1, 1, 2, 2})},
       masks({0, 1, 0, 0}, {0, 0, 0, 1}, zeros)},
      {"StridedSlice", {x, numbers({0, 1, 0, 2}), numbers({2, 3, 5, 6})}, masks({1}, {0, 1}, {})},
      {.op = "StridedSlice",
       .inputs = {x, numbers(zeros), numbers({2, 1, 5, 7}), numbers({1, 1, 1, 1})},
       .attributes = masks({}, {}, {0, 1, 0, 0}),
       .reshapes = true},
      {.op = "StridedSlice",
       .inputs = {x, numbers({0, 1}), numbers({2, 3}), numbers({1, 1})},
       .attributes = masks({}, {}, {}),
       .reshapes = true},
      {"Broadcast", {data({2, 1, 5, 1}), numbers({2, 3, 5, 7})}, {{"mode", std::string("numpy")}}},
      {"Broadcast", {data({3, 1, 5, 1}), numbers({1, 2, 1, 7})}, {{"mode", std::string("bidirectional")}}},
      {"Tile", {x, numbers({1, 2, 3, 4})}},
      {.op = "Tile", .inputs = {x, numbers({3, 4})}, .reshapes = true},
      {"Pad", {x, numbers({0, 1, 0, -2}), numbers({0, 3, 4, 0}), float_number(0)}, {{"mode", std::string("constant")}}},
      {"CumSum", {x, number(2)}, {}, 1, {{"", 1, {3}}}},
      {"ReverseSequence",
       {x, data({7}, ElementType::I32)},
       {{"batch_axis", int64_t{3}}, {"seq_axis", int64_t{1}}},
       1,
       {{"seq_axis", -1, {2}}}},
      {"Reverse", {x, numbers({1, 3})}, {{"mode", std::string("index")}}, 1, {{"", 1, {2, 1}}}},
      {.op = "Reverse",
       .inputs = {x, data({4}, ElementType::Bool)},
       .attributes = {{"mode", std::string("mask")}},
       .reshapes = true},
      {"Roll", {x, numbers({1, -1}), numbers({1, -1})}, {}, 1, {{"", 2, {2, 1}}}},
      {"ShuffleChannels", {data({2, 3, 5, 6})}, {{"axis", int64_t{3}}, {"group", int64_t{2}}}, 1, {{"axis", -1, {1}}}},
      {"ScatterElementsUpdate", {x, indices, data({2, 3, 5, 4}), number(3)}, {}, 1, {{"", 3, {1}}}},
      {"ScatterUpdate", {x, numbers({1, 0}), data({2, 2, 5, 7}), number(1)}},
      {"ScatterNDUpdate", {x, data({4, 2}, ElementType::I64), data({4, 5, 7})}},
  };
}

}  // namespace mo::test
