// NAME.mo.json beside the IR: what a model was converted from, how, and into what. --skip_unchanged finds out from it
// whether converting the model again would give what is there.
//
// {version, options: {name: value}, inputs: [{path, size, sha256}], outputs: [{path, size, sha256}]}: the paths of
// inputs as given on the command line, those of outputs relative to the record. The text is the same from each host:
// the record holds if the one that would be written now is equal, byte for byte.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/cli/extension_folder.h"
#include "core/cli/ir_pair_writer.h"
#include "core/cli/model_source.h"

namespace mo {

class ConversionRecord {
 public:
  /// `extensions` are those of `line`. `line`, `model` and `source` have to outlive the record.
  ConversionRecord(const CommandLine& line, const ModelArgument& model, const ModelSource& source,
                   const std::vector<ExtensionFolder>& extensions);

  /// Whether there is a record, and it describes what is there now. Throws nothing.
  bool holds() const;
  /// Writes the record of a conversion that has read `files`; none if one of them has changed since it was opened.
  /// Throws HostReadFailed, HostWriteFailed.
  void write(const DiskFiles& files) const;
  /// The paths of the IR.
  const IrPair& pair() const { return pair_; }

 private:
  using Hash = std::function<std::string(const std::string&)>;
  std::string describe(const std::vector<std::string>& data_files, const Hash& hash) const;
  std::string beside_ir(const std::string& name) const;
  std::string model_file() const;

  const CommandLine& line_;
  const ModelArgument& model_;
  const ModelSource& source_;
  IrPair pair_;
  std::string path_;
  std::string prefix_;               ///< of the paths of files beside the model's
  std::vector<std::string> inputs_;  ///< what is known without opening the model
};

}  // namespace mo
