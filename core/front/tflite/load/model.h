// The tables of a .tflite file, schema 3: tensors, operators and buffers. tflite.fbs has what is read of LiteRT's
// schema.
#pragma once

#include <tflite_tables.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/content.h"
#include "core/base/error.h"
#include "core/front/tflite/load/flat_buffer.h"

namespace mo::tflite {

/// real = scale * (q - zero_point), with one scale, or one for each index of `axis`. Empty lists: not quantised.
struct Quantization {
  std::vector<double> scale;
  std::vector<int64_t> zero_point;
  int64_t axis = 0;
  /// With a block: a scale for each `block` elements that follow one another along the last axis, in the tensor
  /// `scales` of the subgraph; zero points in the tensor `zeros`, or none (-1).
  int64_t block = 0, scales = -1, zeros = -1;
  bool operator==(const Quantization&) const = default;
};

struct TensorRecord {
  std::string name;
  int type = 0;
  std::vector<int64_t> sizes;  ///< -1 for one that may change
  uint64_t buffer = 0, external_buffer = 0;
  Quantization quantization;
  bool is_variable = false;  ///< state that its operator changes
  bool has_rank = false;     ///< older models never say so
  FlatTable sparsity;
  uint64_t offset = 0;

  bool is_complex() const { return type == fb::TensorType::COMPLEX64 || type == fb::TensorType::COMPLEX128; }
  /// Integers that mean real numbers.
  bool is_quantized() const { return !quantization.scale.empty() || quantization.block > 0; }
  /// In IR; a complex number is a pair in a last dimension of two.
  PartialShape shape() const;
  /// Throws UnsupportedType.
  ElementType element_type() const;
};

struct OperatorRecord {
  int code = 0;
  std::string name;  ///< "CONV_2D"; of a custom operation its own name
  int64_t version = 1;
  FlatTable table;
  std::vector<int64_t> inputs, outputs;  ///< tensors; an input of -1 is absent
};

struct SubgraphRecord {
  std::string name;
  std::vector<TensorRecord> tensors;
  bool says_ranks = false;  ///< of its tensors: one without dimensions is no scalar unless it has a rank
  std::vector<int64_t> inputs, outputs;
  FlatVector operators;
  FlatTable table;
};

/// A public name of an input or an output of a subgraph.
struct SignatureName {
  std::string name;
  uint64_t subgraph = 0, tensor = 0;
};

/// An entry point: its inputs and outputs are those of a subgraph.
struct SignatureRecord {
  std::string key;
  uint64_t subgraph = 0;
};

class ModelTables {
 public:
  /// Reads all but the operators. Throws TruncatedFile, CorruptFile, NoGraph.
  ModelTables(Files& files, FileId file);

  const std::vector<SubgraphRecord>& subgraphs() const { return subgraphs_; }
  const std::vector<SignatureRecord>& signatures() const { return signatures_; }
  const std::vector<SignatureName>& names() const { return names_; }
  const std::string& description() const { return description_; }
  Files& files() const { return file_.window().files(); }
  FileId file_id() const { return file_.window().file(); }
  [[noreturn]] void corrupt(uint64_t offset, const Detail& what) const { file_.corrupt(offset, what); }
  /// Operator `i` of a subgraph. Throws CorruptFile for indices of tensors or operator codes that do not exist.
  OperatorRecord operator_at(const SubgraphRecord& subgraph, uint64_t i);
  /// Where the bytes of a constant are; nullopt for a tensor without any. Throws MissingDataFile, CorruptFile,
  /// DataOutOfRange, UnsupportedForm.
  std::optional<SliceContent> bytes_of(const TensorRecord& tensor);

 private:
  struct Code {
    int builtin = 0;
    std::string name;
    int64_t version = 1;
  };
  void read_subgraph(const FlatTable& table);
  TensorRecord read_tensor(const FlatTable& table);
  Quantization read_quantization(const FlatTable& table, const TensorRecord& tensor);
  Quantization read_blocks(const FlatTable& table, const FlatTable& details, const TensorRecord& tensor);
  void check_blocks(const SubgraphRecord& subgraph) const;
  void read_signatures(const FlatTable& model);
  std::vector<int64_t> tensor_list(const FlatTable& table, int field, const SubgraphRecord& subgraph,
                                   bool may_be_absent);
  SliceContent external(uint64_t id);

  FlatFile file_;
  FlatTable model_;
  FlatVector buffers_;
  std::vector<Code> codes_;
  std::vector<SubgraphRecord> subgraphs_;
  std::vector<SignatureRecord> signatures_;
  std::vector<SignatureName> names_;
  std::string description_;
};

}  // namespace mo::tflite
