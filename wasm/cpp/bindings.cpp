// The bindings between the core and JavaScript. Data goes in, data comes out; no exception crosses.
// The JavaScript side of every type here is declared in core.d.mts.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/half.h"
#include "core/base/link_refused.h"
#include "core/ir/compare/compare_irs.h"
#include "core/ir/read/ir_files.h"
#include "core/mo.h"
#include "core/script/callbacks.h"
#include "core/script/state.h"
#include "core/script/table.h"
#include "core/script/to_js.h"

namespace {

using emscripten::val;
using mo::Code;
using mo::js::to_js;

/// A view of the heap, valid until the next call into the module.
val view(const void* data, size_t size) {
  return val(emscripten::typed_memory_view(size, static_cast<const uint8_t*>(data)));
}

val copy(const void* data, size_t size) { return view(data, size).call<val>("slice"); }

mo::Message to_message(const val& in) {
  mo::Message message;
  const bool error = in["severity"].as<std::string>() == "error";
  message.severity = error ? mo::Message::Severity::Error : mo::Message::Severity::Warning;
  message.code = in["code"].as<std::string>();
  message.text = in["text"].as<std::string>();
  message.hint = in["hint"].as<std::string>();
  message.node = in["node"].as<std::string>();
  message.op = in["op"].as<std::string>();
  message.tensor = in["tensor"].as<std::string>();
  message.file = in["file"].as<std::string>();
  message.offset = static_cast<int64_t>(in["offset"].as<double>());
  message.line = in["line"].as<int>();
  message.column = in["column"].as<int>();
  return message;
}

std::vector<mo::OptionText> to_options(const val& in) {
  std::vector<mo::OptionText> options;
  for (const val& row : emscripten::vecFromJSArray<val>(in))
    options.push_back({row[0].as<std::string>(), row[1].as<std::string>()});
  return options;
}

/// A table: rows of six numbers (kind; size; file, recipe or index in `bytes`; offset or piece; file and offset of
/// compressed elements, or -1). A model may have a hundred thousand segments, and JavaScript makes objects faster than
/// this code does.
val to_js(const std::vector<mo::Segment>& segments) {
  std::vector<double> rows;
  rows.reserve(6 * segments.size());
  val bytes = val::array();
  double places = 0;
  for (const mo::Segment& segment : segments) {
    const double file = segment.file, offset = static_cast<double>(segment.offset);
    double which = file, where = offset;
    if (segment.kind == mo::Segment::Kind::Bytes) {
      bytes.call<void>("push", copy(segment.bytes.data(), segment.bytes.size()));
      which = places++;
    } else if (segment.kind == mo::Segment::Kind::Recipe) {
      which = segment.recipe;
      where = static_cast<double>(segment.piece);
    }
    rows.insert(rows.end(), {static_cast<double>(segment.kind), static_cast<double>(segment.size), which, where,
                             segment.compressed ? file : -1, segment.compressed ? offset : -1});
  }
  val out = val::object();
  out.set("rows", val(emscripten::typed_memory_view(rows.size(), rows.data())).call<val>("slice"));
  out.set("bytes", bytes);
  return out;
}

val to_js(const mo::SideFile& file) {
  static const char* const kinds[] = {"mapping", "check", "trace", "events", "parameters"};
  val out = val::object();
  out.set("kind", std::string(kinds[static_cast<int>(file.kind)]));
  out.set("name", file.name);
  out.set("folderOption", file.folder_option);
  out.set("text", copy(file.text.data(), file.text.size()));
  out.set("segments", to_js(file.segments));
  return out;
}

/// An array of the items, each converted by `convert`.
template <typename Items, typename Convert>
val to_array(const Items& items, Convert convert) {
  val out = val::array();
  for (const auto& item : items) out.call<void>("push", convert(item));
  return out;
}

/// An array of the items, each converted by to_js().
template <typename Items>
val to_array(const Items& items) {
  return to_array(items, [](const auto& item) { return to_js(item); });
}

/// From a Template of msg.ts.
mo::Detail to_detail(const val& said) {
  std::vector<mo::Detail::Argument> arguments;
  for (const val& argument : emscripten::vecFromJSArray<val>(said["arguments"])) {
    mo::Detail::Argument& one = arguments.emplace_back();
    if (argument.isString())
      one.text = argument.as<std::string>();
    else
      one.detail = to_detail(argument);
  }
  return mo::Detail::of(said["template"].as<std::string>(), arguments);
}

/// Throws if the answer of a host says why something failed: a template about the file `place`, or an object with code,
/// said, file and hint.
void refuse_failure(const val& answer, mo::Place place) {
  if (answer.isNumber() || answer.isUndefined() || answer.isArray()) return;
  if (!answer["template"].isUndefined()) throw mo::Error(Code::HostReadFailed, to_detail(answer), std::move(place));
  throw mo::Error(static_cast<Code>(answer["code"].as<int>()), to_detail(answer["said"]),
                  {.file = answer["file"].as<std::string>()}, mo::Detail::words(answer["hint"].as<std::string>()));
}

/// A file that JavaScript reads.
class HostFile final : public mo::ByteSource {
 public:
  HostFile(val host, std::string name, int handle)
      : host_(std::move(host)), name_(std::move(name)), handle_(handle), size_(host_.call<double>("size", handle)) {}

  uint64_t size() const override { return static_cast<uint64_t>(size_); }

  void read(uint64_t offset, std::span<std::byte> out) override {
    refuse_failure(host_.call<val>("read", handle_, static_cast<double>(offset), view(out.data(), out.size())),
                   {.file = name_, .offset = static_cast<int64_t>(offset)});
  }

 private:
  val host_;
  std::string name_;
  int handle_;
  double size_;
};

class HostFiles final : public mo::FileSet {
 public:
  /// The handle of a file that exists, but outside the model's folder.
  static constexpr int kOutside = -2;

  explicit HostFiles(val host) : host_(std::move(host)) {}

  mo::ByteSource* open(std::string_view name) override {
    const std::string key(name);
    if (const auto found = files_.find(key); found != files_.end()) return found->second.get();
    const val handle = host_.call<val>("open", key);
    refuse_failure(handle, {.file = key});
    if (handle.as<int>() == kOutside) throw mo::link_refused(key);
    if (handle.as<int>() < 0) return nullptr;
    return files_.emplace(key, std::make_unique<HostFile>(host_, key, handle.as<int>())).first->second.get();
  }

  std::vector<std::string> list(std::string_view folder) override {
    const std::string key(folder);
    const val names = host_.call<val>("list", key);
    refuse_failure(names, {.file = key});
    return emscripten::vecFromJSArray<std::string>(names);
  }

 private:
  val host_;
  std::map<std::string, std::unique_ptr<HostFile>> files_;
};

/// The objects that live until JavaScript calls release().
struct Held {
  explicit Held(const val& host) : files(host) {}
  HostFiles files;
  std::unique_ptr<mo::Extensions> extensions;  ///< the graph refers to them
  std::unique_ptr<mo::Conversion> conversion;
  std::shared_ptr<void> inspected;  ///< the graph of an inspection
  std::vector<std::byte> piece;     ///< what readRecipe last computed
};

std::map<int, std::unique_ptr<Held>>& held() {
  static std::map<int, std::unique_ptr<Held>> all;
  return all;
}

/// Keeps the objects; gives the number for release().
int hold(std::unique_ptr<Held> entry) {
  static int last_id = 0;
  held().emplace(++last_id, std::move(entry));
  return last_id;
}

val failed(const std::vector<mo::Message>& messages) {
  val out = val::object();
  out.set("ok", false);
  out.set("messages", to_array(messages));
  return out;
}

/// Runs `body`; an exception becomes a failure with one message.
template <typename Body>
val guarded(Body body) {
  try {
    return body();
  } catch (const std::exception&) {
    return failed({mo::js::caught()});
  }
}

/// Tells JavaScript of the progress.
std::function<void(const mo::Progress&)> teller(const val& on_progress) {
  return [on_progress](const mo::Progress& progress) {
    on_progress(std::string(progress.phase), std::string(progress.transform), progress.index, progress.count);
  };
}

val convert(val files, std::string main_file, val options, val on_progress, val extensions, val on_xml) {
  return guarded([&] {
    auto entry = std::make_unique<Held>(files);
    entry->extensions = mo::js::extensions_of(extensions);
    entry->conversion =
        mo::convert(entry->files, main_file, to_options(options), teller(on_progress), entry->extensions.get(),
                    [&](std::string_view piece) { on_xml(view(piece.data(), piece.size())); });
    mo::js::state().clear();  // from here on, objects of the graph that extensions still hold are refused
    const mo::Conversion& done = *entry->conversion;
    if (!done.ok()) return failed(done.messages());
    val out = val::object();
    out.set("ok", true);
    out.set("messages", to_array(done.messages()));
    out.set("segments", to_js(done.segments()));
    out.set("files", to_js(done.files()));
    out.set("report", done.report());
    out.set("config", done.updated_config());
    out.set("analysis", done.analysis());
    out.set("sideFiles", to_array(done.side_files()));
    out.set("id", hold(std::move(entry)));
    return out;
  });
}

val inspect(val files, std::string main_file, val options, val on_progress, val extensions, val on_facts) {
  return guarded([&] {
    auto entry = std::make_unique<Held>(files);
    entry->extensions = mo::js::extensions_of(extensions);
    const mo::Inspection found =
        mo::inspect(entry->files, main_file, to_options(options), teller(on_progress), entry->extensions.get(),
                    [&](const std::string& facts) { on_facts(facts); });
    entry->inspected = found.graph;
    mo::js::state().clear();
    val out = val::object();
    out.set("ok", true);
    out.set("facts", found.facts);
    out.set("messages", to_array(found.messages));
    out.set("id", hold(std::move(entry)));
    return out;
  });
}

val list_places(val files, std::string main_file, val options, val on_progress) {
  return guarded([&] {
    HostFiles host(files);
    const mo::PlaceList found = mo::list_places(host, main_file, to_options(options), teller(on_progress));
    if (found.json.empty()) return failed(found.messages);
    val out = val::object();
    out.set("ok", true);
    out.set("places", copy(found.json.data(), found.json.size()));
    return out;
  });
}

val verify_ir(val files, std::string main_file, bool with_graph) {
  HostFiles host(files);
  const mo::IrVerdict verdict = mo::verify_ir(host, main_file, with_graph);
  val out = val::object();
  out.set("facts", verdict.facts);
  if (!verdict.graph.empty()) out.set("graph", copy(verdict.graph.data(), verdict.graph.size()));
  out.set("messages", to_array(verdict.messages));
  return out;
}

mo::IrFile ir_file(const val& file) {
  return {.name = file["name"].as<std::string>(), .shown = file["shown"].as<std::string>()};
}

val compare_irs(val files, val a, val b, bool contents) {
  HostFiles host(files);
  const mo::ComparedIrs compared = mo::compare_irs(host, ir_file(a), ir_file(b), contents);
  val out = val::object();
  out.set("text", compared.text);
  out.set("facts", compared.facts);
  out.set("messages", to_array(compared.messages));
  out.set("readable", compared.is_readable);
  out.set("same", compared.is_same);
  return out;
}

val list_irs(val files) {
  HostFiles host(files);
  return to_js(mo::list_irs(host));
}

val list_transforms(val options, val extensions) {
  return guarded([&] {
    const auto given = mo::js::extensions_of(extensions);
    return val(mo::list_transforms(to_options(options), given.get()));
  });
}

val read_recipe(int id, uint32_t recipe, double offset, uint32_t size) {
  return guarded([&] {
    Held& entry = *held().at(id);
    entry.piece.resize(size);
    entry.conversion->read_recipe(recipe, static_cast<uint64_t>(offset), entry.piece);
    return view(entry.piece.data(), size);
  });
}

/// Computes `size` bytes of f16. `read` fills a view of twice that size with f32 elements of the file `name`, or
/// returns a string that says why it cannot.
val compress(uint32_t size, std::string name, val read) {
  static std::vector<std::byte> from, to;
  return guarded([&] {
    from.resize(2 * size_t{size});
    to.resize(size);
    refuse_failure(read(view(from.data(), from.size())), {.file = std::move(name)});
    mo::f32_to_f16_clamped(from.data(), to.data(), size / 2);
    return view(to.data(), to.size());
  });
}

void release(int id) { held().erase(id); }

val to_js(const std::vector<mo::ModelArgument>& models) {
  val out = val::array();
  for (const mo::ModelArgument& model : models) {
    val one = val::object();
    one.set("path", model.path);
    one.set("name", model.name);
    one.set("isNamed", model.is_named);
    one.set("folder", model.folder);
    out.call<void>("push", one);
  }
  return out;
}

val name_models(val models, std::string report) {
  mo::CommandLine line;
  line.report = std::move(report);
  for (const val& model : emscripten::vecFromJSArray<val>(models)) {
    mo::ModelArgument& one = line.models.emplace_back();
    one.path = model["path"].as<std::string>();
    one.name = model["name"].as<std::string>();
    one.is_named = model["isNamed"].as<bool>();
    one.folder = model["folder"].as<std::string>();
  }
  try {
    mo::name_models(line);
    return to_js(line.models);
  } catch (const mo::Error& error) {
    return failed({error.message()});
  }
}

val parse_command_line(std::string program, val arguments, val environment) {
  static const char* const actions[] = {"convert", "list_transforms", "list_configurations", "help", "completion",
                                        "version", "refused"};
  const auto line =
      mo::parse_command_line(program, emscripten::vecFromJSArray<std::string>(arguments), [&](const char* name) {
        const val value = environment[name];
        return value.isUndefined() ? std::nullopt : std::optional(value.as<std::string>());
      });
  val out = val::object();
  out.set("action", std::string(actions[static_cast<int>(line.action)]));
  out.set("text", line.text);
  out.set("models", to_js(line.models));
  out.set("outputDir", line.output_dir);
  out.set("logLevel", line.log_level);
  out.set("silent", line.silent);
  out.set("verbose", line.verbose);
  out.set("json", line.json);
  out.set("info", line.info);
  out.set("verify", line.verify);
  out.set("compare", line.compare);
  out.set("hash", line.hash);
  out.set("report", line.report);
  out.set("skipUnchanged", line.skip_unchanged);
  out.set("fsync", line.fsync);
  out.set("jobs", line.jobs);
  out.set("progress", line.progress);
  out.set("streamOutput", line.stream_output);
  out.set("extensions", to_js(line.extensions));
  out.set("options", to_js(line.options));
  out.set("paths", to_js(line.paths));
  out.set("configurations", to_js(line.configurations));
  out.set("messages", to_array(line.messages));
  return out;
}

val side_files(val options, std::string name) { return to_array(mo::side_files_of(to_options(options), name)); }

bool is_built_in_config(std::string path) { return mo::is_built_in_config(path); }

val option_paths(std::string option, std::string value) { return to_js(mo::option_paths(option, value)); }

val option_files(val files, std::string option, std::string value) {
  HostFiles host(files);
  return to_js(mo::option_files(host, option, value));
}

val companion_to_js(const mo::CompanionFiles& companion) {
  val out = val::object();
  out.set("role", companion.role);
  out.set("option", companion.option);
  out.set("needed", companion.needed);
  out.set("value", companion.value);
  out.set("files", to_js(companion.files));
  out.set("candidates", to_js(companion.candidates));
  out.set("lookedFor", to_js(companion.looked_for));
  return out;
}

val model_to_js(const mo::FoundModel& model) {
  val out = val::object();
  out.set("main", model.main);
  out.set("isFolder", model.is_folder);
  out.set("framework", model.framework);
  out.set("companions", to_array(model.companions, companion_to_js));
  return out;
}

val find_models(val files, std::string folder) {
  return guarded([&] {
    HostFiles host(files);
    const mo::FoundModels found = mo::find_models(host, folder);
    if (!found.messages.empty()) return failed(found.messages);
    val out = val::object();
    out.set("ok", true);
    out.set("models", to_array(found.models, model_to_js));
    out.set("others", to_js(found.others));
    out.set("unread", to_js(found.unread));
    out.set("recognised", to_array(found.recognised));
    return out;
  });
}

val file_meant_by(val files, std::string name) {
  return guarded([&] {
    HostFiles host(files);
    return val(mo::file_meant_by(host, name));
  });
}

/// The message of what is wrong with the text, or undefined.
val check_config(std::string text) {
  try {
    mo::check_transformations_config(text);
    return val::undefined();
  } catch (const mo::Error& error) {
    return to_js(error.message());
  }
}

std::string default_model_name(std::string path) { return mo::default_model_name(std::move(path)); }

std::string version() { return std::string(mo::version()); }

std::string format_message(val message) { return mo::format(to_message(message)); }

/// The message of an error that occurs only in hosts; `code` is its number in errors.def.
val host_message(int code, val detail, std::string file) {
  return to_js(mo::Error(static_cast<Code>(code), to_detail(detail), {.file = std::move(file)}).message());
}

}  // namespace

EMSCRIPTEN_BINDINGS(mo) {
  emscripten::function("convert", &convert);
  emscripten::function("inspect", &inspect);
  emscripten::function("listPlaces", &list_places);
  emscripten::function("verifyIr", &verify_ir);
  emscripten::function("compareIrs", &compare_irs);
  emscripten::function("listIrs", &list_irs);
  emscripten::function("sideFiles", &side_files);
  emscripten::function("isBuiltInConfig", &is_built_in_config);
  emscripten::function("optionPaths", &option_paths);
  emscripten::function("optionFiles", &option_files);
  emscripten::function("findModels", &find_models);
  emscripten::function("fileMeantBy", &file_meant_by);
  emscripten::function("listTransforms", &list_transforms);
  emscripten::function("readRecipe", &read_recipe);
  emscripten::function("compress", &compress);
  emscripten::function("release", &release);
  emscripten::function("parseCommandLine", &parse_command_line);
  emscripten::function("checkConfig", &check_config);
  emscripten::function("defaultModelName", &default_model_name);
  emscripten::function("nameModels", &name_models);
  emscripten::function("version", &version);
  emscripten::function("formatMessage", &format_message);
  emscripten::function("hostMessage", &host_message);
  mo::js::Table table;
  mo::js::add_functions(table);
}
