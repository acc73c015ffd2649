// A conversion of a model in memory and its result; extensions that a test writes as lambdas.
#pragma once

#include <functional>
#include <memory>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "core/pipeline/extensions.h"
#include "tests/core/support/memory_files.h"
#include "tests/core/support/onnx_model.h"

namespace mo::test {

/// A transformation whose answers a test sets.
struct ScriptedTransform final : Transform {
  using Action = std::function<void(Graph&)>;

  void find_and_replace_pattern(Graph& graph) override {
    if (action) action(graph);
  }
  Names run_after() const override { return {after.begin(), after.end()}; }
  Names run_before() const override { return {before.begin(), before.end()}; }
  std::string_view id() const override { return own_id; }
  bool enabled() const override { return on; }
  bool graph_condition(Graph& graph) const override { return !condition || condition(graph); }
  bool run_not_recursively() const override { return only_model; }
  bool force_clean_up() const override { return cleans_up; }
  bool force_shape_inference() const override { return infers; }

  Action action;
  std::vector<std::string> after, before;
  std::string own_id;
  std::function<bool(Graph&)> condition;
  bool on = true, only_model = false, cleans_up = false, infers = false;
};

/// Adds a ScriptedTransform and returns it for further settings.
ScriptedTransform& add_transform(Extensions& extensions, std::string name, Phase phase,
                                 ScriptedTransform::Action action = {}, std::string framework = {});

/// An operation with the shape of its input 0, or without a shape.
UserOp same_shape_op(std::string op, std::string type);

struct Converted {
  std::unique_ptr<MemoryFiles> files;
  std::unique_ptr<Conversion> conversion;
  std::unique_ptr<pugi::xml_document> document;
  std::vector<std::string> trace;  ///< "phase:transform", as reported during the conversion

  bool ok() const { return conversion->ok(); }
  const std::string& xml() const { return conversion->xml(); }
  /// The first error, else the first message; empty if there is none.
  Message message() const;
  std::string code() const { return message().code; }
  std::vector<pugi::xml_node> layers() const;
  std::vector<pugi::xml_node> layers(std::string_view type) const;
  /// The layer with that name, or an empty one.
  pugi::xml_node layer(std::string_view name) const;
  /// The layer that feeds input `port` of `to`, or an empty one.
  pugi::xml_node source(pugi::xml_node to, int port) const;
  /// The .bin.
  std::vector<std::byte> bin() const;
};

/// Dimensions of output `index` of a layer: "1,3,8,8".
std::string dims(pugi::xml_node layer, int index = 0);
std::string precision(pugi::xml_node layer, int index = 0);
inline std::string text_of(pugi::xml_node node, const char* attribute) { return node.attribute(attribute).value(); }

/// With --compress_to_fp16=False unless `options` says otherwise.
Converted convert_model(const OnnxGraph& graph, Extensions* extensions = nullptr,
                        const std::vector<OptionText>& options = {});
/// The same for any model: the file or folder `name` of the files.
Converted convert_files(std::unique_ptr<MemoryFiles> files, const std::string& name,
                        const std::vector<OptionText>& options = {}, Extensions* extensions = nullptr);
/// The "MO…" code of a row of errors.def.
std::string code_text(Code code);

}  // namespace mo::test
