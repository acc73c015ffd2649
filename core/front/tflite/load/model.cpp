#include "core/front/tflite/load/model.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/front/tflite/extract/extractor.h"
#include "core/front/tflite/load/options.h"

namespace mo::tflite {
namespace {

constexpr uint64_t kLargestRank = 64;

struct TypeRow {
  ElementType type;
  const char* name;
};
/// By TensorType. Complex numbers are pairs of these.
constexpr TypeRow kTypes[] = {
    {ElementType::F32, "float32"},       {ElementType::F16, "float16"},       {ElementType::I32, "int32"},
    {ElementType::U8, "uint8"},          {ElementType::I64, "int64"},         {ElementType::String, "string"},
    {ElementType::Bool, "bool"},         {ElementType::I16, "int16"},         {ElementType::F32, "complex64"},
    {ElementType::I8, "int8"},           {ElementType::F64, "float64"},       {ElementType::F64, "complex128"},
    {ElementType::U64, "uint64"},        {ElementType::Unknown, "resource"},  {ElementType::Unknown, "variant"},
    {ElementType::U32, "uint32"},        {ElementType::U16, "uint16"},        {ElementType::I4, "int4"},
    {ElementType::BF16, "bfloat16"},     {ElementType::I2, "int2"},           {ElementType::U4, "uint4"},
    {ElementType::F8E4M3, "float8e4m3"}, {ElementType::F8E5M2, "float8e5m2"},
};

}  // namespace

ElementType element_type_of(int64_t type) {
  const bool known = type >= 0 && static_cast<size_t>(type) < std::size(kTypes);
  if (known && kTypes[type].type != ElementType::Unknown) return kTypes[type].type;
  throw Error(mo::Code::UnsupportedType, known ? msg(kTypes[type].name) : msg("type ", type));
}

ElementType TensorRecord::element_type() const { return element_type_of(type); }

PartialShape TensorRecord::shape() const {
  std::vector<Dimension> dimensions;
  for (const int64_t size : sizes) dimensions.push_back(size < 0 ? kAnyDimension : Dimension(size));
  if (is_complex()) dimensions.push_back(2);
  return dimensions;
}

ModelTables::ModelTables(Files& files, FileId file) : file_(files, file), model_(file_.root()) {
  description_ = model_.text(fb::Model::description);
  buffers_ = model_.vector(fb::Model::buffers, 4);
  const FlatVector codes = model_.vector(fb::Model::operator_codes, 4);
  for (uint64_t i = 0; i < codes.count; ++i) {
    const FlatTable code = model_.element(codes, i);
    // Old files have the first field only, new ones a number above its range in the other.
    const int builtin = std::max<int>(code.get<int8_t>(fb::OperatorCode::deprecated_builtin_code),
                                      code.get<int32_t>(fb::OperatorCode::builtin_code));
    std::string custom = code.text(fb::OperatorCode::custom_code);
    codes_.push_back({builtin, builtin == kCustom ? std::move(custom) : operator_name(builtin),
                      code.get<int32_t>(fb::OperatorCode::version, 1)});
  }
  const FlatVector subgraphs = model_.vector(fb::Model::subgraphs, 4);
  for (uint64_t i = 0; i < subgraphs.count; ++i) read_subgraph(model_.element(subgraphs, i));
  if (subgraphs_.empty()) throw Error(mo::Code::NoGraph);
  read_signatures(model_);
}

void ModelTables::read_subgraph(const FlatTable& table) {
  SubgraphRecord& subgraph = subgraphs_.emplace_back();
  subgraph.table = table;
  subgraph.name = table.text(fb::SubGraph::name);
  const FlatVector tensors = table.vector(fb::SubGraph::tensors, 4);
  for (uint64_t i = 0; i < tensors.count; ++i) {
    subgraph.tensors.push_back(read_tensor(table.element(tensors, i)));
    subgraph.says_ranks |= subgraph.tensors.back().has_rank;
  }
  check_blocks(subgraph);
  subgraph.inputs = tensor_list(table, fb::SubGraph::inputs, subgraph, false);
  subgraph.outputs = tensor_list(table, fb::SubGraph::outputs, subgraph, false);
  subgraph.operators = table.vector(fb::SubGraph::operators, 4);
}

TensorRecord ModelTables::read_tensor(const FlatTable& table) {
  TensorRecord tensor;
  tensor.offset = table.offset();
  tensor.name = table.text(fb::Tensor::name);
  tensor.type = table.get<int8_t>(fb::Tensor::type);
  tensor.sizes = table.ints(fb::Tensor::shape_signature, 4);
  const std::vector<int64_t> shape = table.ints(fb::Tensor::shape, 4);
  if (tensor.sizes.size() != shape.size()) tensor.sizes = shape;
  if (tensor.sizes.size() > kLargestRank) corrupt(table.offset(), msg("a tensor of rank ", tensor.sizes.size()));
  tensor.buffer = table.get<uint32_t>(fb::Tensor::buffer);
  if (tensor.buffer >= std::max<uint64_t>(buffers_.count, 1))
    corrupt(table.offset(), msg("buffer ", tensor.buffer, " of ", buffers_.count));
  tensor.external_buffer = table.get<uint32_t>(fb::Tensor::external_buffer);
  tensor.is_variable = table.get<uint8_t>(fb::Tensor::is_variable) != 0;
  tensor.has_rank = table.get<uint8_t>(fb::Tensor::has_rank) != 0;
  tensor.sparsity = table.table(fb::Tensor::sparsity);
  if (const FlatTable found = table.table(fb::Tensor::quantization))
    tensor.quantization = read_quantization(found, tensor);
  return tensor;
}

/// Where the scales are in tensors of their own. Throws CorruptFile, and UnsupportedForm for blocks along other axes
/// than the last one.
Quantization ModelTables::read_blocks(const FlatTable& table, const FlatTable& details, const TensorRecord& tensor) {
  Quantization found;
  if (!details) corrupt(table.offset(), "blocks without parameters");
  namespace blocks = fb::BlockwiseQuantization;
  found.scales = details.get<int32_t>(blocks::scales), found.zeros = details.get<int32_t>(blocks::zero_points);
  found.block = details.get<int32_t>(blocks::block_size);
  const std::string name = printable(tensor.name);
  if (tensor.sizes.empty() || found.block < 1 || tensor.sizes.back() % found.block != 0)
    corrupt(details.offset(), msg("tensor ", name, ": blocks of ", found.block, " elements"));
  const int64_t axis = table.get<int32_t>(fb::QuantizationParameters::quantized_dimension);
  if (axis < 0 || static_cast<size_t>(axis) >= tensor.sizes.size())
    corrupt(table.offset(), msg("tensor ", name, ": quantised along dimension ", axis));
  if (tensor.sizes.size() > 1 && static_cast<size_t>(axis) + 1 == tensor.sizes.size())
    throw Error(
        mo::Code::UnsupportedForm, "blocks of weights along another axis than the last one",
        {.tensor = tensor.name, .file = files().name(file_id()), .offset = static_cast<int64_t>(table.offset())});
  return found;
}

/// The tensors of scales and zero points have one number for each block. Throws CorruptFile.
void ModelTables::check_blocks(const SubgraphRecord& subgraph) const {
  const auto elements = [](const TensorRecord& tensor) {
    Interval count(1);
    for (const int64_t size : tensor.sizes) count = count * Interval(std::max<int64_t>(0, size));
    return count.min;
  };
  for (const TensorRecord& tensor : subgraph.tensors) {
    const Quantization& by = tensor.quantization;
    for (const int64_t numbers : {by.scales, by.zeros}) {
      if (by.block == 0 || (numbers == -1 && numbers != by.scales)) continue;
      const auto count = static_cast<int64_t>(subgraph.tensors.size());
      if (numbers < 0 || numbers >= count) corrupt(tensor.offset, msg("tensor ", numbers, " of ", count));
      const TensorRecord& of_blocks = subgraph.tensors[static_cast<size_t>(numbers)];
      if (elements(of_blocks) != elements(tensor) / by.block || of_blocks.quantization.block > 0)
        corrupt(tensor.offset,
                msg("tensor ", printable(tensor.name), ": ", elements(of_blocks), " scales or zero points for ",
                    elements(tensor), " elements in blocks of ", by.block));
    }
  }
}

/// Empty without a scale. Throws CorruptFile if scales, zero points and shape do not fit.
Quantization ModelTables::read_quantization(const FlatTable& table, const TensorRecord& tensor) {
  namespace parameters = fb::QuantizationParameters;
  const int technique = table.get<uint8_t>(parameters::details_type);
  if (technique == fb::QuantizationDetails::BlockwiseQuantization)
    return read_blocks(table, table.table(parameters::details), tensor);
  if (technique == fb::QuantizationDetails::MultiAxisQuantization)
    throw Error(
        mo::Code::UnsupportedForm, "scales along several axes",
        {.tensor = tensor.name, .file = files().name(file_id()), .offset = static_cast<int64_t>(table.offset())});
  Quantization found{table.floats(parameters::scale), table.ints(parameters::zero_point, 8),
                     table.get<int32_t>(parameters::quantized_dimension)};
  const size_t scales = found.scale.size(), zeros = found.zero_point.size();
  if (scales == 0) return {};
  const auto fail = [&](const Detail& what) {
    corrupt(table.offset(), msg("tensor ", printable(tensor.name), ": ", what));
  };
  if (zeros > 1 && zeros != scales) fail(msg(zeros, " zero points for ", scales, " scales"));
  if (scales > 1) {
    const bool has_axis = found.axis >= 0 && static_cast<size_t>(found.axis) < tensor.sizes.size();
    if (!has_axis || tensor.sizes[static_cast<size_t>(found.axis)] != static_cast<int64_t>(scales))
      fail(msg(scales, " scales along dimension ", found.axis));
  }
  for (const double scale : found.scale)
    if (!std::isfinite(scale)) fail("a scale that is no number");
  for (const int64_t zero : found.zero_point)
    if (zero < INT32_MIN || zero > INT32_MAX) fail(msg("zero point ", zero));
  // A list of zeros means the same as no list.
  if (std::all_of(found.zero_point.begin(), found.zero_point.end(), [](int64_t zero) { return zero == 0; }))
    found.zero_point.clear();
  return found;
}

void ModelTables::read_signatures(const FlatTable& model) {
  const FlatVector signatures = model.vector(fb::Model::signature_defs, 4);
  for (uint64_t i = 0; i < signatures.count; ++i) {
    const FlatTable signature = model.element(signatures, i);
    const uint64_t subgraph = signature.get<uint32_t>(fb::SignatureDef::subgraph_index);
    if (subgraph >= subgraphs_.size())
      corrupt(signature.offset(), msg("subgraph ", subgraph, " of ", subgraphs_.size()));
    signatures_.push_back({signature.text(fb::SignatureDef::signature_key), subgraph});
    for (const int field : {fb::SignatureDef::inputs, fb::SignatureDef::outputs}) {
      const FlatVector tensors = signature.vector(field, 4);
      for (uint64_t k = 0; k < tensors.count; ++k) {
        const FlatTable entry = signature.element(tensors, k);
        const uint64_t tensor = entry.get<uint32_t>(fb::TensorMap::tensor_index),
                       count = subgraphs_[subgraph].tensors.size();
        if (tensor >= count) corrupt(entry.offset(), msg("tensor ", tensor, " of ", count));
        names_.push_back({entry.text(fb::TensorMap::name), subgraph, tensor});
      }
    }
  }
}

std::vector<int64_t> ModelTables::tensor_list(const FlatTable& table, int field, const SubgraphRecord& subgraph,
                                              bool may_be_absent) {
  std::vector<int64_t> tensors = table.ints(field, 4);
  const auto count = static_cast<int64_t>(subgraph.tensors.size());
  for (const int64_t tensor : tensors)
    if (tensor >= count || tensor < (may_be_absent ? -1 : 0))
      corrupt(table.offset(), msg("tensor ", tensor, " of ", count));
  return tensors;
}

OperatorRecord ModelTables::operator_at(const SubgraphRecord& subgraph, uint64_t i) {
  OperatorRecord out;
  out.table = subgraph.table.element(subgraph.operators, i);
  const uint64_t index = out.table.get<uint32_t>(fb::Operator::opcode_index);
  if (index >= codes_.size()) corrupt(out.table.offset(), msg("operator code ", index, " of ", codes_.size()));
  const Code& code = codes_[index];
  out.code = code.builtin;
  out.version = code.version;
  out.name = code.name;
  out.inputs = tensor_list(out.table, fb::Operator::inputs, subgraph, true);
  out.outputs = tensor_list(out.table, fb::Operator::outputs, subgraph, false);
  return out;
}

std::optional<SliceContent> ModelTables::bytes_of(const TensorRecord& tensor) {
  if (tensor.external_buffer != 0) return external(tensor.external_buffer);
  if (tensor.buffer == 0) return std::nullopt;
  const FlatTable buffer = model_.element(buffers_, tensor.buffer);
  const uint64_t offset = buffer.get<uint64_t>(fb::Buffer::offset), size = buffer.get<uint64_t>(fb::Buffer::size);
  if (offset > 1) {  // behind the FlatBuffer
    if (offset > file_.window().size() || size > file_.window().size() - offset)
      throw Error(
          mo::Code::DataOutOfRange, msg(size, " bytes at ", offset),
          {.tensor = tensor.name, .file = files().name(file_id()), .offset = static_cast<int64_t>(buffer.offset())});
    return SliceContent(file_id(), offset, size);
  }
  const FlatVector data = buffer.vector(fb::Buffer::data, 1);
  if (data.count == 0) return std::nullopt;
  return SliceContent(file_id(), data.offset, data.count);
}

/// Bytes of another file.
SliceContent ModelTables::external(uint64_t id) {
  const FlatVector all = model_.vector(fb::Model::external_buffers, 4);
  const FlatVector groups = model_.vector(fb::Model::external_buffer_groups, 4);
  for (uint64_t i = 0; i < all.count; ++i) {
    const FlatTable buffer = model_.element(all, i);
    if (buffer.get<uint32_t>(fb::ExternalBuffer::id) != id) continue;
    const uint64_t group = buffer.get<uint32_t>(fb::ExternalBuffer::group);
    if (group >= groups.count) corrupt(buffer.offset(), msg("group ", group, " of ", groups.count));
    const std::string packing = buffer.text(fb::ExternalBuffer::packing);
    if (!packing.empty()) throw Error(mo::Code::UnsupportedForm, msg("packing ", printable(packing)));
    const FileId file = files().open(model_.element(groups, group).text(fb::ExternalBufferGroup::name));
    return SliceContent(file, buffer.get<uint64_t>(fb::ExternalBuffer::offset),
                        buffer.get<uint64_t>(fb::ExternalBuffer::length));
  }
  corrupt(model_.offset(), msg("no external buffer ", id));
}

}  // namespace mo::tflite
