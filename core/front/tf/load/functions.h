// The functions of a graph's library.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/proto/message.h"

namespace mo::tf {

struct Function {
  std::string name;
  std::vector<std::string> arguments;                   ///< names of its inputs, in order
  std::vector<std::string> results;                     ///< names of its outputs, in order
  std::map<std::string, std::string, std::less<>> ret;  ///< for each result the tensor: "node:output:0", or an argument
  proto::Message body;                                  ///< the FunctionDef
};

class FunctionLibrary {
 public:
  /// Of a GraphDef. Functions are read when they are looked up.
  explicit FunctionLibrary(const proto::Message& graph_def);
  /// Null if there is no such function.
  const Function* find(std::string_view name);

 private:
  std::optional<proto::Message> library_;
  std::map<std::string, proto::Entry, std::less<>> places_;
  std::map<std::string, Function, std::less<>> read_;
};

}  // namespace mo::tf
