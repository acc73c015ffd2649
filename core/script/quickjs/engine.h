// Runs the user's extensions natively: wasm/native/start.ts and what it uses, bundled, in QuickJS. They have the core,
// and no file, network, process or timer.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/pipeline/extensions.h"

namespace mo {

/// A folder of extensions: its name, and the texts of its modules by path in it.
struct ExtensionFolder {
  std::string name;
  std::vector<std::pair<std::string, std::string>> files;
};

struct ScriptLimits {
  std::chrono::milliseconds call = std::chrono::seconds(60);  ///< of each call by the core, and of loading the folders
  size_t memory = size_t{1} << 30;                            ///< bytes
  size_t stack = size_t{4} << 20;                             ///< bytes
};

/// Where lines of extensions go.
struct ScriptOutput {
  std::function<void(const std::string& level, const std::string& text)> log;  ///< log.info and log.debug
  std::function<void(bool error, const std::string& text)> print;              ///< console
};

/// Only one may exist at a time. Conversions with its extensions, and their graphs, have to be destroyed before it.
class ScriptEngine {
 public:
  explicit ScriptEngine(ScriptOutput output, const ScriptLimits& limits = {});
  ~ScriptEngine();
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;

  /// Runs the modules. Throws ExtensionFailed.
  std::unique_ptr<Extensions> load(const std::vector<ExtensionFolder>& folders);
  const std::vector<Message>& warnings() const;

  /// Runs `body`, which may call extensions. Throws ExtensionFailed, with the class, module and line, when one had to
  /// be stopped.
  void run(const std::function<void()>& body);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mo
