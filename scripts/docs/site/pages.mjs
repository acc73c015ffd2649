// The pages of the documents' site: which there are, in which order, and from which files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

const page = (text, name, source = `docs/${name}.md`) => ({ text, name, source });

const errors = readdirSync(join(root, 'docs/errors')).sort().map((file) => page(file.replace('.md', ''), `errors/${file.replace('.md', '')}`));

/** Groups of pages. The API's are made from the types, and have no source. */
export const GROUPS = [
  {
    text: 'Guide',
    pages: [
      page('Start', 'start', 'README.md'),
      page('The package', 'library'),
      page('TensorFlow models', 'tensorflow'),
      page('TensorFlow Lite models', 'tflite'),
      page('Caffe models', 'caffe'),
      page('PaddlePaddle models', 'paddle'),
      page('MXNet models', 'mxnet'),
      page('PyTorch programs', 'pytorch'),
      page('Kaldi models', 'kaldi'),
      page('Object detection', 'detection'),
      page('Configurations', 'configurations'),
      page('Many models', 'many-models'),
      page('Small weights', 'weights'),
      page('Options', 'options'),
      page('Differences from Model Optimizer', 'differences'),
      page('Why does it differ from ovc?', 'why-different'),
      page('What the runtime computes wrongly', 'runtime'),
      page('Features', 'features'),
      page('Security', 'security', 'SECURITY.md'),
    ],
  },
  {
    text: 'Extensions',
    pages: [
      page('Extending the converter', 'extending'),
      page('From Python to JavaScript', 'migrate-extensions'),
      page('Internal operations', 'internal-operations'),
      page('Transformations', 'transformations'),
    ],
  },
  {
    text: 'API',
    pages: [
      { text: 'In browsers', name: 'api/library/browser/browser' },
      { text: 'In Node', name: 'api/library/node/node' },
      { text: 'The command', name: 'api/library/node/command' },
      { text: 'Reports', name: 'api/library/shared/report/report' },
      { text: 'For extensions', name: 'api/extension/api' },
      { text: 'Types of extensions', name: 'api/extension/types' },
    ],
  },
  {
    text: 'Operations and proofs',
    pages: [
      page('ONNX operators', 'operators'),
      page('TensorFlow operations', 'operators-tensorflow'),
      page('TensorFlow Lite operators', 'operators-tflite'),
      page('Layers of Caffe', 'operators-caffe'),
      page('PaddlePaddle operators', 'operators-paddle'),
      page('MXNet operators', 'operators-mxnet'),
      page('PyTorch operators', 'operators-pytorch'),
      page('Components of Kaldi', 'operators-kaldi'),
      page('Requirements and tests', 'spec-coverage'),
      page('Conformance', 'conformance'),
      page('Benchmarks', 'benchmarks'),
      page('Model zoo', 'zoo'),
      page('Architecture', 'architecture'),
      page('Translating the page', 'translating'),
      page('Maintaining', 'maintaining'),
      page('Changes', 'changelog', 'CHANGELOG.md'),
    ],
  },
  { text: 'Messages', pages: [page('All messages', 'errors'), ...errors] },
];

export const PAGES = GROUPS.flatMap(({ pages }) => pages);
