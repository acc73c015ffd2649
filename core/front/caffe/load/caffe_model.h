// A network of Caffe between loading and extraction.
#pragma once

#include "core/front/caffe/custom/custom_layers.h"

namespace mo::caffe {

class CaffeModel final : public LoadedModel {
 public:
  explicit CaffeModel(std::unique_ptr<CustomLayers> custom);
  void prune(Graph& graph) override { custom_->require_shapes(graph); }
  bool is_settled(const Node& node) const override { return custom_->is_mapped(node); }

 protected:
  /// If only layers that nobody knows follow one, the error says where to cut them off.
  void extract_unknown(Node& node) override;

 private:
  std::unique_ptr<CustomLayers> custom_;
  std::optional<Detail> hint_;
};

}  // namespace mo::caffe
