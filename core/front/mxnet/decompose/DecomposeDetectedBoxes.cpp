// Before: y = DetectedBoxes(scores [batch, classes, n], places [batch, n * 4], anchors [1, n, 4], variances)
//         {threshold, overlap, suppress, force, inside, most, rows_of_seven}
// After:  rows_of_seven: DetectionOutput, which the runtime suppresses as MXNet does: of each box the best class
//         force, or another node reads the rows: TopK of the best classes, NonMaxSuppression; [batch, n, 6], of boxes
//         that are suppressed the class is -1
// Before: rois, scores = ProposedBoxes(scores [batch, 2 * a, h, w], deltas, pictures, anchors [a, 4])
//         {stride, before, after, overlap, least, of_corners}
// After:  the decoded boxes, TopK of the scores, NonMaxSuppression; the boxes that stay, again and again

#include "core/decompose/detection/suppression.h"
#include "core/decompose/math/formula.h"
#include "core/decompose/shaping/shaping.h"
#include "core/front/mxnet/decompose/suppressed_rows.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDetectedBoxes final : public Decomposition {
 public:
  Names ops() const override { return {"DetectedBoxes", "ProposedBoxes"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "ProposedBoxes") return proposed(b, node);
    const bool seven = node.get_bool("rows_of_seven");
    if (seven && !node.get_bool("force") && node.get_bool("suppress")) return {by_detection_output(b, node)};
    const OutPort rows = detected(b, node);
    return {seven ? rows_of_seven(b, node, rows) : rows};
  }

 private:
  static OutPort by_detection_output(Builder& b, const Node& node) {
    const OutPort scores = b.transpose(node.source(0), {0, 2, 1});
    const OutPort flat = b.reshape(scores, {0, -1}), anchors = b.reshape(node.source(2), {1, 1, -1}, false);
    const OutPort variances =
        evaluate(b, node, "Reshape(Broadcast(y,ShapeOf(x)),[1 1 -1])", {node.source(2), node.source(3)})[0];
    const int64_t most = node.get_int("most");
    return b.op("DetectionOutput", {node.source(1), flat, b.concat({anchors, variances}, 1)},
                Attributes{{"background_label_id", 0},
                           {"top_k", most},
                           {"keep_top_k", most},
                           {"code_type", "caffe.PriorBoxParameter.CENTER_SIZE"},
                           {"variance_encoded_in_target", false},
                           {"share_location", true},
                           {"nms_threshold", node.get_float("overlap")},
                           {"confidence_threshold", node.get_float("threshold")},
                           {"clip_before_nms", node.get_bool("inside")},
                           {"clip_after_nms", false},
                           {"decrease_label_id", true},
                           {"normalized", true}});
  }

  static OutPort detected(Builder& b, const Node& node) {
    const auto found =
        evaluate(b, node,
                 "t=Largest(Transpose(Slice(x,[1],[9223372036854775807],[1],[1]),[0 2 1]),<1>);t;Out1(t);"
                 "d=Mul(Reshape(y,Concat(Gather(ShapeOf(y),[0],<0>),[-1 4])),w);DecodedSizes(d,BoxCentres(z),High(d))",
                 {node.source(0), node.source(1), node.source(2), node.source(3)});
    const OutPort boxes =
        node.get_bool("inside") ? evaluate(b, node, "Minimum(Maximum(x,0),1)", {found[2]})[0] : found[2];
    const OutPort rows = evaluate(b, node, "Concat(ConvertLike(y,x),x,z)", {found[0], found[1], boxes})[0];
    const OutPort score = b.squeeze(found[0], {2});
    const OutPort keys = evaluate(b, node, "Select(GreaterEqual(x,@threshold),x,-1)", {score})[0];
    Node& best = mxnet::best_scores(b, keys, node.get_int("most"));
    const OutPort ranked = b.op("Gather", {rows, best.out(1), b.i64_scalar(1)}, {{"batch_dims", 1}});
    const OutPort valid = evaluate(b, node, "Greater(x,-0.5)", {best.out(0)})[0];
    OutPort stays = b.convert(valid, ElementType::I64);
    if (node.get_bool("suppress")) {
      const OutPort corners = b.gather(ranked, b.i64({2, 3, 4, 5}), 2);
      const OutPort ids = node.get_bool("force") ? OutPort() : b.gather(ranked, b.i64_scalar(0), 2);
      stays = mxnet::kept(b, node, {corners, valid, ids}, b.f32_scalar(static_cast<float>(node.get_float("overlap"))));
    }
    return evaluate(b, node,
                    "r=Concat(Unsqueeze(Select(Greater(z,0),Squeeze(Gather(y,[0],<2>),[2]),-1),[2]),"
                    "Slice(y,[1],[9223372036854775807],[1],[2]));v=Select(Unsqueeze(w,[2]),r,-1);"
                    "n=Sub(ShapeOf(x),ShapeOf(v));Pad{mode=constant}(v,Mul(n,0),n,ConvertLike(<-1>,v))",
                    {rows, ranked, stays, valid})[0];
  }

  /// Those that stay, before the others, with the number of their picture; of the others it is -1.
  static OutPort rows_of_seven(Builder& b, const Node& node, OutPort rows) {
    return evaluate(b, node,
                    "s=ShapeOf(x);k=GreaterEqual(Gather(x,[0],<2>),0);"
                    "p=ConvertLike(Range(<0>,Gather(s,<0>,<0>),<1>),x);"
                    "a=Reshape(Concat(Select(k,Unsqueeze(p,[1 2]),-1),x),[-1 7]);f=Reshape(k,[-1]);"
                    "o=Concat(Squeeze(NonZero(f),[0]),Squeeze(NonZero(LogicalNot(f)),[0]));"
                    "Unsqueeze(Gather(a,o,<0>),[0 1])",
                    {rows})[0];
  }

  /// Corners [batch, n, 4] and scores [batch, n] of all anchors.
  static std::vector<OutPort> candidates(Builder& b, const Node& node) {
    const auto placed =
        evaluate(b, node,
                 "s=ShapeOf(x);u=F32(Range(<0>,Gather(s,<3>,<0>),<1>));"
                 "v=F32(Range(<0>,Gather(s,<2>,<0>),<1>));"
                 "a=Add(Add(Mul(Reshape(Mul(u,@stride),[1 -1 1 1]),F32([1 0 1 0])),"
                 "Mul(Reshape(Mul(v,@stride),[-1 1 1 1]),F32([0 1 0 1]))),w);"
                 "p=Reshape(a,[1 -1 4]);c=Gather(ShapeOf(w),[0],<0>);b=Gather(s,[0],<0>);"
                 "f=Reshape(Transpose(Slice(x,c,[9223372036854775807],[1],[1]),[0 2 3 1]),Concat(b,[-1]));"
                 "d=Reshape(Transpose(y,[0 2 3 1]),Concat(b,[-1 4]));"
                 "r=Gather(z,[1 0],<1>);m=Unsqueeze(Floor(Div(r,@stride)),[1 2]);"
                 "g=Concat(Add(Reshape(u,[1 -1 1 1]),Reshape(Mul(v,0),[-1 1 1 1])),"
                 "Add(Reshape(Mul(u,0),[1 -1 1 1]),Reshape(v,[-1 1 1 1])));"
                 "o=ReduceLogicalAnd(Less(Unsqueeze(g,[0]),Unsqueeze(m,[1])),[-1]);"
                 "k=Reshape(Broadcast(o,Concat(b,Gather(s,[2 3],<0>),c,[1])),Concat(b,[-1]));"
                 "p;d;Select(k,f,-1);Unsqueeze(Sub(r,1),[1])",
                 {node.source(0), node.source(1), node.source(2), node.source(3)});
    const char* const decode = node.get_bool("of_corners")
                                   ? "Add(x,y)"
                                   : "s=Add(Sub(High(x),Low(x)),1);c=Add(Mul(Low(y),s),Add(Low(x),Mul(Sub(s,1),0.5)));"
                                     "h=Mul(Sub(Mul(Exp(High(y)),s),1),0.5);Concat(Sub(c,h),Add(c,h))";
    const OutPort boxes = evaluate(b, node, decode, {placed[0], placed[1]})[0];
    return evaluate(b, node,
                    "l=Maximum(Minimum(Low(x),y),0);h=Maximum(Minimum(High(x),y),0);"
                    "m=Unsqueeze(Mul(Gather(w,[2],<1>),@least),[1]);"
                    "t=ReduceLogicalOr(Less(Add(Sub(h,l),1),m),[-1]);g=Select(t,Mul(m,0.5),0);"
                    "Concat(Sub(l,g),Add(h,g));Select(Squeeze(t,[-1]),-1,z)",
                    {boxes, placed[3], placed[2], node.source(2)});
  }

  static std::vector<OutPort> proposed(Builder& b, const Node& node) {
    const auto all = candidates(b, node);
    Node& best = mxnet::best_scores(b, all[1], node.get_int("before"));
    const OutPort boxes = b.op("Gather", {all[0], best.out(1), b.i64_scalar(1)}, {{"batch_dims", 1}});
    const OutPort whole = evaluate(b, node, "Concat(Low(x),Add(High(x),1))", {boxes})[0];  // widths count both ends
    const OutPort threshold = suppression_threshold(b, b.f32_scalar(static_cast<float>(node.get_float("overlap"))));
    const OutPort stays = mxnet::kept(b, node, {whole, {}, {}}, threshold, b.i64_scalar(node.get_int("after")));
    const auto found =
        evaluate(b, node,
                 "p=Sub(CumSum(x,<1>),1);j=Transpose(NonZero(x),[1 0]);k=ScatterNDUpdate(Broadcast(<0>,ShapeOf(x)),"
                 "Concat(Gather(j,[0],<1>),Unsqueeze(GatherND(p,j),[1])),Squeeze(Gather(j,[1],<1>),[1]));"
                 "i=FloorMod(Unsqueeze(Range(<0>,I64(@after),<1>),[0]),ReduceSum(x,[1]));c=GatherElements(k,i);"
                 "r=Gather{batch_dims=1}(y,c,<1>);"
                 "n=Mul(Add(Mul(Gather(r,[0],<2>),0),1),ConvertLike(Unsqueeze(Range(<0>,Gather(ShapeOf(x),<0>,<0>),<1>)"
                 ",[1 2]),r));"
                 "Reshape(Concat(n,r),[-1 5]);Reshape(GatherElements(z,c),[-1 1])",
                 {stays, boxes, best.out(0)});
    return {found[0], found[1]};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDetectedBoxes)
}  // namespace mo
