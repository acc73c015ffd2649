// The state shared by all graphs of one model.
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

/// What a room above leaves in the model for its own transformations. Only that room knows what it is.
using Slot = std::shared_ptr<const void>;

/// The current phase. In the front phase no shape is known; later every tensor has what inference could find. In the
/// layout phase inference is suspended: all tensors have the framework's layout until they are permuted together.
enum class Stage { Load, Front, Middle, Layout, Back };

/// The order of a tensor's axes: batch, channels, spatial axes; or the channels last.
enum class DataLayout : char { Nchw, Nhwc };

struct Model {
  Model(FileSet& set, const Operations& built_in) : files(set), operations(built_in) {}
  Files files;
  const Operations& operations;
  std::string framework;  ///< "onnx", …
  std::string name;
  bool static_shape = false;
  bool compress_to_fp16 = false;
  bool disable_nhwc_to_nchw = false;  ///< shapes stay in the framework's layout
  /// The options of the conversion that differ from their defaults.
  std::vector<OptionText> options;
  Stage stage = Stage::Load;
  /// The layout of tensors of four dimensions and more. The loader of a framework with channels last sets Nhwc; what is
  /// extracted decides whether that holds for this model (core/layout/settle_layout.h); ApplyPermutation sets Nchw.
  DataLayout layout = DataLayout::Nchw;
  Slot of_loader;             ///< the loader's, for the framework's transformations
  Slot of_configuration;      ///< core/front/config/transformations_config.h
  Slot of_requested_changes;  ///< core/back/requested/transform_request.h
  /// What one has to know to run the model, found by transformations of its framework: for the IR's rt_info, under the
  /// framework's name.
  std::vector<std::pair<std::string, std::string>> facts;
  Diagnostics diagnostics;
  /// The user's operations, by name. They take precedence over built-in ones.
  std::map<std::string, const OpDef*, std::less<>> user_ops;
  /// During partial inference: replaces a node by its decomposition. False when it has none.
  std::function<bool(Node&)> decompose;
  /// Called every few thousand nodes of long work, so that a host can stop the conversion.
  std::function<void()> heartbeat;
  /// Counts a node of such work.
  void beat() {
    if (++beats_ % 2048 == 0 && heartbeat) heartbeat();
  }
  /// Whether a node, a link or a known value has changed since the last clean-up. If not, another one finds nothing.
  bool edited = true;
  bool has_bodies = false;    ///< whether a body was ever created: most models need not be searched for bodies
  uint64_t folded_bytes = 0;  ///< size of all constants computed so far; kFoldTotal is the limit
  static constexpr uint64_t kFoldOne = 64 << 10, kFoldTotal = 16 << 20;

 private:
  uint32_t beats_ = 0;
};

}  // namespace mo
