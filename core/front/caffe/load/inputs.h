// The inputs of a network: those of its text, Input layers, and what data layers read.
#pragma once

#include "core/base/shape.h"
#include "core/front/caffe/load/network.h"

namespace mo::caffe {

struct NetworkInput {
  std::string name;
  PartialShape shape;
};

/// `input` with `input_shape`, or with four `input_dim` for each. Throws, with line and column, BadFieldValue.
std::vector<NetworkInput> inputs_of(const proto::Message& network);
/// What the tops of an Input layer have: one shape for all, or one for each. Throws BadFieldValue.
std::vector<PartialShape> shapes_of_input(const LayerRecord& layer);
/// What the tops of a data layer have, as far as its parameters say: pictures, then one number for each. -1 is open.
std::vector<PartialShape> shapes_of_data(const LayerRecord& layer);

}  // namespace mo::caffe
