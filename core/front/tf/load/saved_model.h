// SavedModel: one or several graphs with signatures, and a checkpoint beside them.
#pragma once

#include "core/base/proto/message.h"
#include "core/front/loader.h"
#include "core/front/tf/load/tensor_proto.h"

namespace mo::tf {

/// The GraphDef of a MetaGraphDef; of size 0 without one.
WireField place_of_graph(const proto::Message& meta_graph);

/// Loads the graph with the tags of --saved_model_tags ("serve" without it, or the only graph), as far as its signature
/// needs it: --saved_model_signature, else serving_default, or the only one. The signature's keys become tensor names.
/// `folder` is the path of the folder, with a slash at its end, or "". Gives the place of the GraphDef. Throws
/// NoMetaGraph and NoSignature, which list those that the file has.
WireField load_saved_model(const LoadRequest& request, const Origin& origin, const proto::Message& saved_model,
                           const std::string& folder);

}  // namespace mo::tf
