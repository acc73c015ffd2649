#include "core/script/quickjs/engine.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/error.h"
#include "core/script/callbacks.h"
#include "core/script/quickjs/clock.h"
#include "core/script/quickjs/memory.h"
#include "core/script/quickjs/process.h"
#include "core/script/state.h"
#include "core/script/table.h"

namespace mo {

namespace js {
namespace {
/// build/NAME/generated/script/extension_script.inc: the text of the bundle.
constexpr unsigned char kScript[] = {
#include "extension_script.inc"
};
constexpr size_t kScriptSize = sizeof(kScript) - 1;  // without the null character at the end
constexpr const char* kScriptName = "@mo/wasm";
/// Takes the types out of TypeScript. The bundle imports it when a module needs it.
constexpr unsigned char kTypeScript[] = {
#include "typescript_script.inc"
};
constexpr const char* kTypeScriptName = "@mo/wasm/typescript";

JSContext* the_context = nullptr;
}  // namespace

JSContext* context() { return the_context; }
}  // namespace js

using js::val;

struct ScriptEngine::Impl {
  Impl(ScriptOutput to, const ScriptLimits& given) : output(std::move(to)), limits(given), memory(given.memory) {
    runtime = JS_NewRuntime2(&js::Memory::functions(), &memory);
    if (!runtime) throw std::bad_alloc();
    JS_SetRuntimeOpaque(runtime, &memory);
    JS_SetMaxStackSize(runtime, std::min(limits.stack, js::stack_of_process() / 2));
    JS_SetInterruptHandler(runtime, &Impl::must_stop, this);
    JS_SetModuleLoaderFunc(runtime, &Impl::module_name, &Impl::load_module, this);
    js::clock() = {.limit = limits.call};
    js::the_context = JS_NewContext(runtime);
    if (!js::the_context) throw std::bad_alloc();
    JS_SetContextOpaque(js::the_context, this);
  }

  ~Impl() {
    js::state().clear();
    entry = val();
    JSContext* context = std::exchange(js::the_context, nullptr);
    JS_FreeContext(context);
    JS_FreeRuntime(runtime);
  }

  static Impl& of(JSContext* context) { return *static_cast<Impl*>(JS_GetContextOpaque(context)); }

  /// Asked by QuickJS from time to time.
  static int must_stop(JSRuntime*, void* self) {
    return js::clock().over() || static_cast<Impl*>(self)->memory.exhausted() ? 1 : 0;
  }

  /// Names stay as they are: the loader in JavaScript has resolved them.
  static char* module_name(JSContext* context, const char*, const char* name, void*) {
    return js_strdup(context, name);
  }
  static JSModuleDef* load_module(JSContext* context, const char* name, void* self) {
    if (std::string_view(name) == js::kTypeScriptName)
      return compiled(context, reinterpret_cast<const char*>(js::kTypeScript), sizeof(js::kTypeScript) - 1, name);
    auto& sources = static_cast<Impl*>(self)->sources;
    const auto found = sources.find(name);
    if (found == sources.end()) {
      JS_ThrowReferenceError(context, "\"%s\" cannot be imported", name);
      return nullptr;
    }
    return compiled(context, found->second.data(), found->second.size(), name);
  }
  /// Null with an exception pending if the text has a syntax error. It must end with a null character.
  static JSModuleDef* compiled(JSContext* context, const char* text, size_t size, const char* name) {
    const JSValue module = JS_Eval(context, text, size, name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    if (JS_IsException(module)) return nullptr;
    JSModuleDef* definition = static_cast<JSModuleDef*>(JS_VALUE_GET_PTR(module));
    JS_FreeValue(context, module);  // the context keeps it
    return definition;
  }

  /// Runs the bundle, whose exports are `entry`.
  void start() {
    const auto* text = reinterpret_cast<const char*>(js::kScript);
    JSContext* context = js::context();
    const JSValue module =
        JS_Eval(context, text, js::kScriptSize, js::kScriptName, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    const val checked = val::owning(JS_IsException(module) ? module : JS_DupValue(context, module));
    auto* definition = static_cast<JSModuleDef*>(JS_VALUE_GET_PTR(module));
    settle(val::owning(JS_EvalFunction(context, module)));
    entry = val::owning(JS_GetModuleNamespace(context, definition));
  }

  /// The value of a promise, after all jobs; nothing when it is never settled. Throws Stopped.
  std::optional<val> settle(const val& promise) {
    const js::Clock::Call call;
    for (JSContext* ignored = nullptr;;) {
      const int done = JS_ExecutePendingJob(runtime, &ignored);
      if (done < 0) throw js::Stopped();
      if (done == 0) break;
    }
    const JSPromiseStateEnum state = JS_PromiseState(js::context(), promise.raw());
    if (state == JS_PROMISE_PENDING) return std::nullopt;
    val result = val::owning(JS_PromiseResult(js::context(), promise.raw()));
    if (state == JS_PROMISE_FULFILLED) return result;
    JS_Throw(js::context(), result.release());
    throw js::Stopped();
  }

  val host() {
    js::Table table;
    table.add<&Impl::define_module>("defineModule");
    table.add<&Impl::log>("log");
    table.add<&Impl::print>("print");
    return table.object();
  }
  static void define_module(std::string name, std::string source) {
    of(js::context()).sources.insert_or_assign(std::move(name), std::move(source));
  }
  static void log(std::string level, std::string text) {
    if (const auto& show = of(js::context()).output.log) show(level, text);
  }
  static void print(bool error, std::string text) {
    if (const auto& show = of(js::context()).output.print) show(error, text);
  }

  std::unique_ptr<Extensions> load(const std::vector<ExtensionFolder>& folders) {
    start();
    js::Table table;
    js::add_functions(table);
    val roots = val::array();
    for (const ExtensionFolder& folder : folders) {
      val files = val::array();
      for (const auto& [path, text] : folder.files) {
        val row = val::array();
        row.call<void>("push", path, text);
        files.call<void>("push", row);
      }
      val root = val::object();
      root.set("name", folder.name);
      root.set("files", files);
      roots.call<void>("push", root);
    }
    const std::optional<val> loaded = settle(entry.call<val>("load", table.object(), host(), roots));
    if (!loaded) throw failure(entry.call<val>("waiting"));
    if (const val failed = (*loaded)["failure"]; !failed.isUndefined()) throw failure(failed);
    for (const val& row : js::list_of<val>((*loaded)["warnings"])) {
      const Place place{.file = row["file"].as<std::string>()};
      Message warning = Error(Code::ExtensionWarns, row["text"].as<std::string>(), place).message();
      warning.severity = Message::Severity::Warning;
      warnings.push_back(std::move(warning));
    }
    return js::extensions_of((*loaded)["callbacks"]);
  }

  static Error failure(const val& record) {
    return Error(Code::ExtensionFailed, record["text"].as<std::string>(),
                 {.node = record["node"].as<std::string>(), .file = record["file"].as<std::string>()},
                 record["hint"].as<std::string>());
  }

  /// The error for the pending exception.
  Error stopped() {
    JSContext* context = js::context();
    const Detail reason = why_stopped();
    JS_ResetUncatchableError(context);
    try {
      const val thrown = val::owning(JS_GetException(context));
      return failure(entry.call<val>("stopped", thrown, reason.text()));
    } catch (const js::Stopped&) {
      JS_FreeValue(context, JS_GetException(context));
      return Error(Code::ExtensionFailed, reason.empty() ? Detail("the modules cannot be run") : reason);
    }
  }

  /// Why QuickJS stopped; empty if it was neither time nor memory. Allows some more of both, for the message.
  Detail why_stopped() {
    if (std::exchange(js::clock().stopped, false))
      return msg("it was stopped after ", static_cast<double>(limits.call.count()) / 1000, " seconds");
    if (!memory.exhausted()) return {};
    memory.go_on();
    return msg("it needs more than ", limits.memory >> 20, " MB of memory");
  }

  JSRuntime* runtime;
  ScriptOutput output;
  ScriptLimits limits;
  js::Memory memory;
  std::map<std::string, std::string> sources;
  std::vector<Message> warnings;
  val entry;
};

ScriptEngine::ScriptEngine(ScriptOutput output, const ScriptLimits& limits)
    : impl_(std::make_unique<Impl>(std::move(output), limits)) {}
ScriptEngine::~ScriptEngine() = default;

std::unique_ptr<ExtensionEngine> make_extension_engine(ScriptOutput output) {
  return std::make_unique<ScriptEngine>(std::move(output));
}

std::unique_ptr<Extensions> ScriptEngine::load(const std::vector<ExtensionFolder>& folders) {
  std::unique_ptr<Extensions> extensions;
  run([&] { extensions = impl_->load(folders); });
  return extensions;
}

const std::vector<Message>& ScriptEngine::warnings() const { return impl_->warnings; }

void ScriptEngine::run(const std::function<void()>& body) {
  try {
    body();
  } catch (const js::Stopped&) {
    throw impl_->stopped();
  }
}

}  // namespace mo
