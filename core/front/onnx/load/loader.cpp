// The ONNX loader: one walk over the file, one Node for each NodeProto, weights as places.

#include "core/front/loader.h"

#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/load/graph_loader.h"

namespace mo::onnx {
namespace {

/// Whether every field of the head of the file is one of ModelProto's, of its wire type; a graph or an ir_version among
/// them.
bool match_onnx(Files& files, FileId main) {
  Window window(files, main);
  bool told = false;
  try {
    WireReader reader(window, 0, window.size());
    WireField f;
    for (int i = 0; i < 64 && reader.next(f); ++i) {
      const bool number = f.number == 1 || f.number == 5;
      const bool bytes =
          (f.number >= 2 && f.number <= 8) || f.number == 14 || f.number == 20 || f.number == 25 || f.number == 26;
      if (!(number && f.type == WireField::Varint) && !(bytes && f.number != 5 && f.is_bytes())) return false;
      if (f.number == 1 && f.value > 1000) return false;
      told |= f.number == 7 || (f.number == 8 && told) || (f.number == 1 && i == 0);
      if (f.number == 7) break;
      // SavedModel also begins with a number 1, but its meta graphs (2) are no short texts.
      if (f.number == 2 && f.size > 4096) return false;
    }
  } catch (const Error& error) {
    return told && error.code() == Code::TruncatedFile;
  }
  return told;
}

void load_onnx(Graph& graph, FileId main, Diagnostics& diagnostics) {
  Window window(graph.files(), main);
  ModelLoader(graph, window, diagnostics).load();
}

}  // namespace

const Loader kLoader{"onnx", "ONNX", match_onnx, load_onnx, extract};

}  // namespace mo::onnx
