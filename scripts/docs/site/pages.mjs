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
      page('The first minute', 'walk'),
      page('Many models', 'many-models'),
      page('The package', 'library'),
    ],
  },
  {
    text: 'Your framework',
    pages: [
      page('ONNX models', 'onnx'),
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
      page('A Hugging Face encoder', 'recipes/hugging-face-encoder'),
      page('Whisper\'s encoder', 'recipes/whisper-encoder'),
      page('A MediaPipe task', 'recipes/mediapipe-task'),
      page('An SSD for cameras', 'recipes/ssd-tflite'),
      page('TensorFlow detection zoo', 'recipes/tensorflow-detection-zoo'),
      page('PP-OCR', 'recipes/pp-ocr'),
      page('InsightFace', 'recipes/insightface'),
      page('A Caffe SSD', 'recipes/ssd-caffe'),
      page('MobileNet-SSD of Caffe', 'recipes/mobilenet-ssd'),
      page('A ResNet of torchvision', 'recipes/torchvision-resnet'),
      page('A Kaldi chain model', 'recipes/kaldi-chain'),
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
      { text: 'Texts of messages', name: 'api/library/shared/msg' },
      { text: 'Safe texts', name: 'api/library/shared/printable' },
      { text: 'For extensions', name: 'api/extension/api' },
      { text: 'Types of extensions', name: 'api/extension/types' },
    ],
  },
  {
    text: 'Inside',
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
      page('Attacks', 'attacks'),
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

/** The folder of the documents and of the site that has the pages in Chinese, which is also the language's tag. */
export const CHINESE = 'zh-Hans';

const chinese = (text, name, source = `docs/${CHINESE}/${name}.md`) => ({ text, name: `${CHINESE}/${name}`, source, language: CHINESE });
/** A page that there is in English only. */
const english = (text, name) => ({ text: `${text}（英文）`, name, isOnlyEnglish: true });

/** The same for readers of Chinese. Pages of messages are made from the English ones and the page's translations. */
export const CHINESE_GROUPS = [
  { text: '开始', pages: [chinese('开始', 'start'), chinese('第一分钟', 'walk'), english('批量转换', 'many-models'), english('软件包', 'library')] },
  {
    text: '您的框架',
    pages: [
      chinese('ONNX 模型', 'onnx'),
      chinese('ONNX 算子', 'operators'),
      chinese('TensorFlow 模型', 'tensorflow'),
      chinese('TensorFlow Lite 模型', 'tflite'),
      chinese('Caffe 模型', 'caffe'),
      chinese('PaddlePaddle 模型', 'paddle'),
      chinese('MXNet 模型', 'mxnet'),
      chinese('PyTorch 程序', 'pytorch'),
      chinese('Kaldi 模型', 'kaldi'),
      english('目标检测', 'detection'),
      english('实例', 'recipes'),
      english('部署', 'deploying'),
    ],
  },
  { text: '选项与结果', pages: [english('选项', 'options'), english('压缩权重', 'weights'), english('检查 IR', 'verify'), english('与 Model Optimizer 的差异', 'differences')] },
  { text: '问题', pages: [chinese('全部消息', 'errors'), chinese('运行时算错之处', 'runtime')] },
  { text: '扩展', pages: [english('扩展转换器', 'extending'), english('从 Python 到 JavaScript', 'migrate-extensions')] },
  { text: '消息', pages: errors.map(({ text, name, source }) => chinese(text, name, source)) },
];

export const PAGES = [...GROUPS, ...CHINESE_GROUPS].flatMap(({ pages }) => pages).filter(({ isOnlyEnglish }) => !isOnlyEnglish);

const names = new Set(PAGES.map(({ name }) => name));

/** The page in Chinese of one in English, if there is one. */
export const inChinese = (name) => (names.has(`${CHINESE}/${name}`) ? `${CHINESE}/${name}` : undefined);

