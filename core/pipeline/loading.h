// A model on its way from its file to internal operations: what a conversion, an inspection and a list of places begin
// with.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/front/cut/cut.h"
#include "core/front/loader.h"
#include "core/mo.h"
#include "core/pipeline/extensions.h"
#include "core/pipeline/makers.h"
#include "core/pipeline/mapping.h"
#include "core/pipeline/options.h"

namespace mo {

using ProgressFunction = std::function<void(const Progress&)>;

/// The errors that have been reported end the work.
struct Stop {};

class Loading {
 public:
  Loading(FileSet& set, ProgressFunction on_progress, Extensions* extensions);
  ~Loading();
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

  Model& model() { return *model_; }
  const Model& model() const { return *model_; }
  Graph& graph() { return graph_; }
  Diagnostics& diagnostics() { return model_->diagnostics; }
  Extensions* extensions() { return extensions_; }
  Makers& makers() { return makers_; }
  const Format& format() const { return *format_; }
  const ModelHead& head() const { return head_; }
  const std::vector<SourceTensor>& tensors() const { return tensors_; }  ///< for the mapping
  const std::string& frozen() const { return frozen_; }                  ///< for the check
  /// The file for TensorBoard, if it is asked for; see LoadedModel.
  const std::vector<Segment>& event_file() const { return event_file_; }
  /// The file of joined parameters, likewise.
  const std::vector<ContentPtr>& parameters_file() const { return parameters_file_; }

  /// Runs `work`. Errors that it throws are reported.
  void attempt(const std::function<void()>& work);
  /// Throws Stop.
  void stop_at_errors();
  void progress(std::string_view phase, std::string_view transform = {}, size_t index = 0, size_t count = 0);

  Options prepare(const std::vector<OptionText>& option_texts);
  void load(const std::string& main_file, const Options& options);
  /// Types and shapes of new inputs that the request does not give come from the whole model, which is loaded again.
  void cut(const std::string& main_file, const Options& options);
  void cut(const Options& options, const Measure& measure);
  /// For an inspection, which measures nothing. A place that the options name wrongly leaves the model as it is.
  void try_to_cut(const Options& options);
  /// What is not needed after cutting goes.
  void prune() { loaded_->prune(graph_); }
  /// Makes internal operations of the nodes. What is wrong with single ones is reported.
  void extract();
  /// Reports unsupported operations only, for a model that is not complete.
  void find_unsupported();

  /// Reports unknown operations that no transformation has replaced by the end of the front phase.
  void refuse_unknown();
  bool has_unknown() const { return !unknown_.empty(); }
  /// The same as warnings.
  void warn_of_unknown();
  void require_static_inputs();
  /// Another Loading makes the result: what users' extensions hold of this graph is forgotten with it.
  void only_measures() { is_measured_ = true; }
  /// Errors that what the options say of the inputs can have caused say that, too, where it contradicts the model.
  void blame_options();

 private:
  /// What the model says of an input, before the options change it.
  struct OwnInput {
    Node* parameter;
    PartialShape shape;
    ElementType type;
  };
  void note_contradictions(const std::vector<OwnInput>& inputs, const Options& options);
  void join_user_ops();
  void extract(Node& node);
  void infer_whole(const std::string& main_file, const Options& options);

  FileSet& set_;
  std::shared_ptr<Model> model_;
  Graph graph_;
  const ProgressFunction on_progress_;
  Extensions* extensions_;
  Makers makers_;
  std::unique_ptr<UserOps> user_ops_;
  std::vector<std::pair<Node*, Error>> unknown_;  ///< operations without an extractor
  const Format* format_ = nullptr;
  ModelHead head_;
  std::unique_ptr<LoadedModel> loaded_;
  std::set<const Node*> shaped_;                  ///< inputs whose shapes the options give
  std::map<std::string, const Tensor*> by_name_;  ///< of infer_whole()
  /// What options say of inputs otherwise than the model: the option, and the sentence.
  std::vector<std::pair<std::string_view, Detail>> contradictions_;
  Progress last_;
  bool is_measured_ = false;  ///< another Loading makes the result
  bool configured_ = false;   ///< there is a transformations configuration
  bool is_cut_ = false;       ///< the options have cut something off
  std::vector<SourceTensor> tensors_;
  std::string frozen_;
  std::vector<Segment> event_file_;
  std::vector<ContentPtr> parameters_file_;
};

}  // namespace mo
