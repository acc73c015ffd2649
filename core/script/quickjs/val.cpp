#include "core/script/quickjs/val.h"

#include "core/script/quickjs/clock.h"
#include "core/script/quickjs/memory.h"

namespace mo::js {
namespace {

/// Throws Stopped if a function of QuickJS failed.
void require(bool done) {
  if (!done) throw Stopped();
}

val typed_array(JSValue buffer, JSTypedArrayEnum type) {
  const val owner = val::owning(buffer);
  JSValueConst arguments[] = {owner.raw()};
  return val::owning(JS_NewTypedArray(context(), 1, arguments, type));
}

template <typename T>
val copied(const T* data, size_t size, JSTypedArrayEnum type) {
  return typed_array(JS_NewArrayBufferCopy(context(), reinterpret_cast<const uint8_t*>(data), size * sizeof(T)), type);
}

}  // namespace

Clock& clock() {
  static Clock only;
  return only;
}

val::val(bool v) : value_(JS_NewBool(context(), v)) {}
val::val(int v) : value_(JS_NewInt32(context(), v)) {}
val::val(double v) : value_(JS_NewFloat64(context(), v)) {}
val::val(const std::string& v) : val(owning(JS_NewStringLen(context(), v.data(), v.size()))) {}
val::val(const val& other) : value_(context() ? JS_DupValue(context(), other.value_) : JS_UNDEFINED) {}
val::~val() {
  if (context()) JS_FreeValue(context(), value_);
}

val val::owning(JSValue value) {
  require(!JS_IsException(value));
  val out;
  out.value_ = value;
  return out;
}
val val::object() { return owning(JS_NewObject(context())); }
val val::array() { return owning(JS_NewArray(context())); }

val val::typeOf() const {
  if (JS_IsString(value_)) return val(std::string("string"));
  if (JS_IsNumber(value_)) return val(std::string("number"));
  if (JS_IsBool(value_)) return val(std::string("boolean"));
  if (JS_IsUndefined(value_)) return val(std::string("undefined"));
  return val(std::string(JS_IsFunction(context(), value_) ? "function" : "object"));
}

bool val::hasOwnProperty(const char* key) const {
  const JSAtom name = JS_NewAtom(context(), key);
  require(name != JS_ATOM_NULL);
  const int has = JS_GetOwnProperty(context(), nullptr, value_, name);
  JS_FreeAtom(context(), name);
  require(has >= 0);
  return has > 0;
}

val val::operator[](const char* key) const { return owning(JS_GetPropertyStr(context(), value_, key)); }
val val::operator[](int index) const {
  return owning(JS_GetPropertyUint32(context(), value_, static_cast<uint32_t>(index)));
}

template <>
bool val::as<bool>() const {
  const int truth = JS_ToBool(context(), value_);
  require(truth >= 0);
  return truth > 0;
}
template <>
int val::as<int>() const {
  int32_t number = 0;
  require(JS_ToInt32(context(), &number, value_) == 0);
  return number;
}
template <>
double val::as<double>() const {
  double number = 0;
  require(JS_ToFloat64(context(), &number, value_) == 0);
  return number;
}
template <>
std::string val::as<std::string>() const {
  size_t size = 0;
  const char* text = JS_ToCStringLen(context(), &size, value_);
  require(text != nullptr);
  const bool fits = static_cast<Memory*>(JS_GetRuntimeOpaque(JS_GetRuntime(context())))->hand_over(size);
  std::string out(text, fits ? size : 0);
  JS_FreeCString(context(), text);
  if (!fits) JS_ThrowOutOfMemory(context());
  require(fits);
  return out;
}

void val::put(const char* key, val v) { require(JS_SetPropertyStr(context(), value_, key, v.release()) >= 0); }

val val::run(const val& function, const val& self, const val* arguments, int count) {
  static_assert(sizeof(val) == sizeof(JSValue), "a list of the one is a list of the other");
  const Clock::Call call;
  return owning(JS_Call(context(), function.value_, self.value_, count,
                        reinterpret_cast<JSValueConst*>(const_cast<val*>(arguments))));
}

template <>
std::vector<uint8_t> numbers_of<uint8_t>(const val& array) {
  size_t size = 0;
  const uint8_t* bytes = JS_GetUint8Array(context(), &size, array.raw());
  require(bytes != nullptr);
  return {bytes, bytes + size};
}

val view_of(const double* data, size_t size) {
  uint8_t* bytes = reinterpret_cast<uint8_t*>(const_cast<double*>(data));
  return typed_array(JS_NewArrayBuffer(context(), bytes, size * sizeof(double), 0, nullptr, nullptr, false),
                     JS_TYPED_ARRAY_FLOAT64);
}
val copy_of(const int* data, size_t size) { return copied(data, size, JS_TYPED_ARRAY_INT32); }
val copy_of(const double* data, size_t size) { return copied(data, size, JS_TYPED_ARRAY_FLOAT64); }
val copy_of(const uint8_t* data, size_t size) { return copied(data, size, JS_TYPED_ARRAY_UINT8); }

void Table::add(const char* name, JSCFunction* function, int arguments) {
  object_.set(name, val::owning(JS_NewCFunction(context(), function, name, arguments)));
}

}  // namespace mo::js
