// Before: the nodes of a scope that the configuration file describes: branches that meet in a Concat
// After:  one InceptionBlock
// Conditions: the file has an entry of this id, with the inputs and outputs that
//             --tensorflow_custom_operations_config_update has added to it.
import { FrontReplacementFromConfigFileSubGraph, ops } from '@mo/wasm/extension';

export class InceptionBlockTransformation extends FrontReplacementFromConfigFileSubGraph {
  static replacementId = 'InceptionBlockTransformation';
  static enabled = true;

  generateSubGraph(graph, match) {
    // One node replaces the scope: its ports are joined in the order of the file's inputs and outputs.
    const name = match.scope.replace(/\/$/, '').split('/').pop();
    const block = ops.create(graph, 'InceptionBlock', { name: `${name}/InceptionBlock`, ...match.customAttributes });
    return { block };
  }
}
