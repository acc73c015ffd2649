// States: each Assign writes a variable that one ReadValue reads, of its type.
#pragma once

#include <map>
#include <optional>

#include "core/ir/verify/verify.h"

namespace mo {

/// Takes the layers of a graph, and those of their bodies with them.
class IrStates {
 public:
  explicit IrStates(const IrChecks& checks) : checks_(checks) {}
  void add(const IrLayer& layer);
  void finish();

 private:
  struct State {
    std::optional<IrLayer> reader, writer;
  };

  const IrChecks& checks_;
  std::map<std::string, State> states_;
};

}  // namespace mo
