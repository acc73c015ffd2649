// emscripten::val's members over QuickJS's values, as far as the extension table uses them. There is one context at a
// time, that of the ScriptEngine.
#pragma once

#include <quickjs.h>

#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace mo::js {

/// Thrown in C++ where JavaScript has thrown, or has no memory left: the exception itself is pending in the context. It
/// is no std::exception, so that no handler of the core takes it, and the conversion ends.
struct Stopped {};

/// The context of the engine that exists; null without one.
JSContext* context();

// NOLINTBEGIN(readability-identifier-naming): the names are those of emscripten::val.
class val {
 public:
  val() = default;
  explicit val(bool v);
  explicit val(int v);
  explicit val(double v);
  explicit val(const std::string& v);
  val(const val& other);
  val(val&& other) noexcept : value_(std::exchange(other.value_, JS_UNDEFINED)) {}
  val& operator=(val other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~val();

  /// Takes over a reference. Throws Stopped for an exception.
  static val owning(JSValue value);
  static val undefined() { return {}; }
  static val null() { return owning(JS_NULL); }
  static val object();
  static val array();

  bool isNull() const { return JS_IsNull(value_); }
  bool isUndefined() const { return JS_IsUndefined(value_); }
  bool isNumber() const { return JS_IsNumber(value_); }
  bool isString() const { return JS_IsString(value_); }
  /// For an object that is no function "object", as typeof says.
  val typeOf() const;
  bool hasOwnProperty(const char* key) const;

  val operator[](const char* key) const;
  val operator[](int index) const;
  template <typename T>
  T as() const;

  template <typename T>
  void set(const char* key, const T& v) {
    put(key, val(v));
  }

  /// They throw Stopped when the function throws.
  template <typename Result, typename... Arguments>
  Result call(const char* method, const Arguments&... arguments) const {
    const val given[] = {val(arguments)..., val()};
    return run((*this)[method], *this, given, sizeof...(arguments)).template as<Result>();
  }
  template <typename... Arguments>
  val operator()(const Arguments&... arguments) const {
    const val given[] = {val(arguments)..., val()};
    return run(*this, val(), given, sizeof...(arguments));
  }

  JSValueConst raw() const { return value_; }
  /// Gives up the reference.
  JSValue release() { return std::exchange(value_, JS_UNDEFINED); }

 private:
  static val run(const val& function, const val& self, const val* arguments, int count);
  void put(const char* key, val v);

  JSValue value_ = JS_UNDEFINED;
};
// NOLINTEND(readability-identifier-naming)

template <>
inline val val::as<val>() const {
  return *this;
}
template <>
inline void val::as<void>() const {}
template <>
bool val::as<bool>() const;
template <>
int val::as<int>() const;
template <>
double val::as<double>() const;
template <>
std::string val::as<std::string>() const;

/// The items of an array.
template <typename T>
std::vector<T> list_of(const val& array) {
  std::vector<T> items;
  const int count = array["length"].as<int>();
  for (int index = 0; index < count; ++index) items.push_back(array[index].as<T>());
  return items;
}
/// The numbers of an array or a typed array.
template <typename T>
std::vector<T> numbers_of(const val& array) {
  return list_of<T>(array);
}
template <>
std::vector<uint8_t> numbers_of<uint8_t>(const val& array);

/// A typed array over memory of the core.
val view_of(const double* data, size_t size);
/// A typed array with a copy of the data.
val copy_of(const int* data, size_t size);
val copy_of(const double* data, size_t size);
val copy_of(const uint8_t* data, size_t size);

/// The functions that JavaScript sees.
class Table {
 public:
  template <auto function>
  void add(const char* name) {
    add(name, &Call<function>::from_script, Call<function>::kArguments);
  }
  const val& object() const { return object_; }

 private:
  template <auto function>
  struct Call;
  template <typename Result, typename... Arguments, Result (*function)(Arguments...)>
  struct Call<function> {
    static constexpr int kArguments = sizeof...(Arguments);

    static JSValue from_script(JSContext* context, JSValueConst, int, JSValueConst* arguments) {
      try {
        return run(arguments, std::index_sequence_for<Arguments...>());
      } catch (const Stopped&) {
        return JS_EXCEPTION;
      } catch (const std::bad_alloc&) {
        return JS_ThrowOutOfMemory(context);
      } catch (const std::exception& error) {
        return JS_ThrowInternalError(context, "%s", error.what());
      }
    }
    template <size_t... index>
    static JSValue run(JSValueConst* arguments, std::index_sequence<index...>) {
      const auto call = [&] { return function(argument<Arguments>(arguments[index])...); };
      if constexpr (std::is_void_v<Result>) {
        call();
        return JS_UNDEFINED;
      } else {
        return val(call()).release();
      }
    }
    /// QuickJS gives as many arguments as the function has; those that are missing are undefined.
    template <typename Argument>
    static Argument argument(JSValueConst value) {
      return val::owning(JS_DupValue(js::context(), value)).as<Argument>();
    }
  };

  void add(const char* name, JSCFunction* function, int arguments);

  val object_ = val::object();
};

}  // namespace mo::js
