#include "core/rewrite/middle_replacement.h"

namespace mo {

Pattern MiddleReplacementPattern::pattern() {
  throw Error(Code::BadPattern, "the transformation overrides neither pattern nor find_and_replace_pattern");
}

void MiddleReplacementPattern::replace_pattern(Graph&, const Match&) {
  throw Error(Code::BadPattern, "the transformation overrides neither replace_pattern nor find_and_replace_pattern");
}

void MiddleReplacementPattern::find_and_replace_pattern(Graph& graph) {
  for_each_match(graph, pattern(), true, [&](const Match& match) { replace_pattern(graph, match); });
}

}  // namespace mo
