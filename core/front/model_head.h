// What a file says about its model, beside the graph.
#pragma once

#include <map>
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
  std::string producer, producer_version;
  std::vector<OperatorSet> operator_sets;
  std::string signature;                  ///< the one that was loaded
  std::vector<std::string> tags;          ///< of the graph that was loaded
  std::map<std::string, Output> outputs;  ///< by the name of a tensor
};

}  // namespace mo
