// The public face of the core: model files in, IR out.
//
// The core is synchronous and single-threaded. It sees files only through FileSet, and no clock, locale or environment.
// All its results are data; no exception leaves convert().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/detail.h"

namespace mo {

/// A file or anything that can be read like one. Offsets and sizes are in bytes.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual uint64_t size() const = 0;
  /// Fills `out` with the bytes from `offset` on. The caller ensures offset + out.size() <= size(); an implementation
  /// throws mo::Error (MO7xxx) when the host cannot deliver the bytes.
  virtual void read(uint64_t offset, std::span<std::byte> out) = 0;
};

/// The files of one model: the main file, the files beside it, and files that options name.
class FileSet {
 public:
  virtual ~FileSet() = default;
  /// The file of that name; null when there is none. A name is a path relative to the main file's folder (the caller
  /// has checked that it does not leave it), or the value of an option of kind Path, which the host has made absolute.
  /// The same name gives the same object, which the set owns.
  virtual ByteSource* open(std::string_view name) = 0;
  /// The entries of `folder`: bare names in any order; names of folders end with '/'. `folder` is a name as for open();
  /// "" is the main file's own folder. Empty when there is no such folder.
  virtual std::vector<std::string> list(std::string_view folder);
};

/// What is wrong, where, and what to do; `code` is a row of core/base/errors.def, for example "MO2001".
struct Message {
  enum class Severity { Error, Warning };
  Severity severity = Severity::Error;
  std::string code, text, hint;
  std::string node, op, tensor, file;
  int64_t offset = -1;       ///< byte offset in `file`, -1 when there is none
  int line = 0, column = 0;  ///< in a text `file`, from 1; 0 when there are none
  /// `text` and `hint` as templates and arguments.
  Detail detail, advice;
  /// The options it is about, without hyphens, the one that is wrong first; and others that the hint speaks of.
  std::vector<std::string> options;
};

/// One option as the user gave it: the name of a row in core/pipeline/options.def and its text ("[1,3,224,224]",
/// "True").
struct OptionText {
  std::string name, value;
};

struct Progress {
  std::string_view phase;      ///< "load", "front", "infer", "middle", "layout", "back", "emit"
  std::string_view transform;  ///< the transform about to run, or empty
  int index = 0, count = 0;    ///< transform `index` (from 1) of `count` over all phases
};

/// One piece of the .bin, in order. `kind` says which of the three groups of fields is used.
struct Segment {
  enum class Kind { File, Bytes, Recipe };
  Kind kind = Kind::Bytes;
  uint64_t size = 0;
  /// File: index into Conversion::files, and byte offset in that file. Recipe: where the elements are if it is
  /// `compressed`.
  uint32_t file = 0;
  uint64_t offset = 0;
  std::vector<std::byte> bytes;  ///< Bytes: the bytes themselves
  uint32_t recipe = 0;           ///< Recipe: the argument for Conversion::read_recipe
  uint64_t piece = 0;            ///< Recipe: how many bytes to read at a time
  bool compressed = false;       ///< Recipe: f32 elements of a file that become f16; `file` and `offset` are set
};

/// Receives a text in pieces, in order. It may throw mo::Error (MO7xxx) when the host cannot keep them.
using TextSink = std::function<void(std::string_view)>;

/// A file that options ask for beside the pair.
struct SideFile {
  enum class Kind {
    Mapping,    ///< XML that says of each tensor of the source where it is in the IR
    Check,      ///< core/cli/check_script/; its content is JSON that a host puts into it (core/pipeline/check_facts.h)
    Trace,      ///< JSON of what each transformation changed (core/pipeline/trace.h), as far as the conversion got
    EventFile,  ///< the graph as TensorBoard shows it
    Parameters  ///< the arrays of several files, as one file of the format
  };
  Kind kind = Kind::Mapping;
  std::string name;
  /// The option whose value is its folder. Empty: it is beside the pair.
  std::string folder_option;
  std::string text;
  std::vector<Segment> segments;  ///< instead of a text: as Conversion::segments()
};

/// The files that these options ask for beside the pair `name`, without content, in the order in which they are
/// written.
std::vector<SideFile> side_files_of(const std::vector<OptionText>& options, std::string_view name);

/// The outcome of convert(). The FileSet has to outlive it.
class Conversion {
 public:
  virtual ~Conversion() = default;
  virtual bool ok() const = 0;
  virtual const std::vector<Message>& messages() const = 0;
  /// With option tensorflow_custom_operations_config_update: the configuration with the additions for this model; there
  /// is no IR then. Otherwise empty.
  virtual const std::string& updated_config() const = 0;
  /// With ANALYSIS_JSON_PRINT among the enabled transformations: JSON {inputs: {name: {shape, data_type, value}},
  /// intermediate: {tensor: {shape, data_type, value}}}; there is no IR then. Otherwise empty.
  virtual const std::string& analysis() const = 0;
  /// Those of side_files_of() that have been made. Only a trace is, unless ok().
  virtual const std::vector<SideFile>& side_files() const = 0;
  /// The complete .xml. Empty unless ok(), and also if convert() was given a sink for it.
  virtual const std::string& xml() const = 0;
  /// The .bin as a list of ranges; its size is the sum of the segments' sizes.
  virtual const std::vector<Segment>& segments() const = 0;
  /// Names of the files that segments refer to.
  virtual const std::vector<std::string>& files() const = 0;
  /// Computes bytes [offset, offset + out.size()) of a recipe; throws mo::Error when a source cannot be read.
  virtual void read_recipe(uint32_t recipe, uint64_t offset, std::span<std::byte> out) = 0;
  /// JSON: {name, framework, inputs: [{name, names, shape, type}], outputs: […], operations: {type: count},
  /// constants, xml_bytes, bin_bytes, runtime, preparation, weights}; "{}" unless ok(). `preparation`, {file, model,
  /// mean_values, scale_values, colours, order, size, dictionary}, is there if a file beside the model says how
  /// pictures are prepared. `weights`, [{name, layer, op, shape, format, group_size, before, after, cpu, stays}], is
  /// there with weight_format int8 and int4: core/back/weights/weight_table.h.
  virtual const std::string& report() const = 0;
};

/// Operations, extractors and transformations of the user: core/pipeline/extensions.h.
struct Extensions;

/// Converts `main_file` of `files`. Never throws: errors are in messages().
/// `xml`, if given, gets the .xml while it is written: the text of a large model takes as much memory as its graph.
/// What it got is worthless unless ok().
std::unique_ptr<Conversion> convert(FileSet& files, std::string_view main_file, const std::vector<OptionText>& options,
                                    const std::function<void(const Progress&)>& on_progress = {},
                                    Extensions* extensions = nullptr, const TextSink& xml = {});

/// What a model is, and what is in the way of its conversion.
struct Inspection {
  /// JSON {name, framework, format, producer, producer_version, operator_sets: [{domain, version}], signature, tags,
  /// inputs: [{name, names, shape, type}], outputs: […], operations: {framework's type: count}, nodes, constants,
  /// preparation as in Conversion::report(), constant_bytes, bin_bytes: {f32, fp16}, missing_files}; "{}" if it cannot
  /// be loaded. bin_bytes is an estimate, without missing files. weight_sizes: core/back/weights/weight_sizes.h.
  std::string facts = "{}";
  /// What is not supported, and what is found before shapes are inferred; with weight_sizes as of a conversion.
  std::vector<Message> messages;
  /// The graph in which they were found. Freeing that of a large model takes a while, so the caller can choose when.
  std::shared_ptr<void> graph;
};

/// Loads, cuts and extracts the model; no shape is inferred, unless for weight_sizes, no weight is read. Never throws.
/// The files and extensions have to outlive the result.
/// `on_facts`, if given, gets the facts as soon as they are known, before operations are looked at one by one: JSON as
/// above without constants, constant_bytes, bin_bytes and missing_files.
Inspection inspect(FileSet& files, std::string_view main_file, const std::vector<OptionText>& options,
                   const std::function<void(const Progress&)>& on_progress = {}, Extensions* extensions = nullptr,
                   const std::function<void(const std::string&)>& on_facts = {});

/// The nodes at which --input and --output can cut a model.
struct PlaceList {
  /// JSON {ops: [framework's type], nodes: [[name, number of its type, [inputs that read no constant], [[names of
  /// output 0], …]]]}, in the order of the model; without constants, inputs and bodies. Empty when the model cannot be
  /// loaded.
  std::string json;
  std::vector<Message> messages;
};

/// Loads the model, and goes no further. Never throws.
PlaceList list_places(FileSet& files, std::string_view main_file, const std::vector<OptionText>& options,
                      const std::function<void(const Progress&)>& on_progress = {});

/// Throws mo::Error if the text of a transformations configuration is wrong whatever the model is.
void check_transformations_config(std::string_view json_text);

/// Whether `path` names a transformations configuration that is part of the program: as a name, or as a path like those
/// of Model Optimizer's files. Hosts ask this if there is no such file.
bool is_built_in_config(std::string_view path);

/// The paths in the value of an option of kind Path or Files, which hosts make absolute one by one.
std::vector<std::string> option_paths(std::string_view option, const std::string& value);
/// The existing files that an option of kind Path or Files names: of kind Files none of them needs to have that very
/// name. `value` itself if they cannot be found out: the conversion says why. Never throws.
std::vector<std::string> option_files(FileSet& files, std::string_view option, const std::string& value);

/// The files of a role for one model, besides the main file and those that the model itself names.
struct CompanionFiles {
  std::string role;    ///< as messages call it: "checkpoint"
  std::string option;  ///< the option that names them; model_name: it chooses one of several models in the file
  bool needed = false;
  std::string value;               ///< what the option would be; empty if they are absent or several are candidates
  std::vector<std::string> files;  ///< those that are there
  std::vector<std::string> candidates;  ///< values of the option, if more than one may be meant
  std::vector<std::string> looked_for;  ///< names, with '*' for any characters, if they are absent
};

/// A file, or a folder, that can be converted.
struct FoundModel {
  std::string main;
  bool is_folder = false;
  std::string framework;  ///< "" if its bytes are not known: its conversion says why
  std::vector<CompanionFiles> companions;
};

struct FoundModels {
  std::vector<FoundModel> models;   ///< by path
  std::vector<std::string> others;  ///< the files that belong to none, by path
  /// Files that the set lists and cannot open yet: with them, more may be found.
  std::vector<std::string> unread;
  /// What some of the others are, by their bytes, and what to do instead: one for each, with the file's path.
  std::vector<Message> recognised;
  std::vector<Message> messages;  ///< why the files could not be looked through
};

/// The models among all files of the set below `folder`, which is "" for all; it may be a model itself. A file with
/// an ending that only models have is one; where files of other kinds have the ending, too, or it has none, its first
/// bytes decide. Never throws.
FoundModels find_models(FileSet& files, std::string_view folder = {});

/// The file in the folder of the set that a user means by `name`, the beginning of its name, as its format allows.
/// Empty where there is none, or there are several. Throws HostReadFailed for a folder that cannot be read.
std::string file_meant_by(FileSet& files, std::string_view name);

/// The table of --list_transforms for these options and extensions. Throws mo::Error.
std::string list_transforms(const std::vector<OptionText>& options, const Extensions* extensions = nullptr);

/// A model on the command line: its path as given, "-" for the standard input, and the name of its IR.
struct ModelArgument {
  std::string path, name;
  bool is_named = false;  ///< the name is that of --model_name
  /// Where the IR is, below the output folder: "" or "a/b".
  std::string folder = {};
};
/// The name of the IR for the file or folder at `path`: its own without the ending. In place of one that begins with a
/// dot it is "model".
std::string default_model_name(std::string path);

struct CommandLine;
/// Names the models of a command line that are not named yet. If the IRs of two would be the same files, all are in
/// folders as their models are. Hosts call it again when they have found the models in folders, with the folders in
/// which these lie. Throws SameName, and BadOptionValue for a report about several models.
void name_models(CommandLine& line);

/// A parsed command line, for both CLIs. Checking paths is up to the caller: the core has no file system.
struct CommandLine {
  enum class Action { Convert, ListTransforms, ListConfigurations, Help, Completion, Version, Refused };
  Action action = Action::Convert;
  /// Help: the program; Completion: the shell; Version: for the standard output; Refused: for the standard error, with
  /// exit code 2; Convert: the options in force, if `verbose`.
  std::string text;
  std::vector<ModelArgument> models;  ///< Convert: at least one; no two have the same IR
  std::string output_dir = ".";       ///< Convert: as given
  std::string log_level = "WARNING";  ///< one of Model Optimizer's log levels
  bool silent = false;                ///< --silent True: errors only, whatever the level is
  bool verbose = false;               ///< --silent False: options, time and memory are printed, too
  bool progress = false;
  bool stream_output = false;           ///< progress goes to lines of its own
  bool json = false;                    ///< the result is one line of JSON for each model
  bool info = false;                    ///< Convert: models are inspected instead
  bool verify = false;                  ///< Convert: `models` are IRs, which are verified instead
  bool compare = false;                 ///< Convert: `models` are two IRs, which are compared instead
  std::string report;                   ///< the path of the report; for one model only
  bool skip_unchanged = false;          ///< a model whose record says that nothing has changed is not converted
  bool fsync = false;                   ///< files wait for the disk before they get their names
  bool hash = false;                    ///< `compare`: the contents of constants, not their places
  int jobs = 1;                         ///< models that are converted at once: 1 to 256
  std::vector<std::string> extensions;  ///< Convert, ListTransforms: folders
  /// Convert, ListTransforms: the remaining options, for convert(), which accepts them; model_name is not among them.
  /// The values of the options in `paths` are paths as the user gave them; the host makes them absolute.
  std::vector<OptionText> options;
  std::vector<std::string> paths;
  /// Those of `paths` that are transformations configurations: check_transformations_config().
  std::vector<std::string> configurations;
  std::vector<Message> messages;  ///< Refused: the one that `text` is made from
};
/// A variable of the environment; nullopt where it is not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;
/// `arguments` without the program's name. `program` is how the user calls it: mo, or mo_onnx, mo_tf, … which know the
/// options of one framework only. MO_ENABLED_TRANSFORMS and MO_DISABLED_TRANSFORMS of the environment are added to the
/// options.
CommandLine parse_command_line(std::string_view program, const std::vector<std::string>& arguments,
                               const Environment& environment = {});

/// The product's version, for example "0.1.0".
std::string_view version();
/// One line per message as the CLIs print it: "[ ERROR ]  MO2001 …".
std::string format(const Message& message);

}  // namespace mo
