// Before: the nodes of a scope in the configuration file: branches that end in a Concat
// After:  one InceptionBlock
// Conditions: the file has an entry with this id, and its inputs and outputs, which
//             --tensorflow_custom_operations_config_update adds.
import { FrontReplacementFromConfigFileSubGraph, ops } from '@mo/wasm/extension';

export class InceptionBlockTransformation extends FrontReplacementFromConfigFileSubGraph {
  static replacementId = 'InceptionBlockTransformation';
  static enabled = true;

  generateSubGraph(graph, match) {
    // One node replaces the scope. Its ports are connected in the order of inputs and outputs in the file.
    const name = match.scope.replace(/\/$/, '').split('/').pop();
    const block = ops.create(graph, 'InceptionBlock', { name: `${name}/InceptionBlock`, ...match.customAttributes });
    return { block };
  }
}
