// The first pages of the site and those of its search, in each language; '' is English.
import { FORMATS } from '../../../dist/library/shared/formats.js';
import { PLAYGROUND } from './address.mjs';
import { CHINESE } from './pages.mjs';

const PAGE_OF = { onnx: 'onnx', tf: 'tensorflow', tflite: 'tflite', caffe: 'caffe', paddle: 'paddle', mxnet: 'mxnet', pytorch: 'pytorch', kaldi: 'kaldi' };
const READ = FORMATS.filter(({ reads }) => reads);

/** Each format, with its page. */
const formats = (folder, text) => READ.map(({ title, framework, endings }) => `  - { title: '${title}', details: '${endings.join(' ')}', link: ${folder}/${PAGE_OF[framework]}, linkText: ${text} }`).join('\n');

/** The first page: what it looks like, the formats, and a choice of roads. */
const ENGLISH_HOME = `---
layout: home
hero:
  name: mo
  text: Models to OpenVINO IR
  tagline: In a browser, with Node, and as a native command. The model stays on your machine.
  image:
    light: /pictures/result-light.webp
    dark: /pictures/result-dark.webp
    alt: The page after a conversion
  actions:
    - { theme: brand, text: Start, link: /start }
    - { theme: alt, text: Open the converter, link: '${PLAYGROUND}', target: _self }
    - { theme: alt, text: Search, link: /search }
features:
${formats('', 'How it is read')}
---

## Which road is mine?

| what you have | your road |
| --- | --- |
| one model, nothing installed | [the converter](${PLAYGROUND}): drop it, save two files |
| a machine without a network | \`mo.html\`, [the page as one file](./start.md#the-page-without-a-network), or the [native command](./start.md#downloads) |
| a script, or many models | [the command](./start.md#the-command), [many models](./many-models.md) |
| a program in JavaScript | [the package](./library.md) |
| a command line of Model Optimizer | [it works as it is](./differences.md); [all options](./options.md) |
| a script with \`ovc\` | [what differs](./why-different.md) |
| a message with a code | [all messages](./errors.md) |
| an operation that is not supported | [an extension](./extending.md), or [Python extensions](./migrate-extensions.md) that you have |
`;

/** scripts/docs/site/search.js makes the form: without scripts the page leads to the browser's own search. */
const ENGLISH_SEARCH = `# Search

Words of this site: options, codes, operations, names. The search needs no network.
`;

const CHINESE_HOME = `---
layout: home
hero:
  name: mo
  text: 把模型转换为 OpenVINO IR
  tagline: 在浏览器中、用 Node 或作为本机命令运行。模型不会离开您的电脑。
  image:
    src: /pictures/walk-result-zh-Hans-1280.webp
    alt: 转换之后的页面
  actions:
    - { theme: brand, text: 开始, link: /${CHINESE}/start }
    - { theme: alt, text: 打开转换器, link: '${PLAYGROUND}', target: _self }
    - { theme: alt, text: 搜索, link: /${CHINESE}/search }
features:
${formats(`/${CHINESE}`, '如何读取')}
---

## 该选哪种方式？

| 您的情况 | 方式 |
| --- | --- |
| 一个模型，什么也没有安装 | [转换器](${PLAYGROUND})：拖入模型，保存两个文件 |
| 没有网络的机器 | \`mo.html\`，即[单个文件的页面](./start.md#无需网络的页面)，或[本机命令](./start.md#下载) |
| 脚本，或多个模型 | [命令](./start.md#命令)、[批量转换（英文）](../many-models.md) |
| JavaScript 程序 | [软件包（英文）](../library.md) |
| Model Optimizer 的命令行 | [可以照旧使用（英文）](../differences.md)；[全部选项（英文）](../options.md) |
| 使用 \`ovc\` 的脚本 | [有何不同（英文）](../why-different.md) |
| 带代码的消息 | [全部消息](./errors.md) |
| 不支持的算子 | [扩展（英文）](../extending.md)，或您已有的 [Python 扩展（英文）](../migrate-extensions.md) |
`;

const CHINESE_SEARCH = `# 搜索

可以搜索选项、代码、算子和名称。搜索不需要网络。只有英文的页面排在中文页面之后。
`;

export const HOMES = { '': ENGLISH_HOME, [CHINESE]: CHINESE_HOME };
export const SEARCHES = { '': ENGLISH_SEARCH, [CHINESE]: CHINESE_SEARCH };
