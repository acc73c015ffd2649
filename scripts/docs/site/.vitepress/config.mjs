// VitePress's configuration of the documents' site: pages without scripts, all of it local.
import { join } from 'node:path';
import { root } from '../../root.mjs';
import { BASE, PLAYGROUND } from '../address.mjs';
import { GROUPS } from '../pages.mjs';

const ANCHOR = /^(?:<a id="[\w-]+">|<\/a>|<br ?\/?>)$/;

const item = ({ text, name }) => ({ text, link: `/${name}` });

/** Messages are many: the page of all messages leads to them. */
const sidebar = GROUPS.filter(({ text }) => text !== 'Messages').map(({ text, pages }) => ({ text, items: pages.map(item) }));

/** The sidebar of a message lists the messages of its kind, which have the same first digit. */
function messages() {
  const { pages } = GROUPS.find(({ text }) => text === 'Messages');
  const all = { text: 'All messages', name: 'errors' };
  const kinds = new Set(pages.map(({ text }) => text.slice(0, 3)));
  const listed = (kind) => [all, ...pages.filter(({ text }) => text.startsWith(kind))];
  return Object.fromEntries(Array.from(kinds, (kind) => [`/errors/${kind}`, [{ text: 'Messages', items: listed(kind).map(item) }]]));
}

export default {
  title: 'mo',
  description: 'Converts trained models to OpenVINO IR',
  lang: 'en',
  base: BASE,
  srcDir: join(root, 'build/docs/source'),
  outDir: join(root, 'build/docs/site'),
  cacheDir: join(root, 'build/docs/cache'),
  mpa: true,
  appearance: false,
  lastUpdated: false,
  // Texts are no templates, and angle brackets are no elements.
  markdown: {
    html: true,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => {
      const { rules } = markdown.renderer;
      const { text } = rules;
      rules.text = (...given) => text(...given).replaceAll('{{', '<span v-pre>{{</span>');
      // Only the anchors of the API are elements; `<name>` in a sentence is text.
      rules.html_inline = rules.html_block = (tokens, index) => {
        const { content } = tokens[index];
        return ANCHOR.test(content) ? content : markdown.utils.escapeHtml(content);
      };
    },
  },
  ignoreDeadLinks: false,
  vite: { logLevel: 'warn', build: { assetsInlineLimit: 0 } },
  themeConfig: {
    nav: [{ text: 'Search', link: '/search' }, { text: 'Converter', link: PLAYGROUND, target: '_self', noIcon: true }],
    sidebar: { ...messages(), '/': sidebar },
    outline: { level: [2, 3] },
    docFooter: { prev: false, next: false },
  },
};
