// The example of the page: the sample model, narrow enough for a few kilobytes.
import { sampleModel } from '../make-sample.mjs';

const NAME = 'virtual:example';

/** A plugin of Vite: the module `virtual:example` has the file's bytes as base64. */
export function exampleModel() {
  return {
    name: 'example',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? `export default ${JSON.stringify(sampleModel(8, 16).toString('base64'))};` : undefined),
  };
}
