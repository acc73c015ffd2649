// Which layers of a network are there: the rules of `include` and `exclude`, as Caffe applies them.

#include "core/base/text.h"
#include "core/front/caffe/load/network.h"

namespace mo::caffe {
namespace {

bool holds(const proto::Message& rule, const Strings& stages, int64_t level) {
  if (rule.has("phase") && rule.get_enum("phase") != "TEST") return false;
  if (rule.has("min_level") && level < rule.get_int("min_level")) return false;
  if (rule.has("max_level") && level > rule.get_int("max_level")) return false;
  for (const std::string& stage : rule.strings("stage"))
    if (!is_one_of(stage, stages)) return false;
  for (const std::string& stage : rule.strings("not_stage"))
    if (is_one_of(stage, stages)) return false;
  return true;
}

bool any_holds(const std::vector<proto::Message>& rules, const Strings& stages, int64_t level) {
  for (const proto::Message& rule : rules)
    if (holds(rule, stages, level)) return true;
  return false;
}

}  // namespace

bool is_included(const proto::Message& layer, const Strings& stages, int64_t level) {
  const auto included = layer.messages("include"), excluded = layer.messages("exclude");
  if (!included.empty() && !excluded.empty())
    throw Error(Code::BadFieldValue, "include and exclude rules, of which Caffe allows one kind");
  return included.empty() ? !any_holds(excluded, stages, level) : any_holds(included, stages, level);
}

}  // namespace mo::caffe
