// Makes the graph of a network: a node for each layer, named after it, whose inputs are the layer's bottoms and then
// its blobs. A layer may write what it reads: later layers read what was written last.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/front/caffe/load/inputs.h"
#include "core/front/caffe/load/weights.h"
#include "core/front/loader.h"

namespace mo::caffe {

class GraphLoader {
 public:
  /// `weights` may be null.
  GraphLoader(const LoadRequest& request, FileId text, const Weights* weights)
      : graph_(request.graph), diagnostics_(request.diagnostics), text_(text), weights_(weights) {}

  /// Errors of single layers go to the diagnostics.
  void load(const proto::Message& network, const Strings& stages, CustomLayers& custom);
  /// Layers whose weights are neither in the .caffemodel nor defined by the text.
  const Strings& without_weights() const { return without_weights_; }

 private:
  /// What Caffe calls a blob: the tensor that has the name now.
  struct Tensor {
    OutPort port;         ///< empty: its layer vanished, or failed
    OutPort input;        ///< an input of this name, which a layer has written in place
    bool failed = false;  ///< an error of its layer has been reported
    bool is_read = false, is_silent = false, is_input = false;
    bool is_data = false;  ///< a data layer gives it: an input only if a layer reads it
  };

  Node& add_input(const std::string& name, const std::string& tensor, const PartialShape& shape, bool is_data = false);
  /// The layer is what the node comes from.
  void describe(Node& node, const LayerRecord& layer) const;
  void add_layer(const LayerRecord& layer);
  void add_blob(const LayerRecord& layer);
  void add_nodes(const LayerRecord& layer);
  void add_node(const LayerRecord& layer, const BlobRows& rows, const Strings& bottoms, const Strings& tops);
  void warn_of_unknown_fields(const LayerRecord& layer);
  Tensor& read(const std::string& tensor);
  void define(size_t top, const Strings& bottoms, const std::string& name, OutPort port);
  void add_results();

  // blobs.cpp
  std::vector<const BlobRow*> wanted_blobs(const LayerRecord& layer, const BlobRows& rows) const;
  const std::vector<Blob>* blobs_in_file(const LayerRecord& layer) const;
  void require_one_of_its_name(const LayerRecord& layer, const BlobRows& rows);
  std::vector<OutPort> blobs_of(const LayerRecord& layer, const BlobRows& rows, OutPort x, Attributes& attributes);
  OutPort filled(const LayerRecord& layer, const BlobRow& row, OutPort x);

  Graph& graph_;
  Diagnostics& diagnostics_;
  FileId text_;
  const Weights* weights_;
  int64_t version_ = 2;
  std::map<std::string, Tensor> tensors_;
  Strings order_;                          ///< of their names
  std::map<std::string, OutPort> shared_;  ///< blobs by the name under which layers share them
  std::set<std::string> weighted_;         ///< layers that have taken their weights
  std::set<std::string> warned_;           ///< unknown fields, each of which is reported for the first layer
  Strings without_weights_;
};

}  // namespace mo::caffe
