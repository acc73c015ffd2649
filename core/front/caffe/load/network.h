// The layers of a prototxt, of any of its versions: V2 (`layer`), V1 (`layers`) and V0 (`layers { layer { } }`), as
// layers of today's types and parameters.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/proto/message.h"
#include "core/front/caffe/load/layer_table.h"
#include "core/graph/attributes.h"
#include "core/graph/model.h"

namespace mo::caffe {

class CustomLayers;

struct LayerRecord {
  std::string name, type;         ///< the type as operators.def has it
  std::string op;                 ///< of a mapped layer, its operation here; else empty
  const LayerRow* row = nullptr;  ///< null: a type that nobody knows
  Strings bottoms, tops;
  Strings shared;                 ///< names of the layer's blobs, by which layers share them; may be empty, or fewer
  Attributes parameters;          ///< by the names of today
  proto::Message message;         ///< the layer, in V0 that within the layer
  proto::Message own;             ///< its parameters: a field of the message, in V0 the same
  uint64_t offset = 0, size = 0;  ///< of the layer with its braces in the text
  Place place;
};

/// The network of the text. Throws the errors of the text.
proto::Message read_network(Files& files, FileId file);
/// Its layers that are there in phase TEST, in their order. Throws, with line and column, what the values of fields are
/// not, and BadFieldValue for a layer with both kinds of rules.
std::vector<LayerRecord> read_layers(const proto::Message& network, const Strings& stages, CustomLayers& custom,
                                     Model& model);

/// Whether the layer, or its V0 or V1 form, is there in phase TEST with these stages. Throws BadFieldValue.
bool is_included(const proto::Message& layer, const Strings& stages, int64_t level);

}  // namespace mo::caffe
