// All steps of a conversion: load, extract, transforms in order, emit.

#include <map>
#include <new>
#include <set>

#include "core/base/text.h"
#include "core/front/config/built_in.h"
#include "core/front/config/transformations_config.h"
#include "core/front/cut/batch.h"
#include "core/front/cut/cut.h"
#include "core/front/loader.h"
#include "core/front/preprocess/preprocess.h"
#include "core/graph/framework_node.h"
#include "core/ir/ir_writer.h"
#include "core/layout/settle_layout.h"
#include "core/ops/contract.h"
#include "core/ops/op_def.h"
#include "core/pipeline/check_facts.h"
#include "core/pipeline/convert_graph.h"
#include "core/pipeline/json_report.h"
#include "core/pipeline/mapping.h"
#include "core/pipeline/options.h"
#include "core/pipeline/place_list.h"
#include "core/pipeline/trace.h"
#include "core/pipeline/transforms.h"

namespace mo {
namespace {

class ConversionImpl final : public Conversion {
 public:
  ConversionImpl(FileSet& set, const std::function<void(const Progress&)>& on_progress, Extensions* extensions,
                 const TextSink& xml = {})
      : set_(set),
        model_(std::make_shared<Model>(set, built_in_operations())),
        graph_(model_),
        plan_(model_->files),
        on_progress_(on_progress),
        extensions_(extensions),
        xml_sink_(xml ? xml : [this](std::string_view piece) { xml_ += piece; }) {
    if (on_progress_) model_->heartbeat = [this] { on_progress_(last_); };
  }

  bool ok() const override { return ok_; }
  const std::vector<Message>& messages() const override { return model_->diagnostics.messages(); }
  const std::string& updated_config() const override { return updated_config_; }
  const std::string& analysis() const override { return analysis_; }
  const std::string& mapping() const override { return mapping_; }
  const std::string& check_facts() const override { return check_facts_; }
  const std::string& trace() const override { return trace_text_; }
  const std::vector<Segment>& event_file() const override { return event_file_; }
  const std::string& xml() const override { return xml_; }
  const std::vector<Segment>& segments() const override { return ok_ ? plan_.segments() : nothing_; }
  const std::vector<std::string>& files() const override { return model_->files.names(); }
  void read_recipe(uint32_t recipe, uint64_t offset, std::span<std::byte> out) override {
    plan_.read_recipe(recipe, offset, out);
  }
  const std::string& report() const override { return report_; }

  void run(std::string_view main_file, const std::vector<OptionText>& option_texts) {
    run(option_texts, [&](const Options& options) {
      load(std::string(main_file), options);
      stop_at_errors();
      trace("load");
      cut_graph(main_file, options);
      trace("load", "cut");
      extract();
    });
  }

  void run(const std::function<void(Graph&)>& make, const std::vector<OptionText>& option_texts) {
    run(option_texts, [&](const Options& options) {
      make(graph_);
      trace("load");
      cut_and_preprocess(options, [](OutPort) { return nullptr; });
    });
  }

  /// In spite of errors the facts are given, as far as they are known.
  Inspection inspect(std::string_view main_file, const std::vector<OptionText>& option_texts,
                     const std::function<void(const std::string&)>& on_facts) {
    Inspection out;
    attempt([&] {
      const Options options = prepare(option_texts);
      load(std::string(main_file), options);
      const bool complete = !diagnostics().has_errors();
      if (complete) try_to_cut(options);
      if (!options.model_name.empty()) model_->name = options.model_name;
      if (complete) {
        progress("extract");
        loaded_->prune(graph_);
        if (on_facts) on_facts(first_facts_json(graph_, *format_, head_));
        extract_nodes();
      } else if (!graph_.results.empty()) {
        find_unsupported();
      }
      for (const auto& [node, error] : unknown_) diagnostics().warn(error);
      out.facts = inspection_json(graph_, *format_, head_);
    });
    out.messages = messages();
    return out;
  }

  PlaceList list_places(std::string_view main_file, const std::vector<OptionText>& option_texts) {
    PlaceList out;
    attempt([&] {
      load(std::string(main_file), prepare(option_texts));
      out.json = place_list(graph_);
    });
    out.messages = messages();
    return out;
  }

 private:
  struct Stop {};

  /// `make` fills the graph with internal operations.
  void run(const std::vector<OptionText>& option_texts, const std::function<void(const Options&)>& make) {
    attempt([&] {
      const Options options = prepare(option_texts);
      const std::string config = read_config(options);
      if (options.trace) trace_ = std::make_unique<Trace>(graph_);
      make(options);
      trace("extract");
      stop_at_errors();
      if (!options.model_name.empty()) model_->name = options.model_name;
      // Shapes without names belong to all inputs.
      const bool all_given = options.cut.inputs.empty() && !options.cut.shapes.empty();
      if (options.static_shape && !all_given) require_static_inputs();
      if (!options.config_update.empty()) {
        update_config(config);
      } else {
        transform(options, config);
        if (analysis_.empty()) emit(options);
      }
    });
    if (trace_) trace_text_ = trace_->take();
    ok_ = !diagnostics().has_errors();
    if (!ok_) xml_.clear(), mapping_.clear(), check_facts_.clear(), report_ = "{}";
  }

  /// Errors that `work` throws are reported.
  void attempt(const std::function<void()>& work) {
    try {
      work();
    } catch (const Stop&) {
    } catch (const Error& error) {
      diagnostics().add(error);
    } catch (const std::bad_alloc&) {
      diagnostics().add(Error(Code::OutOfMemory));
    } catch (const std::exception& error) {
      diagnostics().add(Error(Code::Unexpected, error.what()));
    }
  }

  Options prepare(const std::vector<OptionText>& option_texts) {
    Options options = parse_options(option_texts);
    model_->options = options.given;
    configured_ = !options.transformations_config.empty();
    model_->static_shape = options.static_shape;
    model_->compress_to_fp16 = options.compress_to_fp16;
    model_->disable_nhwc_to_nchw = options.disable_nhwc_to_nchw;
    if (!options.transforms.empty()) request_transforms(*model_, options.transforms);
    for (const Error& warning : options.warnings) diagnostics().warn(warning);
    join_user_ops();  // before there are nodes, which look their definition up once
    return options;
  }

  Diagnostics& diagnostics() { return model_->diagnostics; }
  void stop_at_errors() {
    if (diagnostics().has_errors()) throw Stop();
  }
  void progress(std::string_view phase, std::string_view transform = {}, size_t index = 0, size_t count = 0) {
    last_ = {phase, transform, static_cast<int>(index), static_cast<int>(count)};
    if (on_progress_) on_progress_(last_);
  }

  void trace(std::string_view phase, std::string_view transform = {}) {
    if (trace_) trace_->step(phase, transform);
  }

  /// Files that options name are read before the model. A built-in configuration stands in for a file that is missing.
  std::string read_config(const Options& options) {
    const std::string& name = options.config_update.empty() ? options.transformations_config : options.config_update;
    if (name.empty()) return {};
    if (const auto built_in = built_in_config(name); built_in && !model_->files.has(name)) return *built_in;
    std::string text = model_->files.read_text(name);
    // Hosts without paths give the name itself.
    const auto built_in = text.size() < 1000 ? built_in_config(trim(text)) : std::nullopt;
    return built_in ? *built_in : text;
  }

  void load(const std::string& main_file, const Options& options) {
    progress("load");
    const ModelFile file(model_->files, main_file);
    format_ = &find_format(file);
    model_->framework = format_->framework;
    const auto where = [&] { return Place{.file = main_file}; };
    with_place(where, [&] { loaded_ = format_->loader().load({file, options.load, graph_, diagnostics(), head_}); });
    if (options.event_file) event_file_ = loaded_->event_file();
    graph_.topological_order();  // report a cycle first
    if (graph_.results.empty() && !diagnostics().has_errors())
      throw Error(Code::EmptyGraph, "the model has no outputs");
  }

  /// Types and shapes of new inputs that the request does not give come from the whole model, which is loaded again.
  void cut_graph(std::string_view main_file, const Options& options) {
    std::unique_ptr<ConversionImpl> whole;
    cut_and_preprocess(options, [&](OutPort port) -> const Tensor* {
      if (!whole) {
        whole = std::make_unique<ConversionImpl>(set_, on_progress_, extensions_);
        whole->infer_whole(std::string(main_file), options);
      }
      for (const std::string& name : port.tensor().names)
        if (const auto found = whole->by_name_.find(name); found != whole->by_name_.end()) return found->second;
      return nullptr;
    });
  }

  void cut_and_preprocess(const Options& options, const Measure& measure) {
    if (options.generate_mapping) tensors_ = source_tensors(graph_);
    const std::vector<NamedInput> named = cut(graph_, options.cut, measure);
    for (const NamedInput& input : named)
      if (input.has_shape) shaped_.insert(input.parameter);
    set_preprocessing(graph_, options.preprocess, named);
    if (options.cut.batch) set_batch(graph_, *options.cut.batch);
    if (options.emit_check) frozen_ = note_sources(graph_, options.cut);
  }

  /// For an inspection, which measures nothing. A place that the options name wrongly leaves the model as it is.
  void try_to_cut(const Options& options) {
    try {
      cut_and_preprocess(options, [](OutPort) { return nullptr; });
    } catch (const Error& error) {
      diagnostics().add(error);
    }
  }

  /// Reports unsupported operations only, for a model that is not complete.
  void find_unsupported() {
    std::set<std::string> reported;
    for (const Message& message : messages()) reported.insert(message.node);
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
  void infer_whole(const std::string& main_file, const Options& options) {
    try {
      join_user_ops();
      load(main_file, options);
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

  void join_user_ops() {
    if (!extensions_) return;
    user_ops_ = std::make_unique<UserOps>(extensions_->ops);
    user_ops_->join(*model_);
  }

  /// An input that the framework has as a node. Its shape and type come from the loader and the options.
  static bool is_input(const Node& node) { return node.op() == "Parameter" && node.pb->op != "Parameter"; }

  /// A user's extractor comes before a built-in one.
  void extract(Node& node) {
    at_node(node, [&] {
      if (!extensions_ || !extract_by_user(*extensions_, model_->framework, node)) loaded_->extract(node);
    });
  }

  void extract() {
    progress("extract");
    loaded_->prune(graph_);
    extract_nodes();
  }

  void extract_nodes() {
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
    settle_layout(graph_);
  }

  /// Whether the node is in the model or in a body that is.
  static bool is_left(const Node& node) {
    const Node* at = &node;
    while (!at->removed() && at->graph().owner()) at = at->graph().owner();
    return !at->removed();
  }

  /// Reports unknown operations that no transformation has replaced by the end of the front phase.
  void refuse_unknown() {
    for (const auto& [node, error] : unknown_)
      if (is_left(*node) && node->pb && node->op() == node->pb->op) diagnostics().add(error);
    stop_at_errors();
  }

  void require_static_inputs() {
    for (const Node* node : graph_.parameters) {
      const PartialShape* shape = node->attributes.get_if<PartialShape>("shape");
      if (!shaped_.count(node) && (!shape || !shape->is_static()))
        diagnostics().add(
            Error(Code::UndefinedInputShape, cat("[", to_string(shape ? *shape : PartialShape()), "]"), node->place()));
    }
    stop_at_errors();
  }

  void update_config(const std::string& config_text) {
    set_transformations_config(*model_, config_text);
    if (const auto* config = transformations_config(*model_)) updated_config_ = mo::updated_config(graph_, *config);
  }

  void transform(const Options& options, const std::string& config_text) {
    if (!options.transformations_config.empty()) set_transformations_config(*model_, config_text);
    const Decompositions decompositions(model_->framework, options.switches);
    const std::vector<ScheduledTransform> schedule =
        schedule_transforms(model_->framework, extensions_, options.switches);
    steps_ = schedule.size() + 2;  // the last two are the emitter's begin and end
    model_->stage = Stage::Front;
    for (size_t i = 0; i < schedule.size(); ++i) {
      const ScheduledTransform& entry = schedule[i];
      if (entry.name == "PartialInfer") {
        refuse_unknown();
        model_->decompose = [&](Node& node) { return decompose(decompositions, node); };
      }
      if (entry.name == "MarkSubGraphsWithCorrectLayout") model_->stage = Stage::Layout;
      if (entry.name == "BackStart") start_back();
      if (entry.enabled() && entry.transform->graph_condition(graph_)) {
        const std::string_view phase = entry.name == "PartialInfer" ? "infer" : phase_name(entry.phase);
        progress(phase, entry.name, i + 1, steps_);
        run(entry);
        trace(phase, entry.name);
      }
      if (entry.name == "PartialInfer") {
        model_->decompose = nullptr;
        model_->stage = Stage::Middle;
        if (options.switches.analysis) return void(analysis_ = analysis_json(graph_));
      }
    }
  }

  bool decompose(const Decompositions& decompositions, Node& node) {
    const std::string_view name = trace_ ? decompositions.find(node.op()) : std::string_view();
    const size_t first = node.graph().ids();
    const bool done = decompositions.apply(node);
    if (trace_ && done) trace_->decomposed(node, name, first);
    return done;
  }

  void start_back() {
    if (model_->layout != DataLayout::Nchw) throw Error(Code::LayoutMismatch, "the model is still in NHWC");
    model_->stage = Stage::Back;
  }

  void run(const ScheduledTransform& entry) {
    Transform& transform = *entry.transform;
    const auto where = [&] { return Place{.op = entry.name}; };
    with_place(where, [&] {
      if (transform.run_not_recursively()) {
        transform.find_and_replace_pattern(graph_);
      } else {
        for_each_graph(graph_, [&](Graph& graph) { transform.find_and_replace_pattern(graph); });
      }
    });
    stop_at_errors();
    const bool rests = model_->stage == Stage::Layout && model_->layout == DataLayout::Nhwc;
    if ((model_->stage >= Stage::Middle && !rests) || transform.force_shape_inference())
      infer_changed(graph_, diagnostics());  // owners infer their bodies
    if (transform.force_clean_up() && std::exchange(model_->edited, false)) graph_.clean_up();
    stop_at_errors();
    if (graph_.results.empty()) throw Error(Code::EmptyGraph, cat("after ", entry.name));
  }

  void emit(const Options& options) {
    progress("emit", {}, steps_ - 1, steps_);
    ConversionParameters parameters;
    for (const OptionText& option : options.given) parameters.emplace_back(option.name, option.value);
    TensorPlaces places;
    IrSummary summary;
    if (options.generate_mapping) summary.places = &places;
    NodeLayers layers;
    if (trace_) summary.layers = &layers;
    write_ir(graph_, parameters, xml_sink_, plan_, summary, diagnostics());
    stop_at_errors();
    if (trace_) trace_->emit(layers);
    progress("emit", {}, steps_, steps_);
    report_ = json_report(graph_, summary, plan_.size());
    if (options.generate_mapping) mapping_ = mo::mapping(tensors_, places);
    if (options.emit_check) check_facts_ = mo::check_facts(graph_, head_, options.given, frozen_);
  }

  FileSet& set_;
  std::shared_ptr<Model> model_;
  Graph graph_;
  BinPlan plan_;
  const std::function<void(const Progress&)>& on_progress_;
  Extensions* extensions_;
  const TextSink xml_sink_;
  std::unique_ptr<UserOps> user_ops_;
  std::vector<std::pair<Node*, Error>> unknown_;  ///< operations without an extractor
  const Format* format_ = nullptr;
  ModelHead head_;
  std::unique_ptr<LoadedModel> loaded_;
  std::unique_ptr<Trace> trace_;
  size_t steps_ = 0;
  std::set<const Node*> shaped_;                  ///< inputs whose shapes the options give
  std::map<std::string, const Tensor*> by_name_;  ///< of infer_whole()
  Progress last_;
  bool ok_ = false;
  bool configured_ = false;            ///< there is a transformations configuration
  std::vector<SourceTensor> tensors_;  ///< for the mapping
  std::string frozen_;                 ///< for the check
  std::string xml_, updated_config_, analysis_, mapping_, check_facts_, trace_text_, report_ = "{}";
  std::vector<Segment> event_file_, nothing_;
};

}  // namespace

std::unique_ptr<Conversion> convert(FileSet& files, std::string_view main_file, const std::vector<OptionText>& options,
                                    const std::function<void(const Progress&)>& on_progress, Extensions* extensions,
                                    const TextSink& xml) {
  auto conversion = std::make_unique<ConversionImpl>(files, on_progress, extensions, xml);
  conversion->run(main_file, options);
  return conversion;
}

Inspection inspect(FileSet& files, std::string_view main_file, const std::vector<OptionText>& options,
                   const std::function<void(const Progress&)>& on_progress, Extensions* extensions,
                   const std::function<void(const std::string&)>& on_facts) {
  const auto conversion = std::make_shared<ConversionImpl>(files, on_progress, extensions);
  Inspection found = conversion->inspect(main_file, options, on_facts);
  found.graph = conversion;
  return found;
}

PlaceList list_places(FileSet& files, std::string_view main_file, const std::vector<OptionText>& options,
                      const std::function<void(const Progress&)>& on_progress) {
  return ConversionImpl(files, on_progress, nullptr).list_places(main_file, options);
}

std::unique_ptr<Conversion> convert_graph(FileSet& files, const std::function<void(Graph&)>& make,
                                          const std::vector<OptionText>& options,
                                          const std::function<void(const Progress&)>& on_progress,
                                          Extensions* extensions) {
  auto conversion = std::make_unique<ConversionImpl>(files, on_progress, extensions);
  conversion->run(make, options);
  return conversion;
}

void check_transformations_config(std::string_view json_text) { parse_transformations_config(json_text); }

std::string list_transforms(const std::vector<OptionText>& options, const Extensions* extensions) {
  return list_transforms(extensions, parse_options(options).switches);
}

}  // namespace mo
