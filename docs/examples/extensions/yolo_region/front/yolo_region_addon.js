// Before: Result(last)
// After:  Result(RegionYolo(last)), named <last>/YoloRegion, with the attributes of the configuration file
// Conditions: the file has an entry with the id TFYOLO.
import { FrontReplacementFromConfigFileGeneral, log, ops } from '@mo/wasm/extension';
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
      log.debug(`${name} is inserted before ${result.name}`);
    }
  }
}
