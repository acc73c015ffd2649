#include "core/back/requested/transform_request.h"

#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/pipeline/options.h"

namespace mo {
namespace {

std::string request_text(const TransformRequest& request) {
  switch (request.kind) {
    case TransformRequest::Kind::LowLatency2: return request.use_const_initializer ? "zeros" : "initial values";
    case TransformRequest::Kind::Pruning: return "prune";
    default:
      return join(
          request.param_res_names, [](const auto& pair) { return pair.first + "->" + pair.second; }, ",");
  }
}

/// The transformations to carry out, in order; or the code and the detail of the refusal.
std::string requested(std::string_view text) {
  try {
    return join(parse_transforms(text), request_text, "; ");
  } catch (const Error& error) {
    return cat(info(error.code()).name, ": ", error.what());
  }
}

TEST(TransformRequest, ReadsWhatTheOriginalReads) {
  EXPECT_EQ(requested(""), "");
  EXPECT_EQ(requested("LowLatency2"), "zeros");
  EXPECT_EQ(requested("Pruning,LowLatency2"), "prune; zeros");
  EXPECT_EQ(requested("Pruning,"), "prune");
  for (const char* no : {"False", "false", "0", "no", "off", "n", "f"})
    EXPECT_EQ(requested(cat("LowLatency2[use_const_initializer=", no, "]")), "initial values") << no;
  for (const char* yes : {"True", "TRUE", "1", "yes", "on", "y", "t"})
    EXPECT_EQ(requested(cat("LowLatency2[use_const_initializer=", yes, "]")), "zeros") << yes;
  EXPECT_EQ(requested("MakeStateful[param_res_names={'a':'b'}]"), "a->b");
  EXPECT_EQ(requested("MakeStateful[param_res_names={'a':'b', \"c d\" : 'e:0',}]"), "a->b,c d->e:0");
  EXPECT_EQ(requested("MakeStateful[param_res_names={'a':'b','a':'c'}]"), "a->c");
  EXPECT_EQ(requested("LowLatency2[use_const_initializer=False],MakeStateful[param_res_names={'a':'b'}],Pruning"),
            "initial values; a->b; prune");
}

TEST(TransformRequest, NamesMayContainWhatSeparates) {
  EXPECT_EQ(requested("MakeStateful[param_res_names={'a[0];b,c=\"':'d}]'}],Pruning"), "a[0];b,c=\"->d}]; prune");
}

TEST(TransformRequest, RefusesAnotherStructure) {
  for (const char* text :
       {"LowLatency2[]", "LowLatency2[", "LowLatency2[a=b", "LowLatency2]", "Low-Latency2", "Pruning,,Pruning",
        ",Pruning", "Pruning, LowLatency2", "Pruning[a=b]c", "Pruning[a=b][c=d]", "[a=b]", " "})
    EXPECT_EQ(requested(text), cat("BadTransformSyntax: Unexpected transform key structure: ", text));
}

TEST(TransformRequest, RefusesOtherNames) {
  EXPECT_EQ(requested("lowlatency2,Pruning,Foo[a=b]"),
            "TransformNotAvailable: Following transformations (lowlatency2,Foo) are not available. List with available "
            "transformations (MakeStateful,LowLatency2,Pruning)");
}

TEST(TransformRequest, RefusesOtherParameters) {
  const auto refusal = [](std::string_view text) { return cat("BadTransformAttributes: ", text); };
  for (const char* text : {"LowLatency2[use_const_initializer]", "LowLatency2[=True]",
                           "LowLatency2[use_const_initializer=]", "LowLatency2[use const=1]", "Pruning[;]"})
    EXPECT_EQ(requested(text), refusal(cat("Unrecognized attributes for transform key: ", text)));
  EXPECT_EQ(requested("LowLatency2[use_const_initializer=maybe]"),
            refusal("LowLatency2[use_const_initializer=maybe]: use_const_initializer is True or False"));
  EXPECT_EQ(requested("LowLatency2[foo=True]"), refusal("LowLatency2[foo=True]: it has no parameter foo"));
  EXPECT_EQ(requested("Pruning[use_const_initializer=True]"),
            refusal("Pruning[use_const_initializer=True]: it has no parameter use_const_initializer"));
  EXPECT_EQ(requested("MakeStateful"), refusal("MakeStateful without param_res_names"));
  for (const char* value :
       {"a", "{}", "{'a'}", "{'a':}", "{'a':'b'", "'a':'b'", "{a:b}", "{'a':'b' 'c':'d'}", "{'a','b'}"}) {
    const std::string text = cat("MakeStateful[param_res_names=", value, "]");
    EXPECT_EQ(requested(text), refusal(cat(text, ": param_res_names is {'input':'output'}")));
  }
}

TEST(TransformRequest, IsRecordedInTheIr) {
  const Options options = parse_options({{"transform", "Pruning"}, {"static_shape", "True"}});
  ASSERT_EQ(options.given.size(), 2u);
  EXPECT_EQ(options.given[0].name, "transform");  // in the table's order
  EXPECT_EQ(options.given[0].value, "Pruning");
  EXPECT_TRUE(parse_options({{"transform", ""}}).given.empty());
}

}  // namespace
}  // namespace mo
