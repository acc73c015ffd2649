// The type of parameters that take a list: braces, a vector or a span, none of them copied.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

namespace mo {

/// Looks at the caller's elements for the length of one call. Not to be kept: braces end with the statement.
template <typename T>
struct ListView : std::span<const T> {
  ListView() = default;
  ListView(const std::initializer_list<T>& list) : std::span<const T>(list.begin(), list.size()) {}
  ListView(const std::vector<T>& list) : std::span<const T>(list) {}  // NOLINT: lists are made where they are passed
  ListView(std::span<const T> list) : std::span<const T>(list) {}     // NOLINT
};

/// What parameters are declared as: WebAssembly passes a pair of words through memory, and by value twice.
template <typename T>
using List = const ListView<T>&;

}  // namespace mo
