// The nodes and numbers that the custom attributes of an entry of the transformations configuration name.
#pragma once

#include "core/front/config/transformations_config.h"

namespace mo {

class ConfiguredNodes {
 public:
  ConfiguredNodes(Graph& graph, std::string_view id, const CustomAttributes& given)
      : graph_(graph), id_(id), given_(given) {}

  bool has(std::string_view key) const { return given_.values.has(key); }
  /// The attribute. Throws BadConfigEntry if the entry lacks it or it has another type.
  double number(std::string_view key) const;
  int64_t whole(std::string_view key) const;
  /// Output 0 of the node of that name, or the tensor of that name if there is no such node. A name that the model
  /// lacks gives an empty port. Throws BadConfigEntry as above.
  OutPort output(std::string_view key);
  std::vector<OutPort> outputs(std::string_view key);
  /// Throws NothingMatched with all the names that the model lacks.
  void require_all() const;

  [[noreturn]] void fail(const Detail& why) const;

 private:
  OutPort named(const std::string& name);

  Graph& graph_;
  std::string_view id_;
  const CustomAttributes& given_;
  Strings missing_;
};

}  // namespace mo
