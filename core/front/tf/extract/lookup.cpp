// Functions of operators.def for tables of numbers, whose contents freeze_tables() has given to their readers.

#include <numeric>

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {
namespace {

void require_contents(const Node& node) {
  if (node.has("keys_tensor")) return;
  const std::string& table = node.get_string("table");
  if (table.empty()) throw Error(Code::UnsupportedForm, "a table that the model does not fill itself");
  throw Error(Code::UnsupportedForm,
              msg("the table \"", printable(table), "\", of texts or not filled with constants by the model itself"),
              {}, "look up before the model, and cut the model behind the table with --input");
}

Constant flat(const Constant& value) { return reshape(value, {static_cast<int64_t>(value.elements())}); }

}  // namespace

/// y = LookupTableFind(x, default). Values that are no scalars are rows, which are found by their places; the default
/// is the last of them.
void extract_lookup(Node& node) {
  require_contents(node);
  require_input(node, 1);
  const Constant keys = flat(*node.get_constant("keys_tensor")), values = *node.get_constant("values_tensor");
  const OutPort fallback = node.source(1);
  const Constant* constant = fallback.node().get_constant("value");
  const auto count = static_cast<int64_t>(keys.elements());
  if (values.shape.empty() || values.shape[0] != count)
    throw Error(Code::ShapeMismatch, msg(keys.elements(), " keys and ", values.elements(), " values"));
  if (static_cast<int64_t>(values.elements()) == count && constant && constant->elements() == 1) {
    node.set("keys_tensor", keys);
    node.set("values_tensor", flat(values));
    node.set("default_tensor", reshape(*constant, {}));
    node.set("finds_nan", false);
    set_inputs(node, {node.source(0)});
    return node.set_op("LabelEncoder");
  }
  Builder b(node);
  Ints places(static_cast<size_t>(count));
  std::iota(places.begin(), places.end(), 0);
  const OutPort place = b.op("LabelEncoder", {node.source(0)},
                             {{"keys_tensor", keys},
                              {"values_tensor", make_i64(places)},
                              {"default_tensor", make_i64_scalar(count)},
                              {"finds_nan", false}});
  const OutPort rows = b.concat({b.constant(values), b.unsqueeze(fallback, {0})}, 0);
  set_inputs(node, {rows, place, b.i64_scalar(0)});
  node.set_op("Gather");
}

/// The keys of a table differ. A dense table is stored with its empty places.
void extract_lookup_size(Node& node) {
  require_contents(node);
  if (node.get_bool("is_dense")) throw Error(Code::UnsupportedForm, "the number of keys in a dense table");
  node.set("value", make_i64_scalar(static_cast<int64_t>(node.get_constant("keys_tensor")->elements())));
  set_inputs(node, {});
  node.set_op("Const");
}

}  // namespace mo::tf
