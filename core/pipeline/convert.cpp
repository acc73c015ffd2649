// All steps of a conversion: load, extract, transforms in order, emit.

#include "core/back/weights/weight_table.h"
#include "core/base/text.h"
#include "core/front/config/built_in.h"
#include "core/front/config/transformations_config.h"
#include "core/ir/ir_writer.h"
#include "core/ir/verify/verify.h"
#include "core/ops/op_def.h"
#include "core/pipeline/check_facts.h"
#include "core/pipeline/convert_graph.h"
#include "core/pipeline/json_report.h"
#include "core/pipeline/layer_nodes.h"
#include "core/pipeline/loading.h"
#include "core/pipeline/place_list.h"
#include "core/pipeline/trace.h"

namespace mo {
namespace {

/// Files that options name are read before the model. A built-in configuration stands in for a file that is missing.
std::string read_config(Model& model, const Options& options) {
  const std::string& name = options.config_update.empty() ? options.transformations_config : options.config_update;
  if (name.empty()) return {};
  if (const auto built_in = built_in_config(name); built_in && !model.files.has(name)) return *built_in;
  std::string text = model.files.read_text(name);
  // Hosts without paths give the name itself.
  const auto built_in = text.size() < 1000 ? built_in_config(trim(text)) : std::nullopt;
  return built_in ? *built_in : text;
}

void run_transform(Loading& loading, const ScheduledTransform& entry) {
  Model& model = loading.model();
  Graph& graph = loading.graph();
  Transform& transform = *entry.transform;
  const auto where = [&] { return Place{.op = entry.name}; };
  const auto run = [&] {
    if (transform.run_not_recursively()) {
      transform.find_and_replace_pattern(graph);
    } else {
      for_each_graph(graph, [&](Graph& one) { transform.find_and_replace_pattern(one); });
    }
  };
  with_place(where, [&] {
    if (entry.origin)
      loading.makers().watch(graph, *entry.origin, run);
    else
      run();
  });
  loading.stop_at_errors();
  const bool rests = model.stage == Stage::Layout && model.layout == DataLayout::Nhwc;
  if ((model.stage >= Stage::Middle && !rests) || transform.force_shape_inference())
    infer_changed(graph, model.diagnostics);  // owners infer their bodies
  if (transform.force_clean_up() && std::exchange(model.edited, false)) graph.clean_up();
  loading.stop_at_errors();
  if (graph.results.empty()) throw Error(Code::EmptyGraph, msg("after ", entry.name));
}

/// Carries out the front phase, in which transformations replace operations that extraction does not know, and reports
/// those that are left: what a conversion would.
void find_unknown(Loading& loading, const Options& options, const std::string& config) {
  Model& model = loading.model();
  if (!options.transformations_config.empty()) set_transformations_config(model, config);
  model.stage = Stage::Front;
  for (const ScheduledTransform& entry : schedule_transforms(model.framework, loading.extensions(), options.switches)) {
    if (entry.transform->begins() == Phase::Infer) break;
    if (entry.enabled() && entry.transform->graph_condition(loading.graph())) run_transform(loading, entry);
  }
  loading.refuse_unknown();
}

class ConversionImpl final : public Conversion {
 public:
  ConversionImpl(FileSet& set, const ProgressFunction& on_progress, Extensions* extensions, const TextSink& xml = {})
      : loading_(set, on_progress, extensions),
        plan_(model().files),
        xml_sink_(xml ? xml : [this](std::string_view piece) { xml_ += piece; }) {}

  bool ok() const override { return ok_; }
  const std::vector<Message>& messages() const override { return loading_.model().diagnostics.messages(); }
  const std::string& updated_config() const override { return updated_config_; }
  const std::string& analysis() const override { return analysis_; }
  const std::vector<SideFile>& side_files() const override { return side_files_; }
  const std::string& xml() const override { return xml_; }
  const std::vector<Segment>& segments() const override { return ok_ ? plan_.segments() : nothing_; }
  const std::vector<std::string>& files() const override { return loading_.model().files.names(); }
  void read_recipe(uint32_t recipe, uint64_t offset, std::span<std::byte> out) override {
    plan_.read_recipe(recipe, offset, out);
  }
  const std::string& report() const override { return report_; }

  void run(const std::string& main_file, const std::vector<OptionText>& option_texts) {
    run(option_texts, [&](const Options& options) {
      loading_.load(main_file, options);
      loading_.stop_at_errors();
      trace("load");
      loading_.cut(main_file, options);
      trace("load", "cut");
      loading_.progress("extract");
      loading_.prune();
      loading_.extract();
    });
  }

  /// How large the .bin would be, without writing it; nothing where the conversion fails.
  std::optional<WeightSizes> weight_sizes(const std::string& main_file, const std::vector<OptionText>& option_texts,
                                          const Options& options) {
    std::optional<WeightSizes> sizes;
    std::vector<OptionText> with_floats = option_texts;
    with_floats.push_back({"disabled_transforms", "QuantiseWeights,CompressFloatConstants"});
    loading_.only_measures();
    end_ = [&] {
      if (analysis_.empty()) sizes = mo::weight_sizes(graph(), options.weights, options.compress_to_fp16);
    };
    run(main_file, with_floats);
    return ok_ ? sizes : std::nullopt;
  }

  void run(const std::function<void(Graph&)>& make, const std::vector<OptionText>& option_texts) {
    run(option_texts, [&](const Options& options) {
      make(graph());
      trace("load");
      loading_.cut(options, [](OutPort) { return nullptr; });
    });
  }

 private:
  /// `make` fills the graph with internal operations.
  void run(const std::vector<OptionText>& option_texts, const std::function<void(const Options&)>& make) {
    loading_.attempt([&] {
      const Options options = loading_.prepare(option_texts);
      const std::string config = read_config(model(), options);
      if (options.trace) trace_ = std::make_unique<Trace>(graph());
      make(options);
      trace("extract");
      loading_.stop_at_errors();
      if (!options.model_name.empty()) model().name = options.model_name;
      // Shapes without names belong to all inputs.
      const bool all_given = options.cut.inputs.empty() && !options.cut.shapes.empty();
      if (options.static_shape && !all_given) loading_.require_static_inputs();
      if (!options.config_update.empty()) {
        update_config(config);
      } else {
        transform(options, config);
        if (end_)
          end_();
        else if (analysis_.empty())
          emit(options);
        parameters_ = plan_.beside(loading_.parameters_file());
      }
    });
    loading_.blame_options();
    ok_ = !model().diagnostics.has_errors();
    if (!ok_) xml_.clear(), report_ = "{}";
    for (SideFile& file : side_files_of(option_texts, model().name)) {
      fill(file);
      if (!file.text.empty() || !file.segments.empty()) side_files_.push_back(std::move(file));
    }
  }

  /// Gives a side file its content, if there is one.
  void fill(SideFile& file) {
    if (file.kind == SideFile::Kind::Trace && trace_) file.text = trace_->take();
    if (!ok_) return;
    if (file.kind == SideFile::Kind::Mapping) file.text = std::move(mapping_);
    if (file.kind == SideFile::Kind::Check) file.text = std::move(check_facts_);
    if (file.kind == SideFile::Kind::EventFile) file.segments = loading_.event_file();
    if (file.kind == SideFile::Kind::Parameters) file.segments = std::move(parameters_);
  }

  Model& model() { return loading_.model(); }
  Graph& graph() { return loading_.graph(); }

  void trace(std::string_view phase, std::string_view transform = {}) {
    if (trace_) trace_->step(phase, transform);
  }

  void update_config(const std::string& config_text) {
    set_transformations_config(model(), config_text);
    if (const auto* config = transformations_config(model())) updated_config_ = mo::updated_config(graph(), *config);
  }

  void transform(const Options& options, const std::string& config_text) {
    if (!options.transformations_config.empty()) set_transformations_config(model(), config_text);
    const Decompositions decompositions(model().framework, options.switches);
    const std::vector<ScheduledTransform> schedule =
        schedule_transforms(model().framework, loading_.extensions(), options.switches);
    steps_ = schedule.size() + 2;  // the last two are the emitter's begin and end
    model().stage = Stage::Front;
    for (size_t i = 0; i < schedule.size(); ++i) {
      const ScheduledTransform& entry = schedule[i];
      const std::optional<Phase> begun = entry.transform->begins();
      if (begun) begin(*begun, decompositions);
      if (entry.enabled() && entry.transform->graph_condition(graph())) {
        const std::string_view phase = phase_name(begun == Phase::Infer ? Phase::Infer : entry.phase);
        loading_.progress(phase, entry.name, i + 1, steps_);
        run_transform(loading_, entry);
        trace(phase, entry.name);
      }
      if (begun == Phase::Infer) {
        model().decompose = nullptr;
        model().stage = Stage::Middle;
        if (options.switches.analysis) return void(analysis_ = analysis_json(graph()));
      }
    }
  }

  /// A phase begins with the next transform, even if that does not run.
  void begin(Phase phase, const Decompositions& decompositions) {
    if (phase == Phase::Infer) {
      loading_.refuse_unknown();
      model().decompose = [&](Node& node) { return decompose(decompositions, node); };
    } else if (phase == Phase::Layout) {
      model().stage = Stage::Layout;
    } else {
      if (model().layout != DataLayout::Nchw) throw Error(Code::LayoutMismatch, "the model is still in NHWC");
      model().stage = Stage::Back;
    }
  }

  bool decompose(const Decompositions& decompositions, Node& node) {
    const std::string_view name = trace_ ? decompositions.find(node.op()) : std::string_view();
    const size_t first = node.graph().ids();
    const bool done = decompositions.apply(node);
    if (done) loading_.makers().replaced(node, first);
    if (trace_ && done) trace_->decomposed(node, name, first);
    return done;
  }

  void emit(const Options& options) {
    loading_.progress("emit", {}, steps_ - 1, steps_);
    ConversionParameters parameters;
    for (const OptionText& option : options.given) parameters.emplace_back(option.name, option.value);
    TensorPlaces places;
    IrSummary summary;
    if (options.generate_mapping) summary.places = &places;
    NodeLayers layers;
    if (trace_) summary.layers = &layers;
    const auto weight_compression = nncf_facts(model());
    if (!weight_compression.empty()) summary.weight_compression = &weight_compression;
    write_verified(parameters, summary);
    loading_.stop_at_errors();
    if (trace_) trace_->emit(layers);
    loading_.progress("emit", {}, steps_, steps_);
    report_ = json_report(graph(), loading_.head(), summary, plan_.size());
    if (options.generate_mapping) mapping_ = mo::mapping(loading_.tensors(), places, model().files);
    if (options.emit_check) check_facts_ = mo::check_facts(graph(), loading_.head(), options.given, loading_.frozen());
  }

  /// A wrong IR is an error here before it is one of the runtime.
  void write_verified(const ConversionParameters& parameters, IrSummary& summary) {
    IrChecks checks{
        .wrong = [&](const IrLayer* layer, const Detail& what) { model().diagnostics.add(wrong_result(layer, what)); },
        .unfit_input = [&](const IrLayer& layer, Code code,
                           const Detail& what) { model().diagnostics.add(unfit_input(layer, code, what)); }};
    IrVerifier verifier(checks);
    const auto take_layer = [&](const IrLayer& layer) {
      checks.bin_size = plan_.size();
      verifier.add(layer);
    };
    const auto take_edge = [&](const IrEdge& edge) { verifier.add(edge); };
    prepare_emit_ir(graph(), parameters, xml_sink_, plan_, summary, model().diagnostics,
                    {.layer = take_layer, .edge = take_edge});
    if (model().diagnostics.errors() == 0) verifier.finish();
  }

  /// What an extension has made is for its author.
  Error wrong_result(const IrLayer* layer, const Detail& what) {
    if (!layer) return Error(Code::WrongResult, what);
    const ExtensionClass* maker = loading_.makers().maker_of(nodes_of(*layer));
    return maker ? wrong_extension(*layer, what, *maker) : Error(Code::WrongResult, what, place_of(*layer));
  }

  /// A model that the framework would refuse, too, in most cases.
  Error unfit_input(const IrLayer& layer, Code code, const Detail& what) {
    const auto nodes = nodes_of(layer);
    if (const ExtensionClass* maker = loading_.makers().maker_of(nodes)) return wrong_extension(layer, what, *maker);
    return Error(code, what, nodes.size() == 1 ? nodes[0]->place() : place_of(layer),
                 "run the model in its own framework, which should refuse it too; if it does not, report this");
  }

  static Error wrong_extension(const IrLayer& layer, const Detail& what, const ExtensionClass& maker) {
    return Error(Code::WrongResult,
                 what.with(msg("; the class ", printable(maker.name), " of an extension has made the node")),
                 {.node = layer.name, .op = layer.type, .file = maker.file},
                 "correct the extension: its class makes a node that OpenVINO cannot read");
  }

  static Place place_of(const IrLayer& layer) { return {.node = layer.name, .op = layer.type}; }
  std::vector<const Node*> nodes_of(const IrLayer& layer) { return layer_nodes_.find(graph(), layer.name, layer.type); }

  Loading loading_;
  LayerNodes layer_nodes_;
  BinPlan plan_;
  const TextSink xml_sink_;
  std::function<void()> end_;  ///< in place of emission
  std::unique_ptr<Trace> trace_;
  size_t steps_ = 0;
  bool ok_ = false;
  std::string xml_, updated_config_, analysis_, mapping_, check_facts_, report_ = "{}";
  std::vector<SideFile> side_files_;
  std::vector<Segment> parameters_;
  std::vector<Segment> nothing_;
};

}  // namespace

std::unique_ptr<Conversion> convert(FileSet& files, std::string_view main_file, const std::vector<OptionText>& options,
                                    const ProgressFunction& on_progress, Extensions* extensions, const TextSink& xml) {
  auto conversion = std::make_unique<ConversionImpl>(files, on_progress, extensions, xml);
  conversion->run(std::string(main_file), options);
  return conversion;
}

/// In spite of errors the facts are given, as far as they are known.
Inspection inspect(FileSet& files, std::string_view main_file, const std::vector<OptionText>& option_texts,
                   const ProgressFunction& on_progress, Extensions* extensions,
                   const std::function<void(const std::string&)>& on_facts) {
  const auto loading = std::make_shared<Loading>(files, on_progress, extensions);
  Inspection out;
  std::vector<Message> failed;  // what a conversion says, which is what the inspection says and more
  loading->attempt([&] {
    const Options options = loading->prepare(option_texts);
    const std::string config = read_config(loading->model(), options);
    loading->load(std::string(main_file), options);
    const bool complete = !loading->diagnostics().has_errors();
    if (complete) loading->try_to_cut(options);
    if (!options.model_name.empty()) loading->model().name = options.model_name;
    Graph& graph = loading->graph();
    if (complete) {
      loading->progress("extract");
      loading->prune();
      if (on_facts) on_facts(first_facts_json(graph, loading->format(), loading->head()));
      loading->extract();
    } else if (!graph.results.empty()) {
      loading->find_unsupported();
    }
    // A conversion ends at other errors before it looks for a replacement.
    const bool unknown = loading->has_unknown(), may_be_replaced = unknown && !loading->diagnostics().has_errors();
    if (unknown && !may_be_replaced) loading->warn_of_unknown();
    out.facts = inspection_json(graph, loading->format(), loading->head());
    if (may_be_replaced) find_unknown(*loading, options, config);
    if (!options.weight_sizes || loading->diagnostics().has_errors()) return;
    ConversionImpl conversion(files, on_progress, extensions);
    const auto sizes = conversion.weight_sizes(std::string(main_file), option_texts, options);
    if (sizes) return add_weight_sizes(out.facts, *sizes);
    failed = conversion.messages();
  });
  loading->blame_options();
  out.messages = failed.empty() ? loading->diagnostics().messages() : std::move(failed);
  out.graph = loading;
  return out;
}

PlaceList list_places(FileSet& files, std::string_view main_file, const std::vector<OptionText>& options,
                      const ProgressFunction& on_progress) {
  Loading loading(files, on_progress, nullptr);
  PlaceList out;
  loading.attempt([&] {
    loading.load(std::string(main_file), loading.prepare(options));
    out.json = place_list(loading.graph());
  });
  out.messages = loading.diagnostics().messages();
  return out;
}

std::unique_ptr<Conversion> convert_graph(FileSet& files, const std::function<void(Graph&)>& make,
                                          const std::vector<OptionText>& options, const ProgressFunction& on_progress,
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
