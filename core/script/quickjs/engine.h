// Runs the user's extensions natively: wasm/native/start.ts and what it uses, bundled, in QuickJS. They have the core,
// and no file, network, process or timer.
#pragma once

#include <chrono>
#include <memory>

#include "core/pipeline/extension_engine.h"

namespace mo {

struct ScriptLimits {
  std::chrono::milliseconds call = std::chrono::seconds(60);  ///< of each call by the core, and of loading the folders
  size_t memory = size_t{1} << 30;                            ///< bytes
  size_t stack = size_t{4} << 20;                             ///< bytes
};

/// Only one may exist at a time.
class ScriptEngine final : public ExtensionEngine {
 public:
  explicit ScriptEngine(ScriptOutput output, const ScriptLimits& limits = {});
  ~ScriptEngine() override;
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;

  std::unique_ptr<Extensions> load(const std::vector<ExtensionFolder>& folders) override;
  const std::vector<Message>& warnings() const override;
  void run(const std::function<void()>& body) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mo
