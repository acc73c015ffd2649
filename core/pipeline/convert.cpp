// The whole way of a model on one screen: load, extract, transforms in their order, emit.

#include <new>

#include "core/base/text.h"
#include "core/front/loader.h"
#include "core/ir/ir_writer.h"
#include "core/ops/op_def.h"
#include "core/pipeline/json_report.h"
#include "core/pipeline/options.h"
#include "core/pipeline/transforms.h"

namespace mo {
namespace {

class ConversionImpl final : public Conversion {
 public:
  ConversionImpl(FileSet& set, const std::function<void(const Progress&)>& on_progress)
      : model_(std::make_shared<Model>(set)), graph_(model_), plan_(model_->files), on_progress_(on_progress) {
    if (on_progress_) model_->heartbeat = [this] { on_progress_(last_); };
  }

  bool ok() const override { return ok_; }
  const std::vector<Message>& messages() const override { return model_->diagnostics.messages(); }
  const std::string& xml() const override { return xml_; }
  const std::vector<Segment>& segments() const override { return ok_ ? plan_.segments() : nothing_; }
  const std::vector<std::string>& files() const override { return model_->files.names(); }
  void read_recipe(uint32_t recipe, uint64_t offset, std::span<std::byte> out) override {
    plan_.read_recipe(recipe, offset, out);
  }
  const std::string& report() const override { return report_; }

  void run(std::string_view main_file, const std::vector<OptionText>& option_texts) {
    try {
      const Options options = parse_options(option_texts);
      load(std::string(main_file), options);
      stop_at_errors();
      extract();
      stop_at_errors();
      set_input_shapes(options);
      transform();
      emit(options);
    } catch (const Stop&) {
    } catch (const Error& error) {
      diagnostics().add(error);
    } catch (const std::bad_alloc&) {
      diagnostics().add(Error(Code::OutOfMemory));
    } catch (const std::exception& error) {
      diagnostics().add(Error(Code::Unexpected, error.what()));
    }
    ok_ = !diagnostics().has_errors();
    if (!ok_) xml_.clear(), report_ = "{}";
  }

 private:
  struct Stop {};

  Diagnostics& diagnostics() { return model_->diagnostics; }
  void stop_at_errors() {
    if (diagnostics().has_errors()) throw Stop();
  }
  void tell(std::string_view phase, std::string_view transform = {}, size_t index = 0, size_t count = 0) {
    last_ = {phase, transform, static_cast<int>(index), static_cast<int>(count)};
    if (on_progress_) on_progress_(last_);
  }

  void load(const std::string& main_file, const Options& options) {
    tell("load");
    const FileId main = model_->files.open(main_file);
    loader_ = &find_loader(model_->files, main);
    model_->framework = loader_->framework;
    model_->static_shape = options.static_shape;
    model_->compress_to_fp16 = options.compress_to_fp16;
    try {
      loader_->load(graph_, main, diagnostics());
    } catch (Error& error) {
      if (error.place().file.empty()) error.place().file = main_file;
      throw;
    }
    if (!options.model_name.empty()) model_->name = options.model_name;
    graph_.topological_order();  // a cycle is told before anything else is tried
    if (graph_.results.empty() && !diagnostics().has_errors())
      throw Error(Code::EmptyGraph, "the model has no outputs");
  }

  void extract() {
    tell("extract");
    for_each_graph(graph_, [&](Graph& graph) {
      for (Node* node : graph.nodes()) {
        if (!node->pb) continue;
        try {
          loader_->extract(*node);
        } catch (const Error& error) {
          diagnostics().add(error);
        }
      }
    });
  }

  void set_input_shapes(const Options& options) {
    if (options.input_shapes.empty()) return;
    if (options.input_shapes.size() != graph_.parameters.size())
      throw Error(Code::InputShapeCount,
                  cat(options.input_shapes.size(), " shapes for ", graph_.parameters.size(), " inputs"));
    for (size_t i = 0; i < options.input_shapes.size(); ++i)
      graph_.parameters[i]->set("shape", options.input_shapes[i]);
  }

  void transform() {
    const Decompositions decompositions;
    const std::vector<ScheduledTransform> schedule = schedule_transforms();
    steps_ = schedule.size() + 2;  // the emitter's begin and end are the last
    for (size_t i = 0; i < schedule.size(); ++i) {
      const TransformRow* row = schedule[i].row;
      Transform* transform = schedule[i].transform.get();
      if (!transform->graph_condition(*model_)) continue;
      tell(row->name == "PartialInfer" ? "infer" : phase_name(row->phase), row->name, i + 1, steps_);
      if (row->name == "PartialInfer") model_->decompose = [&](Node& node) { return decompositions.apply(node); };
      try {
        if (transform->run_not_recursively()) {
          transform->find_and_replace_pattern(graph_);
        } else {
          for_each_graph(graph_, [&](Graph& graph) { transform->find_and_replace_pattern(graph); });
        }
      } catch (Error& error) {
        if (error.place().op.empty()) error.place().op = row->name;
        throw;
      }
      model_->decompose = nullptr;
      stop_at_errors();
      if (transform->force_clean_up()) graph_.clean_up();
    }
    // What middle and back rewrites changed shows in the shapes behind them.
    infer_graph(graph_, diagnostics());
    stop_at_errors();
  }

  void emit(const Options& options) {
    tell("emit", {}, steps_ - 1, steps_);
    ConversionParameters parameters;
    for (const OptionText& option : options.given) parameters.emplace_back(option.name, option.value);
    IrSummary summary;
    xml_ = write_ir(graph_, parameters, plan_, summary, diagnostics());
    stop_at_errors();
    tell("emit", {}, steps_, steps_);
    report_ = json_report(graph_, summary, xml_.size(), plan_.size());
  }

  std::shared_ptr<Model> model_;
  Graph graph_;
  BinPlan plan_;
  const std::function<void(const Progress&)>& on_progress_;
  const Loader* loader_ = nullptr;
  size_t steps_ = 0;
  Progress last_;
  bool ok_ = false;
  std::string xml_, report_ = "{}";
  std::vector<Segment> nothing_;
};

}  // namespace

std::unique_ptr<Conversion> convert(FileSet& files, std::string_view main_file, const std::vector<OptionText>& options,
                                    const std::function<void(const Progress&)>& on_progress) {
  auto conversion = std::make_unique<ConversionImpl>(files, on_progress);
  conversion->run(main_file, options);
  return conversion;
}

}  // namespace mo
