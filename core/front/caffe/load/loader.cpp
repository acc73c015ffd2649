// The loader of Caffe: a network as text, and its weights.

#include "core/front/loader.h"

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"
#include "core/front/caffe/load/caffe_model.h"
#include "core/front/caffe/load/graph_loader.h"
#include "core/front/caffe/load/kind.h"
#include "core/front/caffe/load/mean.h"
#include "core/front/common/first_names.h"

namespace mo {
namespace caffe {
namespace {

bool is_network(const ModelFile& file) { return kind_of(file) == Kind::Network; }
bool is_weights(const ModelFile& file) { return kind_of(file) == Kind::Weights; }
/// Where both are there, the weights are the model, as for Model Optimizer: a network asks for its weights by itself.
bool never(const ModelFile&) { return false; }

constexpr Role kNetwork = {.name = "prototxt",
                           .option = "input_proto",
                           .patterns =
                               "{stem}.prototxt {stem}.prototxt.txt {stem}.pt | "
                               "deploy.prototxt deploy.prototxt.txt deploy.pt | *.prototxt *.prototxt.txt *.pt",
                           .needed = true,
                           .belongs_to = is_weights,
                           .accepts = is_network};
constexpr Role kWeights = {.name = "weights",
                           .option = "input_weights",
                           .patterns = "{stem}.caffemodel | *.caffemodel | *.caffemodel.h5 *.h5 *.solverstate",
                           .belongs_to = never,
                           .accepts = is_weights};
const Role kRoles[] = {kNetwork, kWeights, kMapping, kMean};

/// A file that the user names. Throws UnknownFormat unless it is of that kind.
FileId open_as(Files& files, const std::string& name, Kind wanted, std::string_view option) {
  const ModelFile file(files, name);
  const Kind kind = kind_of(file);
  if (kind == wanted) return file.file();
  const auto why = no_model(kind);
  const Detail reason = why                       ? Detail::words(why->reason)
                        : wanted == Kind::Network ? Detail("the file is no prototxt with layers")
                                                  : Detail("the file is no .caffemodel");
  const Detail hint = why ? Detail::words(why->hint) : Detail();
  throw Error(Code::UnknownFormat, msg("--", option, ": ", reason), {.file = name}, hint).about(option);
}

/// Throws OptionsExclude if the user names another file for what the model itself is.
FileId only_model(const LoadRequest& request, std::string_view option) {
  const auto given = request.options.paths.find(option);
  const FileId model = request.model.file();
  if (given != request.options.paths.end() && request.model.files().open_given(given->second) != model)
    throw Error(Code::OptionsExclude, msg("--input_model and --", option, ", which names a file of the same kind"))
        .about(option);
  return model;
}

std::optional<FileId> weights_of(const LoadRequest& request) {
  if (is_weights(request.model)) return only_model(request, kWeights.option);
  const Companion found = request.companion(kWeights);
  if (found.state == Companion::State::Ambiguous) throw lack_of(kWeights, request.model, found);
  if (found.state == Companion::State::Absent) return std::nullopt;
  return open_as(request.model.files(), found.files.at(0), Kind::Weights, kWeights.option);
}

FileId network_of(const LoadRequest& request) {
  if (is_network(request.model)) return only_model(request, kNetwork.option);
  return open_as(request.model.files(), request.needed_companion(kNetwork).files.at(0), Kind::Network, kNetwork.option);
}

/// A file that cannot be read may be of a fork: Model Optimizer's FAQ answers that with its first question.
void read_weights(std::optional<Weights>& out, Files& files, FileId file) {
  try {
    out.emplace(files, file);
  } catch (const Error& error) {
    if (error.code() != Code::TruncatedFile && error.code() != Code::CorruptFile) throw;
    throw Error(error.code(), error.detail(), error.place(),
                "fetch the file again; if a fork of Caffe wrote it, prepare a parser from its caffe.proto that can "
                "read it, and write the blobs again as Caffe does (Model Optimizer FAQ, question #1)");
  }
}

Error no_weights(const LoadRequest& request, const Strings& layers, bool has_file) {
  const auto other = has_file ? std::nullopt : unfit_file(request.model.files(), request.companion(kWeights));
  if (other)
    return Error(Code::NoWeights, msg(printable(other->place().file), ": ", other->detail()),
                 {.file = request.model.name()}, other->message().advice);
  return Error(Code::NoWeights, first_names(layers), {.file = request.model.name()},
               has_file ? Detail("give the .caffemodel that was saved with this prototxt")
                        : Detail("put the .caffemodel beside the prototxt, or name it with --input_weights"));
}

class CaffeLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override {
    const Kind kind = kind_of(model);
    return kind == Kind::Network || kind == Kind::Weights;
  }
  std::span<const Role> roles() const override { return kRoles; }
  std::optional<LoneCompanion> lone_companion(const ModelFile& model) const override {
    return no_model(kind_of(model));
  }
  /// Solvers are .prototxt, too, and PyTorch's files .pt.
  std::string_view shared_endings() const override { return ".prototxt .prototxt.txt .pt"; }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    const FileId text = network_of(request);
    const std::optional<FileId> file = weights_of(request);
    const proto::Message network = read_network(request.graph.files(), text);
    request.head.producer = "Caffe";
    std::optional<Weights> weights;
    if (file) read_weights(weights, request.graph.files(), *file);
    Strings stages;
    for (const std::string& stage : split(request.options.text("caffe_stages"), ','))
      if (!trim(stage).empty()) stages.emplace_back(trim(stage));
    auto custom = std::make_unique<CustomLayers>(request);
    GraphLoader loader(request, text, weights ? &*weights : nullptr);
    const auto where = [&] { return Place{.file = request.graph.files().name(text)}; };
    with_place(where, [&] { loader.load(network, stages, *custom); });
    set_mean(request);
    if (!loader.without_weights().empty())
      request.diagnostics.add(no_weights(request, loader.without_weights(), file.has_value()).about(kWeights.option));
    return std::make_unique<CaffeModel>(std::move(custom));
  }

  const Operators& operators() const override { return caffe::operators(); }
};

}  // namespace
}  // namespace caffe

const Loader& loader_caffe() {
  static const caffe::CaffeLoader loader;
  return loader;
}

}  // namespace mo
