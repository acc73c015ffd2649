// Copies the documents into the folder that VitePress reads, with links among the pages that the site has.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { FORMATS } from '../../../dist/library/shared/formats.js';
import { root } from '../root.mjs';
import { PLAYGROUND } from './address.mjs';
import { PAGES } from './pages.mjs';

/** A link of Markdown with its text, but not an image. */
const LINK = /(?<!!)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
/** Blocks of code keep what looks like a link. */
const BLOCK = /(```[^]*?\n *```)/;

const bySource = new Map(PAGES.flatMap(({ name, source }) => (source ? [[source, name]] : [])));

/** The link as the site has it: another page, a place of the web, or only the text where the site has no such page. */
function linked(source, name, text, target) {
  if (/^(?:https?:|#)/.test(target)) return `[${text}](${target})`;
  const [path, anchor] = target.split('#');
  const file = posix.normalize(posix.join(posix.dirname(source), path));
  const page = bySource.get(file);
  if (page === undefined) {
    if (!existsSync(join(root, file))) throw new Error(`${source} links to ${target}, which does not exist`);
    return text;
  }
  const to = posix.relative(posix.dirname(name), page);
  return `[${text}](${to.startsWith('.') ? to : `./${to}`}.md${anchor ? `#${anchor}` : ''})`;
}

function pageText({ source, name }) {
  // Comments say what generates a table, which readers need not know.
  const text = readFileSync(join(root, source), 'utf8').replaceAll(/<!--[^]*?-->\n?/g, '');
  const parts = text.split(BLOCK);
  return parts.map((part, index) => (index % 2 ? part : part.replaceAll(LINK, (_, label, target) => linked(source, name, label, target)))).join('');
}

export function stage(folder) {
  for (const page of PAGES) {
    if (!page.source) continue;
    const path = join(folder, `${page.name}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, pageText(page));
  }
  writeFileSync(join(folder, 'index.md'), HOME);
  writeFileSync(join(folder, 'search.md'), SEARCH);
  cpSync(join(root, 'docs/pictures'), join(folder, 'public/pictures'), { recursive: true });
}

const PAGE_OF = { onnx: 'operators', tf: 'tensorflow', tflite: 'tflite', caffe: 'caffe', paddle: 'paddle', mxnet: 'mxnet', pytorch: 'pytorch', kaldi: 'kaldi' };
const READ = FORMATS.filter(({ reads }) => reads);

/** The first page: what it looks like, the formats, and a choice of roads. */
const HOME = `---
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
${READ.map(({ title, framework, endings }) => `  - { title: '${title}', details: '${endings.join(' ')}', link: /${PAGE_OF[framework]}, linkText: How it is read }`).join('\n')}
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
const SEARCH = `# Search

Words of this site: options, codes, operations, names. The search needs no network.
`;
