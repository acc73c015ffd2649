// What the rows of operators.def say to the loader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mo::caffe {

/// A row of core/front/caffe/extract/operators.def.
struct LayerRow {
  enum class Role : uint8_t {
    Node,     ///< becomes a node, which is extracted
    Input,    ///< an input of the network
    Data,     ///< reads what the network is trained with: what it gives becomes an input
    Vanish,   ///< a loss, or a measure: nobody reads what it gives
    Silence,  ///< the same, and what it reads is no output
    Copy,     ///< gives what it reads
    Blob,     ///< gives its blob
  };
  const char* name;
  const char* parameters;  ///< fields, separated by blanks: the layer's own one first
  const char* blobs;
  Role role = Role::Node;
};

/// Null if there is none.
const LayerRow* find_layer(std::string_view type);
/// The type as operators.def has it: "InnerProduct" for INNER_PRODUCT and inner_product, "Convolution" for V0's conv.
/// A type without a row stays as it is.
std::string layer_type(std::string_view type);

/// The fields of LayerParameter with its parameters. The first one may be "none".
std::vector<std::string> fields_of(const LayerRow& layer);

/// A blob of a layer, by its word in operators.def.
struct BlobRow {
  std::string filler;  ///< the field of its filler
  std::string flag;    ///< the layer has the blob only if this parameter is true
  bool has_default = false;
  double value = 0;            ///< what fills it without a filler
  bool of_one_bottom = false;  ///< it takes the place of a second bottom
};
struct BlobRows {
  bool any = false;   ///< the extractor says how many there may be
  bool each = false;  ///< the same layer for each of its bottoms
  std::vector<BlobRow> rows;
};
BlobRows blob_rows(const LayerRow& layer);

}  // namespace mo::caffe
