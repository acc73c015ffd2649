// Makes a site that VitePress has built work anywhere, from a file and under a policy that allows no inline code: relative
// addresses, styles of elements as classes, and one script in place of those that VitePress writes into the pages.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../root.mjs';
import { BASE, PLAYGROUND } from './address.mjs';
import { CHINESE } from './pages.mjs';
import { SearchIndex } from './search-index.mjs';

const STYLES = 'assets/inline.css';
const SCRIPT = 'assets/colours.js';
const ICON = 'assets/icon.svg';
/** A picture in a style, which the policy wants to be a file. */
const PICTURE = /url\((?:"(data:image\/svg\+xml[^"]*)"|'(data:image\/svg\+xml[^']*)'|(data:image\/svg\+xml[^)"']*))\)/g;

const SEARCH_PAGE = 'search.html';
const SEARCH_SCRIPT = 'search.js';

/** The file of a language's index. */
const indexName = (tag) => `search-index${tag && `-${tag}`}.js`;

/** Follows the system's choice of light or dark colours. */
const FOLLOW_COLOURS = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

/** The class of each style that elements have, in the order in which they were found. */
class InlineStyles {
  #classes = new Map();

  /** A tag without its style attribute. */
  replace(tag) {
    const style = / style="([^"]*)"/.exec(tag);
    if (!style) return tag;
    const name = this.#classes.get(style[1]) ?? `i${this.#classes.size}`;
    this.#classes.set(style[1], name);
    const rest = tag.replace(style[0], '');
    return / class="/.test(rest) ? rest.replace(/ class="/, ` class="${name} `) : rest.replace(/^<[\w-]+/, (start) => `${start} class="${name}"`);
  }

  get css() {
    return Array.from(this.#classes, ([style, name]) => `.${name}{${style.replaceAll('&quot;', '"')}}\n`).join('');
  }
}

/** From the page at `path` to another file of the site; folders have an index, which only servers know. */
function relativeTo(path, target) {
  const [file, anchor = ''] = target.split(/(?=#)/);
  const whole = file === '' || file.endsWith('/') ? `${file}index.html` : file;
  return `${posix.relative(posix.dirname(path), whole) || posix.basename(whole)}${anchor}`;
}

function finishPage(path, html, styles) {
  const up = relativeTo(path, 'x').slice(0, -1);
  return html
    .replaceAll(/<script\b[^]*?<\/script>/g, '')
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
    .replaceAll(/<[\w-]+(?:\s[^<>]*?)? style="[^"]*"[^<>]*>/g, (tag) => styles.replace(tag))
    .replace('</head>', `<link rel="icon" href="${up}${ICON}" type="image/svg+xml"><link rel="stylesheet" href="${up}${STYLES}"><script src="${up}${SCRIPT}"></script></head>`)
    // The first page has no main element.
    .replace(/<div(?=[^>]* id="VPContent")/, (tag) => (html.includes('<main') ? tag : `${tag} role="main"`))
    // VitePress makes a class of the page's address.
    .replaceAll(/ ___site__[\w-]*(?=[ "])/g, '')
    .replaceAll(PLAYGROUND, `${up}../index.html`)
    .replaceAll(/(href|src)="([^"]*)"/g, (all, name, url) => (url.startsWith(BASE) ? `${name}="${relativeTo(path, url.slice(BASE.length))}"` : all));
}

/** The style sheet with its pictures as files beside it. */
function finishStyles(file, css) {
  const names = new Map();
  return css.replaceAll(PICTURE, (_, ...[a, b, c]) => {
    const data = a ?? b ?? c;
    if (!names.has(data)) {
      names.set(data, `picture-${names.size}.svg`);
      const [head, content] = [data.slice(0, data.indexOf(',')), data.slice(data.indexOf(',') + 1)];
      const svg = head.endsWith(';base64') ? Buffer.from(content, 'base64').toString() : decodeURIComponent(content);
      writeFileSync(join(file, '..', names.get(data)), svg.trim());
    }
    return `url(${names.get(data)})`;
  });
}

/** `folder` is the site. Throws where a page would need what the policy forbids, or names another site's file. */
export function finish(folder) {
  const styles = new InlineStyles();
  const index = new SearchIndex();
  const chinese = new SearchIndex();
  for (const path of readdirSync(folder, { recursive: true })) {
    const file = join(folder, path);
    if (path.endsWith('.html')) {
      let html = finishPage(path, readFileSync(file, 'utf8'), styles);
      const wrong = / style="|<style|<script>|\son\w+="|__site__|<(?:link|script|img)[^>]*(?:src|href)="https?:/.exec(html);
      if (wrong) throw new Error(`${path}: ${html.slice(wrong.index, wrong.index + 120)}`);
      const isChinese = path.startsWith(`${CHINESE}/`);
      if (posix.basename(path) === SEARCH_PAGE) {
        const names = [indexName(''), ...(isChinese ? [indexName(CHINESE)] : []), SEARCH_SCRIPT];
        html = html.replace('</body>', `${names.map((name) => `<script src="${relativeTo(path, `assets/${name}`)}"></script>`).join('')}</body>`);
      } else if (path !== '404.html') (isChinese ? chinese : index).add(path, html);
      writeFileSync(file, html);
    } else if (path.endsWith('.css')) {
      const css = readFileSync(file, 'utf8').replaceAll(BASE, relativeTo(path, 'x').slice(0, -1));
      writeFileSync(file, finishStyles(file, css));
    }
  }
  writeFileSync(join(folder, STYLES), `${styles.css}.dark .shiki,.dark .shiki span{color:var(--shiki-dark,inherit)}\n`);
  writeFileSync(join(folder, SCRIPT), FOLLOW_COLOURS);
  writeFileSync(join(folder, 'assets', indexName('')), index.script('en'));
  writeFileSync(join(folder, 'assets', indexName(CHINESE)), chinese.script(CHINESE));
  copyFileSync(join(import.meta.dirname, 'search.js'), join(folder, 'assets', SEARCH_SCRIPT));
  copyFileSync(join(root, 'web/icon.svg'), join(folder, ICON));
}
