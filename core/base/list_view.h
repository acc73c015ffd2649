// The type of parameters that take a list: braces, a vector, an array or a span. Nothing is copied.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

namespace mo {

/// A view of the caller's elements for the length of one call. Do not keep it: braces end with the statement.
template <typename T>
struct ListView : std::span<const T> {
  ListView() = default;
  ListView(const std::initializer_list<T>& list) : std::span<const T>(list.begin(), list.size()) {}
  ListView(const std::vector<T>& list) : std::span<const T>(list) {}  // NOLINT: lists are passed without a conversion
  template <size_t N>
  ListView(const T (&list)[N]) : std::span<const T>(list) {}       // NOLINT
  ListView(std::span<const T> list) : std::span<const T>(list) {}  // NOLINT
};

/// The declared type of parameters. A reference, because WebAssembly passes a pair of words through memory, and by
/// value twice.
template <typename T>
using List = const ListView<T>&;

}  // namespace mo
