// How a format enters: known by its bytes, never by its name; read into a graph, whose nodes are then extracted.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/front/load_options.h"
#include "core/front/model_file.h"
#include "core/graph/graph.h"

namespace mo {

/// A model whose nodes are in the graph; holds what they refer to until they are extracted.
class LoadedModel {
 public:
  virtual ~LoadedModel() = default;
  /// Turns a loaded node, of the model or of a body, into its internal op. Throws UnsupportedOp, and what is wrong with
  /// the node's attributes and ports, placed at the node.
  virtual void extract(Node& node) = 0;
};

/// What there is to load, and where to.
struct LoadRequest {
  const ModelFile& model;  ///< and by way of it the file set
  const LoadOptions& options;
  Graph& graph;
  Diagnostics& diagnostics;
};

class Loader {
 public:
  /// Whether the model is one of this format, even if its file is cut off.
  virtual bool match(const ModelFile& model) const = 0;
  /// Fills the graph with one node for each framework node: attributes and ports as in the framework. Throws what makes
  /// the model as a whole unusable, with byte offsets in binary files, line and column in texts.
  virtual std::unique_ptr<LoadedModel> load(const LoadRequest& request) const = 0;

 protected:
  ~Loader() = default;
};

/// A row MO_FORMAT of core/front/formats.def.
struct Format {
  std::string_view framework;  ///< "onnx", …
  std::string_view title;      ///< for messages: "ONNX"
  std::string_view endings;    ///< ".onnx", separated by blanks
  const Loader& (*loader)();
};
const std::vector<Format>& all_formats();

/// What a model is that no loader takes, "TensorFlow SavedModel"; empty when nobody knows it.
std::string_view recognise(const ModelFile& model);

/// The format of the model. Throws EmptyFile, OtherFormat (naming the format), UnknownFormat.
const Format& find_format(const ModelFile& model);

}  // namespace mo
