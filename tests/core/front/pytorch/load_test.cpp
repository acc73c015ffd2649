// What is done to a program of PyTorch before it becomes a graph: bounds of symbols, names of outputs, views of
// storages, writes in place.

#include <gtest/gtest.h>

#include "core/front/pytorch/load/archive.h"
#include "core/front/pytorch/load/prepare.h"
#include "core/front/pytorch/load/symbols.h"
#include "tests/core/support/test_graph.h"

namespace mo::pytorch {
namespace {

const SymbolBounds kSymbols = {{"s0", {2, 8}}, {"s1", {0, Interval::kInfinity}}};

TEST(PytorchSymbols, ExpressionsHaveBounds) {
  EXPECT_EQ(bounds_of("Integer(7)", kSymbols), Interval(7));
  EXPECT_EQ(bounds_of("Symbol('s0', positive=True, integer=True)", kSymbols), Interval(2, 8));
  EXPECT_EQ(bounds_of("Mul(Integer(2), Symbol('s0', integer=True))", kSymbols), Interval(4, 16));
  EXPECT_EQ(bounds_of("Add(Symbol('s0'), Integer(-1))", kSymbols), Interval(1, 7));
  EXPECT_EQ(bounds_of("FloorDiv(Symbol('s0'), Integer(2))", kSymbols), Interval(1, 4));
  EXPECT_EQ(bounds_of("Pow(Symbol('s0'), Integer(2))", kSymbols), Interval(4, 64));
  EXPECT_EQ(bounds_of("Mod(Symbol('s1'), Integer(4))", kSymbols), Interval(0, 3));
  EXPECT_EQ(bounds_of("Max(Integer(4), Symbol('s0'))", kSymbols), Interval(4, 8));
}

TEST(PytorchSymbols, WhatIsNotKnownHasNone) {
  for (const char* text :
       {"", "Symbol('u0')", "Where(Symbol('s0'), Integer(1))", "Add(Integer(1)", "Add(Integer(1),, 2)",
        "Integer(1) Integer(2)", "__import__('os')", "Symbol('s0", "Integer(99999999999999999999)"})
    EXPECT_EQ(bounds_of(text, kSymbols), Interval()) << text;
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "Add(";
  EXPECT_EQ(bounds_of(deep, kSymbols), Interval());
  std::string sum = "Add(Integer(0)";
  for (int i = 0; i < 10'000; ++i) sum += ", Integer(1)";
  EXPECT_EQ(bounds_of(sum + ")", kSymbols), Interval(10'000));
}

TEST(PytorchNames, OutputsHaveTheKeysOfDictionaries) {
  const std::string leaf = R"({"type":null,"context":null,"children_spec":[]})";
  const auto dictionary = [&](const std::string& child) {
    return R"([1,{"type":"builtins.dict","context":"[\"a\", \"b\"]","children_spec":[)" + leaf + "," + child + "]}]";
  };
  EXPECT_EQ(leaf_names(dictionary(leaf), 2), (std::vector<std::string>{"a", "b"}));
  const std::string list = R"({"type":"builtins.list","context":"null","children_spec":[)" + leaf + "," + leaf + "]}";
  EXPECT_EQ(leaf_names(dictionary(list), 3), (std::vector<std::string>{"a", "b.0", "b.1"}));
  EXPECT_EQ(leaf_names("[1," + list + "]", 2), (std::vector<std::string>{"", ""}));
  EXPECT_TRUE(leaf_names("[1,{", 1).empty());
}

TEST(PytorchTargets, HaveParts) {
  const Target add = target_of("torch.ops.aten.add_.Tensor");
  EXPECT_EQ(add.domain, "aten");
  EXPECT_EQ(add.op, "add");
  EXPECT_EQ(add.overload, "Tensor");
  EXPECT_TRUE(add.in_place);
  EXPECT_FALSE(target_of("torch.ops.aten.__and__.Tensor").in_place);
  EXPECT_EQ(target_of("_operator.mul").domain, "_operator");
  EXPECT_EQ(target_of("_operator.mul").op, "mul");
}

/// The numbers 0 to 23.
struct Storage : test::TestGraph {
  Constant numbers() {
    std::vector<int64_t> all(24);
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int64_t>(i);
    return make_i64(all);
  }
  std::vector<int64_t> view(const Shape& sizes, const Shape& strides, int64_t offset) {
    const Constant made = view_of_storage(numbers(), sizes, strides, offset);
    EXPECT_EQ(made.shape, sizes);
    return read_ints(made, graph.files()).value_or(std::vector<int64_t>());
  }
  Code refusal(const Shape& sizes, const Shape& strides, int64_t offset) {
    try {
      view(sizes, strides, offset);
    } catch (const Error& error) {
      return error.code();
    }
    return Code::Unexpected;
  }
};

TEST(PytorchStorage, ViewsAreItsElements) {
  Storage storage;
  EXPECT_EQ(storage.view({2, 3}, {3, 1}, 1), (std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(storage.view({3, 2}, {1, 3}, 0), (std::vector<int64_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(storage.view({2, 2}, {12, 2}, 3), (std::vector<int64_t>{3, 5, 15, 17}));
  EXPECT_EQ(storage.view({4}, {6}, 5), (std::vector<int64_t>{5, 11, 17, 23}));
  EXPECT_EQ(storage.view({2, 3}, {0, 1}, 4), (std::vector<int64_t>{4, 5, 6, 4, 5, 6}));
  EXPECT_EQ(storage.view({1, 2}, {99, 1}, 22), (std::vector<int64_t>{22, 23}));
  EXPECT_EQ(storage.view({}, {}, 7), (std::vector<int64_t>{7}));
  EXPECT_EQ(storage.view({2, 3, 4}, {12, 1, 3}, 0).size(), 24u);
}

TEST(PytorchStorage, WhatLiesOutsideIsRefused) {
  Storage storage;
  EXPECT_EQ(storage.refusal({25}, {1}, 0), Code::DataOutOfRange);
  EXPECT_EQ(storage.refusal({2}, {1}, 23), Code::DataOutOfRange);
  EXPECT_EQ(storage.refusal({3, 2}, {INT64_MAX / 2, 1}, 0), Code::DataOutOfRange);
  EXPECT_EQ(storage.refusal({3, 3}, {1, 1}, 0), Code::UnsupportedForm);
}

}  // namespace
}  // namespace mo::pytorch
