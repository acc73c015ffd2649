// The help pages of messages as a module for the page: `virtual:error-help`. Vite's plugin; the pages become HTML here, so the
// browser needs no reader of Markdown.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import markdownIt from 'markdown-it';

const NAME = 'virtual:error-help';
const folder = new URL('../docs/errors/', import.meta.url);
const package_ = new URL('../package.json', import.meta.url);
/** `[text](../extending.md)` leads to the documents beside the page. */
const LINK = /^\.\.\/([\w-]+)\.md(#.*)?$/;

function renderer() {
  const markdown = markdownIt();
  // On the page they lie inside a message, which is no heading.
  markdown.renderer.rules.heading_open = () => '<p class="help-part">';
  markdown.renderer.rules.heading_close = () => '</p>\n';
  markdown.renderer.rules.fence = (tokens, index) =>
    `<pre><code>${markdown.utils.escapeHtml(tokens[index].content.trimEnd())}</code></pre>\n`;
  markdown.normalizeLink = (url) => url.replace(LINK, './docs/$1.html$2');
  return markdown;
}

/** The HTML of each message's page by its code, without the title, which the message says itself. */
export function errorPages() {
  const markdown = renderer();
  return Object.fromEntries(readdirSync(folder).sort().map((name) => {
    const [title, ...rest] = readFileSync(new URL(name, folder), 'utf8').split('\n');
    const code = name.replace('.md', '');
    return [code, { title: title.slice(`# ${code}: `.length), html: markdown.render(rest.join('\n')) }];
  }));
}

export const errorHelp = () => ({
  name: 'error-help',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load(id) {
    if (id !== `\0${NAME}`) return undefined;
    this.addWatchFile(fileURLToPath(folder));
    const { version } = JSON.parse(readFileSync(package_, 'utf8'));
    return `export const VERSION = ${JSON.stringify(version)};\nexport const PAGES = ${JSON.stringify(errorPages())};\n`;
  },
});
