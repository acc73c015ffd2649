#include "core/pipeline/loading.h"

#include <algorithm>
#include <new>

#include "core/base/layout_text.h"
#include "core/base/text.h"
#include "core/front/cut/batch.h"
#include "core/front/preprocess/preprocess.h"
#include "core/graph/framework_node.h"
#include "core/layout/settle_layout.h"
#include "core/ops/contract.h"
#include "core/ops/op_def.h"
#include "core/pipeline/check_facts.h"

namespace mo {
namespace {

/// An input that the framework has as a node. Its shape and type come from the loader and the options.
bool is_input(const Node& node) { return node.op() == "Parameter" && node.pb->op != "Parameter"; }

/// Whether the node is in the model or in a body that is.
bool is_left(const Node& node) {
  const Node* at = &node;
  while (!at->removed() && at->graph().owner()) at = at->graph().owner();
  return !at->removed();
}

PartialShape shape_of_input(const Node& parameter) {
  const auto* shape = parameter.attributes.get_if<PartialShape>("shape");
  return shape ? *shape : PartialShape();
}

/// So many are told with an error: a model may have very many inputs, and errors.
constexpr size_t kMostContradictions = 4;

bool contradict(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return false;
  for (size_t i = 0; i < std::min(a.dimensions().size(), b.dimensions().size()); ++i)
    if (!intersect(a[i], b[i])) return true;
  return a.rank() != b.rank();
}

}  // namespace

Loading::~Loading() {
  if (is_measured_ && extensions_ && extensions_->forget) extensions_->forget(graph_);
}

Loading::Loading(FileSet& set, ProgressFunction on_progress, Extensions* extensions)
    : set_(set),
      model_(std::make_shared<Model>(set, built_in_operations())),
      graph_(model_),
      on_progress_(std::move(on_progress)),
      extensions_(extensions),
      makers_(extensions) {
  if (on_progress_) model_->heartbeat = [this] { on_progress_(last_); };
}

void Loading::attempt(const std::function<void()>& work) {
  try {
    work();
  } catch (const Stop&) {
  } catch (const Error& error) {
    diagnostics().add(error);
  } catch (const std::bad_alloc&) {
    diagnostics().add(Error(Code::OutOfMemory));
  } catch (const std::exception& error) {
    diagnostics().add(Error(Code::Unexpected, msg(error.what())));
  }
}

void Loading::stop_at_errors() {
  if (diagnostics().has_errors()) throw Stop();
}

void Loading::progress(std::string_view phase, std::string_view transform, size_t index, size_t count) {
  last_ = {phase, transform, static_cast<int>(index), static_cast<int>(count)};
  if (on_progress_) on_progress_(last_);
}

Options Loading::prepare(const std::vector<OptionText>& option_texts) {
  Options options = parse_options(option_texts);
  model_->options = options.given;
  if (options.allow_large_output) model_->files.allow_large_output();
  configured_ = !options.transformations_config.empty();
  model_->static_shape = options.static_shape;
  model_->compress_to_fp16 = options.compress_to_fp16;
  model_->disable_nhwc_to_nchw = options.disable_nhwc_to_nchw;
  if (options.weights.is_integer()) request_weights(*model_, options.weights);
  if (!options.transforms.empty()) request_transforms(*model_, options.transforms);
  for (const Error& warning : options.warnings) diagnostics().warn(warning);
  join_user_ops();  // before there are nodes, which look their definition up once
  return options;
}

void Loading::load(const std::string& main_file, const Options& options) {
  progress("load");
  const ModelFile file(model_->files, main_file);
  format_ = &find_format(file);
  model_->framework = format_->framework;
  const auto where = [&] { return Place{.file = main_file}; };
  const ShapeProvider shapes = extensions_ ? extensions_->shapes_for(format_->framework) : ShapeProvider();
  with_place(where, [&] {
    loaded_ = format_->loader().load({file, options.load, graph_, diagnostics(), head_, shapes});
  });
  if (options.event_file) event_file_ = loaded_->event_file();
  if (options.parameters_file) parameters_file_ = loaded_->parameters_file();
  graph_.topological_order();  // report a cycle first
  if (graph_.results.empty() && !diagnostics().has_errors()) throw Error(Code::EmptyGraph, "the model has no outputs");
}

void Loading::cut(const std::string& main_file, const Options& options) {
  std::unique_ptr<Loading> whole;
  cut(options, [&](OutPort port) -> const Tensor* {
    if (!whole) {
      whole = std::make_unique<Loading>(set_, on_progress_, extensions_);
      whole->infer_whole(main_file, options);
    }
    for (const std::string& name : port.tensor().names)
      if (const auto found = whole->by_name_.find(name); found != whole->by_name_.end()) return found->second;
    return nullptr;
  });
}

void Loading::cut(const Options& options, const Measure& measure) {
  if (options.generate_mapping) tensors_ = source_tensors(graph_);
  const size_t nodes = graph_.nodes().size();
  std::vector<OwnInput> own;
  for (Node* parameter : graph_.parameters)
    own.push_back({parameter, shape_of_input(*parameter), parameter->get_type("data_type")});
  std::vector<NamedInput> named = mo::cut(graph_, options.cut, measure);
  is_cut_ = graph_.nodes().size() < nodes;
  for (const NamedInput& input : named)
    if (input.has_shape) shaped_.insert(input.parameter);
  std::erase_if(named, [](const NamedInput& input) { return !input.is_listed; });
  set_preprocessing(graph_, options.preprocess, named);
  if (options.cut.batch) set_batch(graph_, *options.cut.batch);
  note_contradictions(own, options);
  // What users' transformations make of the inputs is not known yet.
  if (!configured_ && (!extensions_ || extensions_->transforms.empty())) check_channel_values(graph_);
  if (options.emit_check) frozen_ = note_sources(graph_, options.cut);
}

void Loading::note_contradictions(const std::vector<OwnInput>& inputs, const Options& options) {
  for (const auto& [parameter, own, own_type] : inputs) {
    if (contradictions_.size() >= kMostContradictions) return;
    if (parameter->removed()) continue;
    const std::string name = cat("\"", printable(parameter->name()), "\"");
    const PartialShape shape = shape_of_input(*parameter);
    if (contradict(own, shape)) {
      const std::string_view option = options.cut.batch                                          ? "batch"
                                      : options.cut.shapes.empty() && options.cut.shaped.empty() ? "input"
                                                                                                 : "input_shape";
      contradictions_.emplace_back(option, msg("; the model says [", to_string(own), "] of ", name, ", --", option,
                                               " says [", to_string(shape), "]"));
    }
    const ElementType type = parameter->get_type("data_type");
    if (own_type != ElementType::Unknown && type != own_type)
      contradictions_.emplace_back(
          "input", msg("; the model says ", ir_name(own_type), " of ", name, ", --input says ", ir_name(type)));
    if (!own.has_rank()) continue;
    // Several values say how many channels there are, where the model leaves it open.
    const std::string source = parameter->get_string("source_layout");
    const auto axis = channel_axis(own, source.empty() ? parameter->get_string("target_layout") : source);
    for (const char* option : {"mean_values", "scale_values"})
      if (const size_t count = parameter->get_floats(option).size(); count > 1 && axis && !own[*axis].is_exact())
        contradictions_.emplace_back(option, msg("; the model says [", to_string(own), "] of ", name, ", --", option,
                                                 " says ", count, " channels"));
  }
}

void Loading::blame_options() {
  for (const auto& [option, sentence] : contradictions_)
    diagnostics().blame_option(option, sentence, msg("; check --", option),
                               {Code::ShapeMismatch, Code::RankMismatch, Code::BadValue, Code::UnsupportedType,
                                Code::UnsupportedForm, Code::BadAttribute});
}

void Loading::try_to_cut(const Options& options) {
  try {
    cut(options, [](OutPort) { return nullptr; });
  } catch (const Error& error) {
    diagnostics().add(error);
  }
}

void Loading::find_unsupported() {
  std::set<std::string> reported;
  for (const Message& message : diagnostics().messages()) reported.insert(message.node);
  for_each_graph(graph_, [&](Graph& graph) {
    for (Node* node : graph.nodes()) {
      if (!node->pb || is_input(*node) || reported.count(node->name())) continue;
      try {
        extract(*node);
      } catch (const Error& error) {
        if (error.code() == Code::UnsupportedOp) diagnostics().add(error);
      }
    }
  });
}

/// Infers as much of the model as can be inferred, and ignores what is not supported.
void Loading::infer_whole(const std::string& main_file, const Options& options) {
  only_measures();
  try {
    join_user_ops();
    load(main_file, options);
    progress("extract");
    prune();
    extract();
    const Decompositions decompositions(model_->framework, options.switches);
    model_->decompose = [&](Node& node) { return decompositions.apply(node); };
    model_->stage = Stage::Front;
    infer_graph(graph_, diagnostics());
    model_->decompose = nullptr;
  } catch (const Error&) {
  }
  for (Node* node : graph_.nodes())
    for (int i = 0; i < node->out_count(); ++i)
      for (const std::string& name : node->out(i).tensor().names) by_name_.emplace(name, &node->out(i).tensor());
}

void Loading::join_user_ops() {
  if (!extensions_) return;
  user_ops_ = std::make_unique<UserOps>(extensions_->ops);
  user_ops_->join(*model_);
}

/// A user's extractor comes before a built-in one.
void Loading::extract(Node& node) {
  if (loaded_->is_settled(node)) return;
  at_node(node, [&] {
    const auto* by = extensions_ ? extract_by_user(*extensions_, model_->framework, node) : nullptr;
    if (by)
      makers_.extracted(node, *by);
    else
      loaded_->extract(node);
  });
}

void Loading::extract() {
  const bool may_be_replaced = configured_ || (extensions_ && !extensions_->transforms.empty());
  for_each_graph(graph_, [&](Graph& graph) {
    for (Node* node : graph.nodes()) {
      if (!node->pb || is_input(*node)) continue;
      const Strings loaded = attribute_names(*node);
      try {
        extract(*node);
        hold_to_contract(*node, loaded);
      } catch (const Error& error) {
        if (error.code() == Code::UnsupportedOp && may_be_replaced)
          unknown_.emplace_back(node, error);
        else
          diagnostics().add(error);
      }
    }
  });
  settle_layout(graph_, is_cut_);
}

void Loading::refuse_unknown() {
  for (const auto& [node, error] : unknown_)
    if (is_left(*node) && node->pb && node->op() == node->pb->op) diagnostics().add(error);
  stop_at_errors();
}

void Loading::warn_of_unknown() {
  for (const auto& [node, error] : unknown_) diagnostics().warn(error);
}

void Loading::require_static_inputs() {
  for (const Node* node : graph_.parameters) {
    const PartialShape* shape = node->attributes.get_if<PartialShape>("shape");
    if (!shaped_.count(node) && (!shape || !shape->is_static()))
      diagnostics().add(
          Error(Code::UndefinedInputShape, msg("[", to_string(shape ? *shape : PartialShape()), "]"), node->place()));
  }
  stop_at_errors();
}

}  // namespace mo
