// The limits of the engine for extensions: a script that loops, allocates or recurses without end is stopped, and the
// engine goes on.
#ifndef __EMSCRIPTEN__  // in WebAssembly the host has an engine
#include "core/script/quickjs/engine.h"

#include <gtest/gtest.h>

#include <regex>

#include "core/base/error.h"
#include "tests/core/support/test_graph.h"

namespace mo::test {
namespace {

using namespace std::chrono_literals;

constexpr ScriptLimits kShort = {.call = 500ms};
constexpr ScriptLimits kSmall = {.memory = size_t{32} << 20};

std::string rewrite(const std::string& body) {
  return "import * as mo from '@mo/wasm/extension';\n"
         "export class Probe extends mo.FrontReplacementPattern {\n"
         "  findAndReplacePattern(graph) {\n" +
         body + "\n  }\n}\n";
}

class ScriptLimitsTest : public testing::Test {
 protected:
  /// The message that `text`, as a module, fails with when it is loaded or run.
  std::string failure_of(std::string text, const ScriptLimits& limits = kShort) {
    const auto print = [&](bool error, const std::string& line) { printed_ += (error ? "E " : "O ") + line; };
    ScriptEngine engine({.log = {}, .print = print}, limits);
    TestGraph model;
    model.add("ReLU", "relu");
    std::unique_ptr<Extensions> extensions;
    try {
      extensions = engine.load({{"ext", {{"front/a.js", std::move(text)}}}});
      engine.run([&] {
        for (const UserTransform& one : extensions->transforms) one.transform->find_and_replace_pattern(model.graph);
      });
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::ExtensionFailed);
      return error.what();
    }
    return "none";
  }

  std::string printed_;
};

/// The message without its line: in a loop without calls, that is the line of the statement before.
std::string without_line(const std::string& message) { return std::regex_replace(message, std::regex(":[0-9]+"), ""); }

TEST_F(ScriptLimitsTest, AnEndlessLoopIsStopped) {
  const std::string stopped = "Probe.run (ext/front/a.js): it was stopped after 0.5 seconds";
  EXPECT_EQ(without_line(failure_of(rewrite("for (;;) {}"))), stopped);
  EXPECT_EQ(without_line(failure_of(rewrite("for (;;) { try { for (;;) {} } catch {} finally { continue; } }"))),
            stopped);
  EXPECT_EQ(without_line(failure_of("for (;;) {}")), "ext/front/a.js: it was stopped after 0.5 seconds");
}

TEST_F(ScriptLimitsTest, ALoopInAPredicateIsStoppedThroughTheCore) {
  const std::string text =
      "import * as mo from '@mo/wasm/extension';\n"
      "export class Probe extends mo.FrontReplacementSubgraph {\n"
      "  pattern() { return { nodes: { any: { op: () => { for (;;); } } }, edges: [] }; }\n"
      "  replaceSubGraph() {}\n"
      "}\n";
  EXPECT_EQ(without_line(failure_of(text)), "Probe.run (ext/front/a.js): it was stopped after 0.5 seconds");
}

TEST_F(ScriptLimitsTest, MemoryWithoutEndIsRefused) {
  const std::string refused = "Probe.run (ext/front/a.js): it needs more than 32 MB of memory";
  EXPECT_EQ(without_line(failure_of(rewrite("const all = []; for (;;) all.push([all.length]);"), kSmall)), refused);
  EXPECT_EQ(without_line(failure_of(rewrite("globalThis.all = []; for (;;) globalThis.all.push(new Map());"), kSmall)),
            refused);
  const std::string full = "Probe.run (ext/front/a.js): InternalError: out of memory";
  EXPECT_EQ(without_line(failure_of(rewrite("const node = graph.getOpNodes({})[0];\n"
                                            "for (let i = 0;; ++i) node.name = 'x'.repeat(1e6) + i;"),
                                    kSmall)),
            full);
  EXPECT_EQ(without_line(failure_of(rewrite("for (;;) mo.log.warn('x'.repeat(1e6));"), kSmall)), full);
  EXPECT_EQ(without_line(failure_of(rewrite("for (;;) try { mo.log.warn('x'.repeat(1e6)); } catch {}"), kSmall)),
            refused);
  EXPECT_EQ(failure_of(rewrite("new Uint8Array(1e9);"), kSmall),
            "Probe.run (ext/front/a.js:4): InternalError: out of memory");
}

TEST_F(ScriptLimitsTest, RecursionWithoutEndIsAnError) {
  EXPECT_EQ(failure_of(rewrite("const down = (n) => down(n + 1) + 1; down(0);")),
            "Probe.run (ext/front/a.js:4): RangeError: Maximum call stack size exceeded");
}

TEST_F(ScriptLimitsTest, NothingOutsideIsThere) {
  EXPECT_EQ(
      failure_of(rewrite("throw new mo.MoError(['fetch', 'process', 'require', 'std', 'os', 'setTimeout', 'Worker', "
                         "'WebAssembly', 'print', 'scriptArgs'].filter((name) => name in globalThis).join());")),
      "Probe.run (ext/front/a.js:4): ");
  EXPECT_EQ(failure_of("await Function('return import(\"std\")')();"),
            "ext/front/a.js: ReferenceError: \"std\" cannot be imported");
}

TEST_F(ScriptLimitsTest, AModuleThatWaitsForEverIsAnError) {
  EXPECT_EQ(failure_of("await new Promise(() => {});"), "ext/front/a.js waits for something that never happens");
}

TEST_F(ScriptLimitsTest, TheConsoleIsPrinted) {
  EXPECT_EQ(failure_of("console.log('a', 1, [2n]); console.error(new Map());"
                       "export class A {}"),
            "none");
  EXPECT_EQ(printed_, "O a 1 [\"2n\"]\nE {}\n");
}

TEST_F(ScriptLimitsTest, TextIsCodedAsTheStandardSays) {
  EXPECT_EQ(failure_of(R"(
    const bytes = (...list) => new TextDecoder().decode(Uint8Array.from(list));
    console.log([...new TextEncoder().encode('aä€😀\ud800')].join());
    console.log(JSON.stringify([bytes(97, 195, 164, 226, 130, 172, 240, 159, 152, 128), bytes(0xef, 0xbb, 0xbf, 97),
      bytes(0xc0, 0x80), bytes(0xe2, 0x82), bytes(0xe0, 0x80, 97), bytes(0xed, 0xa0, 0x80), bytes(0xf4, 0x90, 97)]));)"),
            "none");
  EXPECT_EQ(printed_,
            "O 97,195,164,226,130,172,240,159,152,128,239,191,189\n"
            "O [\"aä€😀\",\"a\",\"��\",\"�\",\"��a\",\"���\",\"��a\"]\n");
}

}  // namespace
}  // namespace mo::test
#endif
