#include "core/front/config/configured_nodes.h"

#include "core/base/text.h"
#include "core/front/cut/places.h"

namespace mo {

void ConfiguredNodes::fail(const Detail& why) const {
  throw Error(Code::BadConfigEntry, msg("entry with id '", id_, "': ", why));
}

double ConfiguredNodes::number(std::string_view key) const {
  const Attribute* value = given_.values.find(key);
  if (const double* real = value ? std::get_if<double>(value) : nullptr) return *real;
  if (const int64_t* whole = value ? std::get_if<int64_t>(value) : nullptr) return static_cast<double>(*whole);
  fail(msg(key, " is no number"));
}

int64_t ConfiguredNodes::whole(std::string_view key) const {
  const int64_t* value = given_.values.get_if<int64_t>(key);
  if (!value) fail(msg(key, " is no whole number"));
  return *value;
}

OutPort ConfiguredNodes::output(std::string_view key) {
  const std::string* name = given_.values.get_if<std::string>(key);
  if (!name) fail(msg(key, " names no node"));
  return named(*name);
}

std::vector<OutPort> ConfiguredNodes::outputs(std::string_view key) {
  const Strings* names = given_.values.get_if<Strings>(key);
  if (!names || names->empty()) fail(msg(key, " names no nodes"));
  std::vector<OutPort> out;
  for (const std::string& name : *names) out.push_back(named(name));
  return out;
}

OutPort ConfiguredNodes::named(const std::string& name) {
  if (Node* node = graph_.find(name); node && node->out_count() > 0) return OutPort(*node);
  const OutPort tensor = tensor_named(graph_, name);
  if (!tensor) missing_.push_back(name);
  return tensor;
}

void ConfiguredNodes::require_all() const {
  if (missing_.empty()) return;
  const std::string names = join(missing_, [](const std::string& name) { return cat("'", name, "'"); });
  throw Error(Code::NothingMatched,
              msg("the entry with id '", id_, "' names ", names, ", which the model does not have"), {},
              "this configuration is for another model: compare the names with those of the model's nodes");
}

}  // namespace mo
