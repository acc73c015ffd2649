// Operations with a meaning in time, for networks that run frame by frame, and Splice, a window of frames. IR does not
// have them: core/front/kaldi/transform/ makes states of them.

#include "core/ops/contract.h"
#include "core/ops/known.h"

namespace mo {
namespace {

void infer_as_first(InferContext& c) {
  complete_by_contract(c.node());
  require_inputs(c, 1);
  // A number may stand for one of each element.
  PartialShape shape = c.shape(0);
  for (int i = 1; i < c.in_count(); ++i)
    if (c.has_in(i)) shape = broadcast(shape, c.shape(i));
  c.set(0, shape, c.type(0));
}

void infer_memory_offset(InferContext& c) {
  complete_by_contract(c.node());
  if (c.has_in(0)) return c.set(0, c.shape(0), c.type(0));
  const int64_t dim = c.node().get_int("dim"), batch = c.node().get_int("batch", 1);
  if (dim <= 0) c.fail(Code::MissingInput, "it has neither an input nor a dim");
  c.set(0, PartialShape({Dimension(batch), Dimension(dim)}), ElementType::F32);
}

void infer_memory_store(InferContext& c) { require_inputs(c, 1); }

void infer_splice(InferContext& c) {
  complete_by_contract(c.node());
  require_inputs(c, 1);
  const PartialShape& shape = c.shape(0);
  if (!shape.has_rank()) return c.set(0, {}, c.type(0));
  c.require_rank(0, 2, 2);
  c.set(0, PartialShape({shape[0], shape[1] * Interval(c.node().get_int("frames"))}), c.type(0));
}

constexpr OpDef kTimeDefs[] = {
    {.op = "MemoryOffset", .type = "", .version = "", .infer = infer_memory_offset},
    {.op = "MemoryStore", .type = "", .version = "", .infer = infer_memory_store, .sink = true},
    {.op = "TimeFailover", .type = "", .version = "", .infer = infer_as_first},
    {.op = "TimeAt", .type = "", .version = "", .infer = infer_as_first},
    {.op = "TimeRound", .type = "", .version = "", .infer = infer_as_first},
    {.op = "TimeSwitch", .type = "", .version = "", .infer = infer_as_first},
    {.op = "Splice", .type = "", .version = "", .infer = infer_splice},
};

}  // namespace

OpFamily ops_Time() { return kTimeDefs; }

}  // namespace mo
