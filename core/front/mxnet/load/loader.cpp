// The loader of MXNet: a symbol, and the arrays of its parameters.

#include "core/front/loader.h"

#include "core/base/text.h"
#include "core/front/common/first_names.h"
#include "core/front/companions/file_name.h"
#include "core/front/mxnet/extract/extractor.h"
#include "core/front/mxnet/load/graph_loader.h"
#include "core/front/mxnet/load/input_shapes.h"
#include "core/front/mxnet/load/kind.h"
#include "core/front/mxnet/load/roles.h"
#include "core/graph/body.h"

namespace mo {
namespace mxnet {
namespace {

/// Where both are there, the arrays are the model, as for Model Optimizer: a symbol asks for its arrays by itself.
bool never(const ModelFile&) { return false; }

constexpr Role kSymbol = {.name = "symbol",
                          .option = "input_symbol",
                          .patterns = "{stem}-symbol.json {stem}.json | *-symbol.json | *.json",
                          .needed = true,
                          .belongs_to = is_arrays,
                          .accepts = is_symbol,
                          .stem = without_epoch};
constexpr Role kArrays = {.name = "parameters",
                          .option = "input_weights",
                          .patterns = "{stem}-#.params {stem}.params | *.params",
                          .belongs_to = never,
                          .accepts = is_arrays,
                          .stem = without_symbol};
/// Read by packed_shapes().
constexpr Role kShapes = {.name = "shapes", .patterns = "signature.json | model-shapes.json"};
const Role kRoles[] = {kSymbol, kArrays, kShapes};
constexpr std::string_view kPrefixOption = "nd_prefix_name";

/// A file that the user names. Throws UnknownFormat unless it is of that kind.
FileId open_as(Files& files, const std::string& name, bool (*accepts)(const ModelFile&), std::string_view option) {
  const ModelFile file(files, name);
  if (accepts(file)) return file.file();
  const Detail reason =
      accepts == is_symbol ? Detail("the file is no symbol of MXNet") : Detail("the file has no arrays of MXNet");
  throw Error(Code::UnknownFormat, msg("--", option, ": ", reason), {.file = name}).about(option);
}

/// Parameters, and where a pair gives some of them, what it is joined to, as a list of arrays.
struct Given {
  Parameters parameters;
  std::vector<StoredArray> joined;
  std::map<std::string, size_t, std::less<>> places;  ///< in `joined`, by names without kinds

  void add(const std::vector<StoredArray>& arrays) { parameters.add(arrays); }
  /// `kind`: that of names without one. One of the same name is replaced.
  void join(const std::vector<StoredArray>& arrays, std::string_view kind) {
    for (const StoredArray& array : arrays) {
      const std::string_view name = name_without_kind(array.name);
      if (name.empty()) continue;
      const auto [place, is_new] = places.emplace(name, joined.size());
      if (is_new) joined.emplace_back();
      joined[place->second] = {name == array.name ? cat(kind, name) : array.name, array.value};
    }
  }
};

/// Those of the pair beside the model whose names begin so.
void add_nd_files(const LoadRequest& request, const std::string& prefix, Given& given) {
  Files& files = request.graph.files();
  const std::string folder(prefix.find('/') == prefix.npos ? folder_part(request.model.name()) : std::string_view());
  bool any = false;
  for (const std::string_view kind : {"arg", "aux"}) {
    const std::string name = cat(folder, prefix, "_", kind, "s.nd");
    if (!files.has(name)) continue;
    any = true;
    const std::vector<StoredArray> arrays = read_arrays(files, open_as(files, name, is_arrays, kPrefixOption));
    given.add(arrays);
    given.join(arrays, cat(kind, ":"));
  }
  if (!any)
    throw Error(Code::NoSuchFile,
                msg("--", kPrefixOption, ": ", printable(prefix), "_args.nd, ", printable(prefix), "_auxs.nd"),
                {.file = request.model.name()}, "put both files beside the model")
        .about(kPrefixOption);
}

Given parameters_of(const LoadRequest& request) {
  Files& files = request.graph.files();
  std::optional<FileId> file;
  if (is_arrays(request.model)) {
    file = request.model.file();
  } else {
    const Companion found = request.companion(kArrays);
    if (found.state == Companion::State::Ambiguous) throw lack_of(kArrays, request.model, found);
    if (found.state == Companion::State::Present) file = open_as(files, found.files.at(0), is_arrays, kArrays.option);
  }
  const std::string prefix = request.options.text(kPrefixOption);
  std::vector<StoredArray> arrays = file ? read_arrays(files, *file) : std::vector<StoredArray>();
  // As Model Optimizer does it: auxiliary states are those of the pair alone.
  if (!prefix.empty()) std::erase_if(arrays, [](const StoredArray& array) { return array.name.starts_with("aux:"); });
  Given out;
  out.add(arrays);
  if (prefix.empty()) return out;
  out.join(arrays, "arg:");
  add_nd_files(request, prefix, out);
  return out;
}

Detail export_lines(const LoadRequest& request) {
  return msg("these are the parameters of a network that its code makes: export it in Python: net.load_parameters('",
             printable(bare_name(request.model.name())),
             "'); net.hybridize(); net(mx.nd.zeros((1, 3, 224, 224))); net.export('net')");
}

FileId symbol_of(const LoadRequest& request, const Parameters& parameters) {
  if (is_symbol(request.model)) return request.model.file();
  const Companion found = request.companion(kSymbol);
  if (found.state == Companion::State::Absent && parameters.are_attribute_paths()) {
    const Error lack = lack_of(kSymbol, request.model, found);
    throw Error(lack.code(), lack.detail(), lack.place(), export_lines(request)).about(kSymbol.option);
  }
  if (found.state != Companion::State::Present) throw lack_of(kSymbol, request.model, found);
  return open_as(request.model.files(), found.files.at(0), is_symbol, kSymbol.option);
}

Error no_arrays(const LoadRequest& request, const Strings& names, const Parameters& parameters) {
  const Detail hint = parameters.are_attribute_paths() ? export_lines(request)
                      : parameters.empty() && is_symbol(request.model)
                          ? Detail("put the .params beside the symbol, or name it with --input_weights")
                          : Detail("give the .params that was saved with this symbol");
  return Error(Code::NoWeights, first_names(names), {.file = request.model.name()}, hint);
}

std::string version_text(int64_t version) {
  return cat(version / 10'000, ".", version / 100 % 100, ".", version % 100);
}

class MxnetModel final : public LoadedModel {
 public:
  explicit MxnetModel(std::vector<StoredArray> joined) : LoadedModel(mxnet::operators()), joined_(std::move(joined)) {}

  std::vector<ContentPtr> parameters_file() const override {
    return joined_.empty() ? std::vector<ContentPtr>() : written_list(joined_);
  }

 protected:
  bool prepare(Node& node) override {
    if (bodies_of(node).empty()) read_attributes(node);
    return false;
  }
  /// A variable with an array has no row: it is a constant already.
  void extract_unknown(Node& node) override {
    if (node.op() != "Const") LoadedModel::extract_unknown(node);
  }

 private:
  const std::vector<StoredArray> joined_;
};

class MxnetLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return kind_of(model) != Kind::None; }
  std::span<const Role> roles() const override { return kRoles; }
  std::string_view shared_endings() const override { return ".json .params"; }
  /// Without the epoch, as --pretrained_model_name is documented.
  std::string_view short_names() const override { return "{stem}-#.params"; }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    Files& files = request.graph.files();
    Given given = parameters_of(request);
    const Parameters& parameters = given.parameters;
    const FileId file = symbol_of(request, parameters);
    Window window(files, file);
    Symbol symbol = read_symbol(window);
    request.head.producer = "MXNet";
    if (symbol.version > 800) request.head.producer_version = version_text(symbol.version);
    upgrade(symbol);
    const Strings gone =
        leave_out_labels(symbol, [&](const std::string& name) { return parameters.find(name) != nullptr; });
    if (!gone.empty())
      request.diagnostics.warn(Code::OutputsForTraining, first_names(gone), {.file = files.name(file)});
    const auto shapes = packed_shapes(request.model);
    GraphLoader loader(request, file, parameters, shapes);
    loader.load(symbol);
    if (!loader.without_array().empty())
      request.diagnostics.add(no_arrays(request, loader.without_array(), parameters));
    return std::make_unique<MxnetModel>(std::move(given.joined));
  }

  const Operators& operators() const override { return mxnet::operators(); }
};

}  // namespace
}  // namespace mxnet

const Loader& loader_mxnet() {
  static const mxnet::MxnetLoader loader;
  return loader;
}

}  // namespace mo
