// The pages of the documents' site: which there are, in which order, and from which files.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.mjs';

const page = (text, name, source = `docs/${name}.md`) => ({ text, name, source });

const errors = readdirSync(join(root, 'docs/errors')).sort().map((file) => page(file.replace('.md', ''), `errors/${file.replace('.md', '')}`));

/** Groups of pages, in the order of a user's day: start, the own framework, options, problems, extending, inside. The API's pages are made from the types, and have no source. */
export const GROUPS = [
  {
    text: 'Start',
    pages: [
      page('Start', 'start'),
      page('Many models', 'many-models'),
      page('The package', 'library'),
    ],
  },
  {
    text: 'Your framework',
    pages: [
      page('ONNX operators', 'operators'),
      page('TensorFlow models', 'tensorflow'),
      page('TensorFlow Lite models', 'tflite'),
      page('Caffe models', 'caffe'),
      page('PaddlePaddle models', 'paddle'),
      page('MXNet models', 'mxnet'),
      page('PyTorch programs', 'pytorch'),
      page('Kaldi models', 'kaldi'),
      page('Object detection', 'detection'),
      page('Configurations', 'configurations'),
    ],
  },
  {
    text: 'Recipes',
    pages: [
      page('All recipes', 'recipes'),
      page('YOLO', 'recipes/yolo'),
      page('An encoder of Hugging Face', 'recipes/hugging-face-encoder'),
      page('The encoder of Whisper', 'recipes/whisper-encoder'),
      page('A task of MediaPipe', 'recipes/mediapipe-task'),
      page('An SSD for cameras', 'recipes/ssd-tflite'),
      page('TensorFlow\'s detection zoo', 'recipes/tensorflow-detection-zoo'),
      page('PP-OCR', 'recipes/pp-ocr'),
      page('InsightFace', 'recipes/insightface'),
      page('An SSD of Caffe', 'recipes/ssd-caffe'),
      page('A chain model of Kaldi', 'recipes/kaldi-chain'),
      page('Deploying', 'deploying'),
    ],
  },
  {
    text: 'Options and results',
    pages: [
      page('Options', 'options'),
      page('Small weights', 'weights'),
      page('Verifying and comparing IRs', 'verify'),
      page('Differences from Model Optimizer', 'differences'),
      page('Why does it differ from ovc?', 'why-different'),
      page('Features', 'features'),
      page('Words', 'glossary'),
    ],
  },
  {
    text: 'Problems',
    pages: [
      page('All messages', 'errors'),
      page('What the runtime computes wrongly', 'runtime'),
    ],
  },
  {
    text: 'Extending',
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
    text: 'Inside',
    pages: [
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
      page('Maintaining', 'maintaining'),
      page('Translating the page', 'translating'),
      page('Security', 'security', 'SECURITY.md'),
      page('Changes', 'changelog', 'CHANGELOG.md'),
    ],
  },
  { text: 'Messages', pages: errors },
];

export const PAGES = GROUPS.flatMap(({ pages }) => pages);
