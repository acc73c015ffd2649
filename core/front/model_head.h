// What a file says about its model, beside the graph.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/element_type.h"
#include "core/base/shape.h"

namespace mo {

/// Filled by a loader as far as its format has these facts. They change nothing in the conversion.
struct ModelHead {
  struct OperatorSet {
    std::string domain;  ///< "ai.onnx", "tensorflow"
    int64_t version = 0;
  };
  struct Output {
    PartialShape shape;
    ElementType type = ElementType::Unknown;
  };
  /// What a file beside the model says of how a picture becomes its input.
  struct Preparation {
    std::string file;   ///< its name
    std::string model;  ///< what it calls the model
    /// As --mean_values and --scale_values have them, for numbers from 0 to 255; one for each channel, or one for all.
    std::vector<double> mean, scale;
    std::string colours;             ///< "RGB", "BGR"
    std::string order;               ///< "hwc", "chw": of the numbers that are normalised
    std::vector<std::string> sizes;  ///< of the picture, as the file has them
    std::string dictionary;          ///< the name of the file or the list with what its outputs mean
  };
  std::string producer, producer_version;
  std::vector<OperatorSet> operator_sets;
  std::string signature;                  ///< the one that was loaded
  std::vector<std::string> tags;          ///< of the graph that was loaded
  std::map<std::string, Output> outputs;  ///< by the name of a tensor
  std::optional<Preparation> preparation;
};

}  // namespace mo
