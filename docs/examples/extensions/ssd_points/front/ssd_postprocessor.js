// Before: the nodes between the start points and the end points of the configuration file: decoding and scores
// After:  one DetectionOutput and its Result
// Conditions: the file has an entry with this id; Cast_1 gets the encoded boxes, scale_logits the scores, Tile the priors.
import { FrontReplacementFromConfigFileSubGraph, int64Array, ops } from '@mo/wasm/extension';

export class SsdPostprocessor extends FrontReplacementFromConfigFileSubGraph {
  static replacementId = 'ObjectDetectionAPISSDPostprocessorReplacement';
  static enabled = true;

  replaceSubGraph(graph, match) {
    const fed = (name) => match.nodeByPattern(`Postprocessor/${name}$`).inPort(0).getSource();
    const flat = (name, shape) =>
      ops.createWithConstInputs(graph, 'Reshape', { 1: int64Array(shape) }, { name: `${name}/flat`, special_zero: true }, fed(name));
    const inputs = [flat('Cast_1', [0, -1]), flat('scale_logits', [0, -1]), flat('Tile', [1, 1, -1])];

    const { code_type, clip_before_nms, clip_after_nms } = match.customAttributes;
    const detection = ops.create(graph, 'DetectionOutput', { name: 'detections', code_type, clip_before_nms, clip_after_nms }, inputs);
    ops.create(graph, 'Result', { name: 'detections/Result' }, [detection]);

    // The model's former results are fed by nodes that are removed.
    const matched = new Set(match.matchedNodes());
    const results = graph.getOpNodes({ op: 'Result' }).filter((result) => matched.has(result.inPort(0).getSource().node));
    graph.removeNodes([...results, ...matched]);
  }
}
