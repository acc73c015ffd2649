// Copies the documents into the folder that VitePress reads, with links among the pages that the site has.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { inWords, translationsFor } from '../../error-help.mjs';
import { root } from '../root.mjs';
import { HOMES, SEARCHES } from './homes.mjs';
import { CHINESE, inChinese, PAGES } from './pages.mjs';

/** A link of Markdown with its text, but not an image. */
const LINK = /(?<!!)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g;
/** A picture, which the site has in one folder. */
const PICTURE = /(!\[[^\]]*\])\((?:\.\.\/)*(pictures\/[^)\s]+)\)/g;
/** Blocks of code keep what looks like a link. */
const BLOCK = /(```[^]*?\n *```)/;

/** A part that a document has in common with another one: what stands in it is for readers of the file alone. */
const COMMON = /<!-- (\w+): as in (\S+) -->\n[^]*?<!-- end -->\n?/g;

/** The English page of messages is the source of the one in Chinese, too: a link to it leads to the page in the own language. */
const bySource = new Map(PAGES.toReversed().flatMap(({ name, source }) => (source ? [[source, name]] : [])));

/** The link as the site has it: another page, a place of the web, or only the text where the site has no such page. */
function linked({ source, name, language }, text, target) {
  if (/^(?:https?:|#)/.test(target)) return `[${text}](${target})`;
  const [path, anchor] = target.split('#');
  const file = posix.normalize(posix.join(posix.dirname(source), path));
  const english = bySource.get(file);
  const page = (language === CHINESE && english && inChinese(english)) || english;
  if (page === undefined) {
    if (!existsSync(join(root, file))) throw new Error(`${source} links to ${target}, which does not exist`);
    return text;
  }
  const to = posix.relative(posix.dirname(name), page);
  return `[${text}](${to.startsWith('.') ? to : `./${to}`}.md${anchor ? `#${anchor}` : ''})`;
}

const read = (path) => readFileSync(join(root, path), 'utf8');
const withLinks = (text, page) => text.split(BLOCK).map((part, index) => (index % 2 ? part : part.replaceAll(PICTURE, '$1(/$2)').replaceAll(LINK, (_, label, target) => linked(page, label, target)))).join('');
// Comments say what generates a table, which readers need not know.
const withoutComments = (text) => text.replaceAll(/<!--[^]*?-->\n?/g, '');

function pageText(page) {
  const { source, name, language } = page;
  if (language === CHINESE && !source.startsWith(`docs/${CHINESE}/`)) return withLinks(translatedMessage(source), page);
  const parts = read(source).split(COMMON);
  const whole = parts.map((part, index) => {
    if (index % 3 === 0) return withLinks(withoutComments(part), page);
    if (index % 3 === 1) return '';
    return withLinks(commonPart(part, parts[index - 1]), { source: part, name, language });
  });
  return whole.join('');
}

/** What scripts have generated under a name in another document. */
const commonPart = (path, name) => new RegExp(`<!-- ${name}: generated[^>]*-->\\n([^]*?)<!-- end -->`).exec(read(path))[1];

const translations = translationsFor(CHINESE);
const sentences = new Map(Array.from(read(`docs/${CHINESE}/errors.md`).matchAll(/^\| \[(MO\d+)\]\([^)]*\) \| (.*?) \| .* \|$/gm), ([, code, sentence]) => [code, sentence]));

/** A page of docs/errors/ in Chinese: its title is a row of the table of messages, its lines are those of the page's help. */
function translatedMessage(source) {
  const [title, ...rest] = read(source).split('\n');
  const code = /MO\d+/.exec(title)[0];
  return [`# ${code}：${sentences.get(code)}`, inWords(rest.join('\n'), (line) => translations[line] ?? line)].join('\n');
}

export function stage(folder) {
  for (const page of PAGES) {
    if (!page.source) continue;
    const path = join(folder, `${page.name}.md`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, pageText(page));
  }
  for (const [language, home] of Object.entries(HOMES)) writeFileSync(join(folder, language, 'index.md'), home);
  for (const [language, search] of Object.entries(SEARCHES)) writeFileSync(join(folder, language, 'search.md'), search);
  cpSync(join(root, 'docs/pictures'), join(folder, 'public/pictures'), { recursive: true });
}
