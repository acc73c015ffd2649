// The help pages of messages as modules for the page: `virtual:error-help`, and `virtual:error-help-TAG` in another language. Vite's plugin;
// the pages become HTML here, so the browser needs no reader of Markdown.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import markdownIt from 'markdown-it';

const NAME = 'virtual:error-help';
const folder = new URL('../docs/errors/', import.meta.url);
const languages = new URL('../web/language/', import.meta.url);
const package_ = new URL('../package.json', import.meta.url);
/** `[text](../extending.md)` leads to the documents beside the page. */
const LINK = /^\.\.\/([\w-]+)\.md(#.*)?$/;

function renderer() {
  const markdown = markdownIt();
  // These headings are inside a message on the page, so they are no headings there.
  markdown.renderer.rules.heading_open = () => '<p class="help-part">';
  markdown.renderer.rules.heading_close = () => '</p>\n';
  markdown.renderer.rules.fence = (tokens, index) =>
    `<pre><code>${markdown.utils.escapeHtml(tokens[index].content.trimEnd())}</code></pre>\n`;
  markdown.normalizeLink = (url) => url.replace(LINK, './docs/$1.html$2');
  return markdown;
}

/** Begins and ends a block of examples or commands, which are the same in every language. */
const FENCE = /^```/;
const MARK = /^(?:## |- )/;

/** A text in Markdown with `say` applied to each line that is no code. */
export function inWords(text, say) {
  let isCode = false;
  return text.split('\n').map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    const [mark = ''] = MARK.exec(line) ?? [];
    return isCode || FENCE.test(line) || line === '' ? line : mark + say(line.slice(mark.length));
  }).join('\n');
}

/** The lines of all pages that a language has to have. */
export function linesToTranslate() {
  const lines = new Set();
  for (const { rest } of pageTexts()) inWords(rest, (line) => (lines.add(line), line));
  return [...lines];
}

/** The translations of these lines by their English texts. */
export const translationsFor = (tag) => JSON.parse(readFileSync(new URL(`${tag}/help.json`, languages), 'utf8'));

function pageTexts() {
  return readdirSync(folder).sort().map((name) => {
    const [title, ...rest] = readFileSync(new URL(name, folder), 'utf8').split('\n');
    const code = name.replace('.md', '');
    return { code, title: title.slice(`# ${code}: `.length), rest: rest.join('\n') };
  });
}

/** The HTML of each message's page by its code, without the title, which the message says itself. */
export function errorPages(translations = {}) {
  const markdown = renderer();
  const say = (line) => translations[line] ?? line;
  return Object.fromEntries(pageTexts().map(({ code, title, rest }) => [code, { title, html: markdown.render(inWords(rest, say)) }]));
}

export const errorHelp = () => ({
  name: 'error-help',
  resolveId: (id) => (id === NAME || id.startsWith(`${NAME}-`) ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith(`\0${NAME}`)) return undefined;
    this.addWatchFile(fileURLToPath(folder));
    const tag = id.slice(NAME.length + 2);
    if (tag !== '') {
      this.addWatchFile(fileURLToPath(new URL(`${tag}/help.json`, languages)));
      const pages = Object.entries(errorPages(translationsFor(tag))).map(([code, { html }]) => [code, html]);
      return `export const PAGES = ${JSON.stringify(Object.fromEntries(pages))};\n`;
    }
    const { version } = JSON.parse(readFileSync(package_, 'utf8'));
    return `export const VERSION = ${JSON.stringify(version)};\nexport const PAGES = ${JSON.stringify(errorPages())};\n`;
  },
});
