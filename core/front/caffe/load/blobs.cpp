// GraphLoader's part for the blobs of layers: from the .caffemodel, shared with another layer, or made by a filler that
// always gives the same.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/caffe/load/graph_loader.h"

namespace mo::caffe {
namespace {

/// As Model Optimizer names the constants of a layer.
std::string name_of_blob(const std::string& layer, size_t i) {
  return i == 0 ? layer + "/weights" : i == 1 ? layer + "/biases" : cat(layer, "/custom_", i - 2);
}

}  // namespace

std::vector<const BlobRow*> GraphLoader::wanted_blobs(const LayerRecord& layer, const BlobRows& rows) const {
  std::vector<const BlobRow*> out;
  for (const BlobRow& row : rows.rows) {
    const bool* flag = layer.parameters.get_if<bool>(row.flag);
    const bool is_there = row.flag.empty() || (flag && *flag);
    if (is_there && !(row.of_one_bottom && layer.bottoms.size() > 1)) out.push_back(&row);
  }
  return out;
}

/// Caffe gives the weights to the first layer of a name, and the others none.
void GraphLoader::require_one_of_its_name(const LayerRecord& layer, const BlobRows& rows) {
  if (rows.any ? !blobs_in_file(layer) : wanted_blobs(layer, rows).empty()) return;
  if (!weighted_.insert(layer.name).second)
    throw Error(Code::DuplicateNode, msg("two layers with weights are named ", printable(layer.name)), {},
                "rename one; if they share weights, give these the same name: param { name: \"w\" }");
}

const std::vector<Blob>* GraphLoader::blobs_in_file(const LayerRecord& layer) const {
  return weights_ ? weights_->find(layer.name) : nullptr;
}

/// Blobs of the layer behind its bottoms; an empty port for one that is nowhere, which is noted. Throws ShapeMismatch
/// for another number of blobs than the layer has.
std::vector<OutPort> GraphLoader::blobs_of(const LayerRecord& layer, const BlobRows& rows, OutPort x,
                                           Attributes& attributes) {
  const std::vector<const BlobRow*> wanted = wanted_blobs(layer, rows);
  const std::vector<Blob>* found = blobs_in_file(layer);
  if (!rows.any && found && !wanted.empty() && found->size() != wanted.size()) {
    const Detail sizes = msg("the layer has ", wanted.size(), " blobs, its weights ", found->size());
    throw Error(Code::ShapeMismatch, found->size() > wanted.size() ? msg(sizes, ": a merged BatchNorm?") : sizes, {},
                "give the prototxt that these weights were saved with");
  }
  const bool is_lacking = rows.any && layer.row && !found;
  const size_t count = !rows.any ? wanted.size() : found ? found->size() : 0;
  std::vector<OutPort> out;
  for (size_t i = 0; i < count; ++i) {
    const std::string name = i < layer.shared.size() ? layer.shared[i] : std::string();
    const auto owner = name.empty() ? shared_.end() : shared_.find(name);
    if (found) {
      const Blob& blob = (*found)[i];
      if (blob.is_raw) attributes.set("raw_blobs", true);
      out.push_back(graph_.constant(blob.value, name_of_blob(layer.name, i)).out(0));
    } else {
      out.push_back(owner != shared_.end() ? owner->second : filled(layer, *wanted[i], x));
    }
    if (!name.empty() && out.back()) shared_.emplace(name, out.back());
  }
  if (is_lacking || std::find(out.begin(), out.end(), OutPort()) != out.end()) without_weights_.push_back(layer.name);
  return out;
}

/// A node that stands for the blob until the layer says what shape it has. Empty without a filler that always gives the
/// same.
OutPort GraphLoader::filled(const LayerRecord& layer, const BlobRow& row, OutPort x) {
  const bool is_given = layer.own.row(row.filler) && layer.own.has(row.filler);
  if (!is_given && !row.has_default) return {};
  std::string type = "constant";
  double value = row.value;
  Doubles diagonal;
  if (is_given) {
    const proto::Message filler = layer.own.get_message(row.filler);
    type = filler.get_string("type");
    value = filler.get_float("value");
    diagonal = filler.floats("diag_val");
  }
  if (!is_one_of(type, {"constant", "bilinear", "diagonal"})) return {};
  Node& node = graph_.add_node("Filled", cat(layer.name, "/", row.filler));
  node.set("filler", type);
  node.set("value", value);
  if (type == "diagonal") node.set("diagonal", diagonal);
  node.add_in_ports(1);
  if (x) node.in(0).connect(x);
  node.add_out_ports(1);
  return node.out(0);
}

}  // namespace mo::caffe
