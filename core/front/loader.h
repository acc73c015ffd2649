// How a format enters: recognised by its bytes, never by its name, then walked into a graph.
#pragma once

#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

struct Loader {
  std::string_view framework;  ///< "onnx", …
  std::string_view title;      ///< for messages: "ONNX"
  /// Whether the file looks like one of this format, even if it is cut off.
  bool (*match)(Files& files, FileId main);
  /// Fills the graph with one node for each framework node: attributes and ports as in the framework. Throws what makes
  /// the file as a whole unusable.
  void (*load)(Graph& graph, FileId main, Diagnostics& diagnostics);
  /// Turns a loaded node into its internal op; see core/front/<framework>/extractor.h.
  void (*extract)(Node& node);
};
/// The loader for the file. Throws EmptyFile, OtherFormat (naming the format), UnknownFormat.
const Loader& find_loader(Files& files, FileId main);

namespace onnx {
extern const Loader kLoader;
}

}  // namespace mo
