// Before: Result(last)
// After:  Result(RegionYolo(last)), named <last>/YoloRegion, with the attributes of the configuration file; where channels
//         are last, behind a Transpose that puts them first
// Conditions: the file has an entry with the id TFYOLO.
import { FrontReplacementFromConfigFileGeneral, int64Array, log, ops } from '@mo/wasm/extension';
import { RegionYoloOp } from '../ops/region_yolo.js';

export class YoloRegionAtResults extends FrontReplacementFromConfigFileGeneral {
  static replacementId = 'TFYOLO';
  static enabled = true;
  // These transformations remove operations without effect and unused constants.
  static runAfter = ['NoOpEraser', 'StandaloneConstEraser', 'FrontStart'];

  transformGraph(graph, customAttributes) {
    // Without a mask the region has all of the `num` anchors.
    const mask = Array.from({ length: customAttributes.num }, (_, anchor) => anchor);
    for (const result of graph.getOpNodes({ op: 'Result' })) {
      const last = result.inPort(0).getSource();
      const name = `${last.node.name}/YoloRegion`;
      const region = new RegionYoloOp(graph, { name, axis: 1, end_axis: -1, mask, ...customAttributes }).createNode();
      result.inPort(0).getConnection().insertNode(region);
      if (graph.layout === 'NHWC') {
        const order = ops.createWithConstInputs(graph, 'Transpose', { 1: int64Array([0, 3, 1, 2]) }, { name: `${name}/Transpose` });
        region.inPort(0).getConnection().insertNode(order);
      }
      log.debug(`${name} is inserted before ${result.name}`);
    }
  }
}
