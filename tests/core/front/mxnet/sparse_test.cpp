// Rows of a sparse array stand in the dense one where they belong, in whatever order they are stored.

#include <gtest/gtest.h>

#include <cstring>

#include "core/front/mxnet/load/arrays.h"
#include "tests/core/support/test_graph.h"

namespace mo::mxnet {
namespace {

std::vector<float> dense(int64_t count, const std::vector<int64_t>& rows, const std::vector<float>& stored) {
  test::TestGraph g;
  Files& files = g.graph.files();
  const SparseParts parts{make_f32({static_cast<int64_t>(rows.size()), 2}, stored), make_i64(rows), {}};
  const auto bytes = read_all(dense_of_rows(files, {count, 2}, parts), files, 1 << 20);
  std::vector<float> out(bytes->size() / sizeof(float));
  std::memcpy(out.data(), bytes->data(), bytes->size());
  return out;
}

TEST(MxnetSparse, RowsAreInRisingOrder) {
  EXPECT_EQ(dense(4, {1, 2}, {1, 2, 3, 4}), (std::vector<float>{0, 0, 1, 2, 3, 4, 0, 0}));
}

TEST(MxnetSparse, RowsAreInNoOrder) {
  EXPECT_EQ(dense(4, {3, 0}, {1, 2, 3, 4}), (std::vector<float>{3, 4, 0, 0, 0, 0, 1, 2}));
}

TEST(MxnetSparse, OfRowsOfOneNumberTheLastCounts) {
  EXPECT_EQ(dense(3, {2, 1, 2, 1, 0}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), (std::vector<float>{9, 10, 7, 8, 5, 6}));
}

}  // namespace
}  // namespace mo::mxnet
