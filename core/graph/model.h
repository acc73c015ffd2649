// What all graphs of one model share.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/graph/operations.h"

namespace mo {

struct TransformationsConfig;

/// How far the model is. In the front phase no shape is known; later on every tensor has what could be inferred of it.
/// During the change of layout inference rests: the records are the framework's until all of them are turned.
enum class Stage { Load, Front, Middle, Layout, Back };

/// The order of a tensor's axes: batch, channel, space, or the channel behind the space.
enum class DataLayout : char { Nchw, Nhwc };

struct Model {
  Model(FileSet& set, const Operations& built_in) : files(set), operations(built_in) {}
  Files files;
  const Operations& operations;
  std::string framework;  ///< "onnx", …
  std::string name;
  bool static_shape = false;
  bool compress_to_fp16 = false;
  /// The options of the conversion that are not at their default.
  std::vector<OptionText> options;
  Stage stage = Stage::Load;
  /// Of tensors of four dimensions and more. The loader of a framework with channels last says Nhwc; ApplyPermutation
  /// makes it Nchw.
  DataLayout layout = DataLayout::Nchw;
  std::shared_ptr<const TransformationsConfig> transformations_config;
  Diagnostics diagnostics;
  /// The user's operations, by name; they win over built-in ones.
  std::map<std::string, const OpDef*, std::less<>> user_ops;
  /// During partial inference: replaces a node by its decomposition; false when it has none.
  std::function<bool(Node&)> decompose;
  /// Called every few thousand nodes of long work: where a host may stop the conversion.
  std::function<void()> heartbeat;
  /// Counts a node of such work.
  void beat() {
    if (++beats_ % 2048 == 0 && heartbeat) heartbeat();
  }
  bool has_bodies = false;    ///< whether any was ever made: most models need not be searched for them
  uint64_t folded_bytes = 0;  ///< of computed constants so far; the budget is kFoldTotal
  static constexpr uint64_t kFoldOne = 64 << 10, kFoldTotal = 16 << 20;

 private:
  uint32_t beats_ = 0;
};

}  // namespace mo
