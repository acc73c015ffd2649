// The rows of all formats' operators.def, with what the core itself does not keep: the ops that a function may create.
#pragma once

#include <string_view>
#include <vector>

namespace mo::test {

struct OperatorRow {
  std::string_view framework, name, domain;
  std::string_view ops;   ///< the internal ops, separated by blanks
  std::string_view text;  ///< the attributes of an op, the reason of a refusal, how the loader carries it out
  enum Kind { Same, Call, Refused, Loaded } kind;
};

inline const std::vector<OperatorRow>& operator_rows() {
  static const std::vector<OperatorRow> rows = [] {
    std::vector<OperatorRow> out;
    std::string_view framework;
#define MO_OPERATORS_OF(name) framework = #name;
#define MO_SAME(name, domain, internal, attributes) \
  out.push_back({framework, name, domain, internal, attributes, OperatorRow::Same});
#define MO_CALL(name, domain, function, ops) out.push_back({framework, name, domain, ops, {}, OperatorRow::Call});
#define MO_REFUSED(name, domain, reason) out.push_back({framework, name, domain, {}, reason, OperatorRow::Refused});
#define MO_LOADED(name, domain, how) out.push_back({framework, name, domain, {}, how, OperatorRow::Loaded});
#include "core/front/all_operators.def"
    return out;
  }();
  return rows;
}

}  // namespace mo::test
