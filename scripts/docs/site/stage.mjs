// Copies the documents into the folder that VitePress reads, with links among the pages that the site has.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
}

const READ = FORMATS.filter(({ reads }) => reads).map(({ title }) => title).join(', ');

const HOME = `# Models to OpenVINO IR

mo converts models of ${READ} to OpenVINO IR: in a browser, with Node, and as a native command. The model stays on your machine.

- [Start](./start.md): the page, the command, the package.
- [Options](./options.md) and differences [from Model Optimizer](./differences.md) and [from ovc](./why-different.md).
- [Extending the converter](./extending.md) with operations and transformations in JavaScript.
- [API in browsers](./api/library/browser/browser.md), [in Node](./api/library/node/node.md) and [for extensions](./api/extension/api.md).
- [All messages](./errors.md), each with a page: what it means and what to do.

To try it, open [the converter](${PLAYGROUND}). It works without a network, too.
`;
