// The ONNX loader: one walk over the file, one Node for each NodeProto, weights as places.

#include "core/front/loader.h"

#include "core/base/proto/wire_message.h"
#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/load/graph_loader.h"
#include "onnx_messages.h"

namespace mo::onnx {
namespace {

/// Whether every field of the head of the file is one of ModelProto's, of its wire type; a graph or an ir_version among
/// them.
bool match_onnx(Files& files, FileId main) {
  Window window(files, main);
  const int model = pb::kSchema.message("ModelProto");
  bool told = false;
  try {
    WireReader reader(window, 0, window.size());
    WireField f;
    for (int i = 0; i < 64 && reader.next(f); ++i) {
      const proto::FieldRow* row = pb::kSchema.field(model, f.number);
      if (!row || !proto::fits(*row, f.type)) return false;
      const bool version = f.number == pb::ModelProto::ir_version, graph = f.number == pb::ModelProto::graph;
      if (version && f.value > 1000) return false;
      told |= graph || (version && i == 0);
      if (graph) break;
      // SavedModel also begins with a number 1, but its meta graphs (2) are no short texts.
      if (f.number == pb::ModelProto::producer_name && f.size > 4096) return false;
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
