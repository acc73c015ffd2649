#include "core/front/pytorch/load/archive.h"

#include <algorithm>

#include "core/base/json/json_values.h"
#include "core/base/text.h"
#include "core/front/common/first_names.h"
#include "core/front/expansion.h"
#include "core/front/pytorch/load/program.h"

namespace mo::pytorch {
namespace {

constexpr JsonLimits kConfigurationLimits{.bytes = 256 << 20, .token = 1 << 20, .depth = 32};
constexpr size_t kMostValues = 1 << 25;
constexpr int64_t kStrided = 7;
constexpr std::string_view kModels = "models/", kJson = ".json", kFlatProgram = "serialized_exported_program.json";
constexpr std::string_view kNameOption = "model_name";
constexpr std::string_view kSaveAgain =
    "write it with torch.export.save(torch.export.export(model, args), 'model.pt2') of PyTorch 2.6 or newer";

int64_t symbolic(const JsonValue& value) {
  const auto number = value["as_int"].integer();
  if (!number || *number < 0) throw Error(Code::CorruptFile, "a size of a weight is no number");
  return *number;
}

Shape sizes_of(const JsonValue& list) {
  Shape out;
  list.each([&](const JsonValue& size) { out.push_back(symbolic(size)); });
  require_dimensions(out.size());
  return out;
}

}  // namespace

Archive::Archive(const ModelFile& model) : model_(model) {
  if (model.is_folder())
    read_folder();
  else
    read_zip();
  if (is_flat_) {
    programs_ = {"model"};
    return;
  }
  const Place place{.file = model.name()};
  if (programs_.empty()) {
    if (is_compiled_)
      throw Error(Code::NoGraph, "an AOTInductor package, which has machine code in place of a program", place,
                  Detail::words(kSaveAgain));
    throw Error(Code::NoGraph, "an archive of PyTorch without a program", place);
  }
  if (const std::string number = has("archive_version") ? text(part("archive_version")) : "0"; trim(number) != "0")
    throw Error(Code::UnsupportedForm, msg("version ", printable(number), " of the archive"), place);
  if (!has("byteorder")) return;
  const Part order = part("byteorder");
  if (trim(text(order)) == "big")
    throw Error(Code::UnsupportedForm, "weights of a machine with big-endian numbers",
                model.files().place(order.file, order.offset));
}

void Archive::read_zip() {
  Window window(model_.files(), model_.file());
  std::map<std::string, ZipEntry> all = read_zip_directory(window, 0, window.size());
  is_flat_ = all.count(std::string(kFlatProgram)) > 0;
  for (auto& [path, entry] : all) {
    const size_t slash = path.find('/');
    if (!is_flat_ && slash == path.npos) continue;
    entries_.insert_or_assign(is_flat_ ? path : path.substr(slash + 1), entry);
  }
  for (const auto& [path, entry] : entries_) add_file(path);
}

void Archive::read_folder() {
  is_flat_ = has(kFlatProgram);
  for (const std::string_view folder : {"models", "data/aotinductor"})
    for (const std::string& path : model_.files().list(inside(folder)))
      add_file(std::string_view(path).substr(inside("").size()));
}

void Archive::add_file(std::string_view path) {
  is_compiled_ |= path.starts_with("data/aotinductor/");
  const size_t ends = kModels.size() + kJson.size();
  if (path.starts_with(kModels) && path.ends_with(kJson) && path.size() > ends)
    programs_.emplace_back(path.substr(kModels.size(), path.size() - ends));
}

const std::string& Archive::chosen(const std::string& name) const {
  if (programs_.size() == 1) return programs_[0];
  for (const std::string& program : programs_)
    if (program == name || without_unsafe(program) == name) return program;
  throw Error(
      Code::NoSuchModel,
      msg("the archive \"", printable(model_.name()), "\" has ", programs_.size(), " models: ", first_names(programs_)),
      {}, msg("name one with --", kNameOption))
      .about(kNameOption);
}

/// The path of a file of a folder.
std::string Archive::inside(std::string_view name) const {
  return model_.name().empty() ? std::string(name) : cat(model_.name(), "/", name);
}

bool Archive::has(std::string_view name) const {
  return model_.is_folder() ? model_.files().has(inside(name)) : entries_.count(name) > 0;
}

Part Archive::part(std::string_view name) {
  if (!has(name))
    throw Error(Code::CorruptFile, msg(printable(name), " is not in the archive"),
                {.tensor = std::string(name), .file = model_.name()});
  if (model_.is_folder()) {
    const FileId file = model_.files().open(inside(name));
    return {file, 0, model_.files().source(file).size()};
  }
  const ZipEntry& entry = entries_.find(name)->second;
  if (!entry.is_stored)
    throw Error(Code::UnsupportedForm, msg(printable(name), " is compressed"),
                model_.files().place(model_.file(), entry.record),
                "pack the archive again without compression: zip -0");
  return {model_.file(), entry.offset, entry.size};
}

std::string Archive::text(const Part& part) {
  constexpr uint64_t kShort = 256;
  std::string out(static_cast<size_t>(std::min(part.size, kShort)), '\0');
  model_.files().read(part.file, part.offset, std::as_writable_bytes(std::span(out)));
  return out;
}

Part Archive::program(const std::string& name) {
  return is_flat_ ? part(kFlatProgram) : part(cat(kModels, name, kJson));
}

Weights Archive::weights(const std::string& program) {
  Weights out;
  // Constants come second: a name is either of them.
  add("data/weights/", cat(program, "_weights_config.json"), out);
  add("data/constants/", cat(program, "_constants_config.json"), out);
  // Before 2.9 they are pickled.
  add_pickled_file(is_flat_ ? "serialized_state_dict.pt" : cat("data/weights/", program, ".pt"), out);
  add_pickled_file(is_flat_ ? "serialized_constants.pt" : cat("data/constants/", program, ".pt"), out);
  return out;
}

void Archive::add_pickled_file(const std::string& name, Weights& out) {
  if (has(name)) add_pickled(model_.files(), part(name), out);
}

void Archive::add(const std::string& folder, const std::string& configuration, Weights& out) {
  if (!has(cat(folder, configuration))) return;
  const Part json = part(cat(folder, configuration));
  Window window(model_.files(), json.file);
  const JsonValues values =
      read_json_values(window, json.offset, json.offset + json.size, kConfigurationLimits, kMostValues);
  if (values.size() == 0) throw Error(Code::CorruptFile, "no JSON", window.place(json.offset));
  JsonValue(values, 0)["config"].each([&](const JsonValue& weight) {
    const std::string name(weight.key());
    const auto where = [&] {
      Place place = window.place(json.offset);
      place.tensor = name;
      return place;
    };
    with_place(where, [&] {
      if (weight["use_pickle"].boolean().value_or(false)) return;  // an error only where it is read
      const JsonValue meta = weight["tensor_meta"];
      const std::string path(weight["path_name"].text().value_or(""));
      if (path.empty() || path.find('/') != path.npos || path.find("..") != path.npos)
        throw Error(Code::CorruptFile, msg("path_name is '", printable(path), "'"));
      const Part file = part(cat(folder, path));
      const int64_t code = meta["dtype"].integer().value_or(0), layout = meta["layout"].integer().value_or(kStrided);
      const bool is_complex = part_type_of_code(code) != ElementType::Unknown;
      const ElementType type = is_complex ? part_type_of_code(code) : type_of_code(code);
      if (type == ElementType::Unknown) return;  // an error only where it is read
      if (layout != kStrided) throw Error(Code::UnsupportedForm, msg("layout ", layout, " of a weight"));
      const Shape sizes = sizes_of(meta["sizes"]), strides = sizes_of(meta["strides"]);
      const int64_t offset = symbolic(meta["storage_offset"]);
      out.insert_or_assign(name, is_complex ? stored_pairs(file, type, sizes, strides, offset)
                                            : stored_tensor(file, type, sizes, strides, offset));
    });
  });
}

Constant stored_pairs(const Part& storage, ElementType type, Shape sizes, Shape strides, int64_t offset) {
  const auto double_of = [](int64_t number) {
    if (number > INT64_MAX / 2) throw Error(Code::SizeOverflow, msg(number, " complex numbers of a weight"));
    return 2 * number;
  };
  for (int64_t& stride : strides) stride = double_of(stride);
  sizes.push_back(2);
  strides.push_back(1);
  return stored_tensor(storage, type, sizes, strides, double_of(offset));
}

Constant stored_tensor(const Part& storage, ElementType type, const Shape& sizes, const Shape& strides,
                       int64_t offset) {
  if (sizes.size() != strides.size())
    throw Error(Code::CorruptFile, msg(strides.size(), " strides of ", sizes.size(), " dimensions"));
  const uint64_t width = byte_size(type, 1);
  if (storage.size == 0 && element_count(sizes) > 0)
    throw Error(Code::NoWeights, "the program was exported with fake tensors", {},
                "export it with the real weights of the model");
  const auto elements = static_cast<int64_t>(storage.size / width);
  const Constant whole{
      type,
      {elements},
      std::make_shared<SliceContent>(storage.file, storage.offset, static_cast<uint64_t>(elements) * width)};
  return view_of_storage(whole, sizes, strides, offset);
}

}  // namespace mo::pytorch
