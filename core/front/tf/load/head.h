// What graphs of TensorFlow say about themselves.
#pragma once

#include <string>

#include "core/base/proto/message.h"
#include "core/front/model_head.h"

namespace mo::tf {

/// The version of a GraphDef. These functions throw nothing: what cannot be read stays unknown.
void read_graph_head(const proto::Message& graph_def, ModelHead& head);
/// Tags and version of a MetaGraphDef, and what its graph says.
void read_meta_head(const proto::Message& meta_graph, ModelHead& head);
/// Name, and types and shapes of the outputs, of a SignatureDef.
void read_signature_head(const std::string& name, const proto::Message& signature, ModelHead& head);

}  // namespace mo::tf
