// The interface of formats: recognise a model by its bytes, never by its name; load it into a graph; extract its nodes.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/front/common/operators.h"
#include "core/front/companions/companion.h"
#include "core/front/load_options.h"
#include "core/front/model_file.h"
#include "core/front/model_head.h"
#include "core/graph/graph.h"

namespace mo {

/// A model whose nodes are in the graph. It holds what they refer to until they are extracted.
class LoadedModel {
 public:
  /// `operators` are those of its format.
  explicit LoadedModel(const Operators& operators) : operators_(operators) {}
  virtual ~LoadedModel() = default;
  /// Called once after cutting, before nodes are extracted: removes what need not be supported any more.
  virtual void prune(Graph&) {}
  /// Whether the user has said to the format itself what the node is: then neither extensions nor rows are asked.
  virtual bool is_settled(const Node&) const { return false; }
  /// Turns a loaded node, of the model or of a body, into its internal op as the row of its operation says. Throws
  /// UnsupportedOp, and errors of the node's attributes and ports; the caller adds the place.
  void extract(Node& node);
  /// The file from which TensorBoard shows the model, for the list of side files. Empty for a format that TensorBoard
  /// does not show. Throws OptionNotInBuild.
  virtual std::vector<Segment> event_file() const { return {}; }
  /// A file with the parameters that several files give together, as contents one after the other. Empty for a model
  /// whose parameters are those of one file.
  virtual std::vector<ContentPtr> parameters_file() const { return {}; }

 protected:
  // What rows do not say. Most formats need none of these.
  /// For all operations that have a row, before it is followed. True if the node is extracted by that.
  virtual bool prepare(Node&) { return false; }
  /// The same, after the row has been followed.
  virtual void finish(Node&) {}
  /// For an operation without a row: throws UnsupportedOp.
  virtual void extract_unknown(Node& node);

 private:
  const Operators& operators_;
};

/// The shapes of a node's outputs, by those of its inputs, where the node's operation is not known here. Empty if
/// nothing gives them.
using ShapeProvider = std::function<std::vector<PartialShape>(Node&, const std::vector<PartialShape>&)>;

/// The model to load, and what to fill: the graph, and the facts of the head.
struct LoadRequest {
  const ModelFile& model;  ///< gives access to the file set
  const LoadOptions& options;
  Graph& graph;
  Diagnostics& diagnostics;
  ModelHead& head;
  ShapeProvider shapes = {};

  /// The files of a role: those that its option names, or else those that lie beside the model.
  Companion companion(const Role& role) const;
  /// The same for a model that cannot do without. Throws NoCompanion, SeveralCompanions.
  Companion needed_companion(const Role& role) const;
};

/// Something that belongs to a model, without the model.
struct LoneCompanion {
  std::string_view reason, hint;
};

class Loader {
 public:
  /// Whether the model is of this format, even if its file is incomplete.
  virtual bool match(const ModelFile& model) const = 0;
  /// Adds one node to the graph for each framework node, with the framework's attributes and ports. Throws errors that
  /// make the whole model unusable, with byte offsets for binary files, line and column for texts.
  virtual std::unique_ptr<LoadedModel> load(const LoadRequest& request) const = 0;
  /// What the files of a model are for, besides the main one and those that the model itself names.
  virtual std::span<const Role> roles() const { return {}; }
  /// Paths of files, separated by blanks: a folder that has one of them is one model.
  virtual std::string_view folder_marks() const { return {}; }
  /// Patterns, separated by blanks, of main files that a user may name without their ends: {stem} stands for what the
  /// user gives (core/front/companions/file_name.h).
  virtual std::string_view short_names() const { return {}; }
  /// If the file, or folder, is no model but belongs to one: why, and what to give too.
  virtual std::optional<LoneCompanion> lone_companion(const ModelFile&) const { return {}; }
  /// Those of the format's endings that other files have, too, separated by blanks: their bytes decide.
  virtual std::string_view shared_endings() const { return {}; }
  /// The rows of its operators.def.
  virtual const Operators& operators() const = 0;
  /// The names of the models in a file or folder that has several, by which --model_name chooses; else none. Throws
  /// what load() throws for a file that cannot be read.
  virtual std::vector<std::string> model_names(Files&, const std::string&) const { return {}; }

 protected:
  ~Loader() = default;
};

/// A row MO_FORMAT of core/front/formats.def.
struct Format {
  std::string_view framework;  ///< "onnx", …
  std::string_view title;      ///< for messages: "ONNX"
  std::string_view endings;    ///< ".onnx", separated by blanks
  const Loader& (*loader)();
};
const std::vector<Format>& all_formats();

/// The format of a model that no loader reads. Its title is empty if the format is unknown.
Recognised recognise(const ModelFile& model);

/// The line of Python that exports a file of Keras as a SavedModel: .keras, an archive with config.json and
/// model.weights.h5, and .h5, which is HDF5. Empty for other files.
std::string keras_export(const ModelFile& model);

/// What a file is that no loader reads, and what to do: KerasFile, OtherFormat, UnknownFormat. None if it is unknown.
std::optional<Error> refusal(const ModelFile& model);

/// find_models() for who has the files already. Throws HostReadFailed.
FoundModels models_below(Files& files, std::string_view folder);

/// The format of the model. Throws EmptyFile, NoSuchModel for a folder that is no model, KerasFile, OtherFormat (with
/// the name of the format), UnknownFormat.
const Format& find_format(const ModelFile& model);

}  // namespace mo
