// embind's values, and what quickjs/val.h has beside its class.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <vector>

namespace mo::js {

using emscripten::val;

/// The items of an array.
template <typename T>
std::vector<T> list_of(const val& array) {
  return emscripten::vecFromJSArray<T>(array);
}
/// The numbers of an array or a typed array.
template <typename T>
std::vector<T> numbers_of(const val& array) {
  return emscripten::convertJSArrayToNumberVector<T>(array);
}

/// A typed array over memory of the core, valid until its memory grows.
template <typename T>
val view_of(const T* data, size_t size) {
  return val(emscripten::typed_memory_view(size, data));
}
/// A typed array with a copy of the data.
template <typename T>
val copy_of(const T* data, size_t size) {
  return view_of(data, size).template call<val>("slice");
}

/// The functions that JavaScript sees.
struct Table {
  template <auto function>
  void add(const char* name) {
    emscripten::function(name, function);
  }
};

}  // namespace mo::js
