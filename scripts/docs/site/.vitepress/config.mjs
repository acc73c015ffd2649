// VitePress's configuration of the documents' site: pages without scripts, all of it local.
import { join } from 'node:path';
import { anchorOf } from '../../anchor.mjs';
import { root } from '../../root.mjs';
import { BASE, PLAYGROUND } from '../address.mjs';
import { CHINESE, CHINESE_GROUPS, GROUPS, inChinese, PAGES } from '../pages.mjs';

const ANCHOR = /^(?:<a id="[\w-]+">|<\/a>|<br ?\/?>)$/;

const item = ({ text, name }) => ({ text, link: `/${name}` });

/**
 * The sidebars of a language, whose pages are below `folder`. Its last group is that of the messages, which are many: the page of all messages
 * leads to them. The sidebar of a message lists the messages of its kind, which have the same first digit.
 */
function sidebars(groups, folder) {
  const { text: title, pages } = groups.at(-1);
  const all = groups.flatMap(({ pages }) => pages).find(({ name }) => `/${name}` === `${folder}errors`);
  const kinds = new Set(pages.map(({ text }) => text.slice(0, 3)));
  const listed = (kind) => [all, ...pages.filter(({ text }) => text.startsWith(kind))];
  const ofMessages = Array.from(kinds, (kind) => [`${folder}errors/${kind}`, [{ text: title, items: listed(kind).map(item) }]]);
  return { ...Object.fromEntries(ofMessages), [folder]: groups.slice(0, -1).map(({ text, pages }) => ({ text, items: pages.map(item) })) };
}

/** The pages that there are in both languages, by their names in English. */
const inBoth = ['index', 'search', ...PAGES.map(({ name }) => name).filter((name) => inChinese(name))];

/** The links above each page; what PageList.js and Languages.js say is a part of it. */
const bar = (search, searchPage, converter, words) => ({
  nav: [{ text: search, link: searchPage }, { text: converter, link: PLAYGROUND, target: '_self', noIcon: true }],
  ...words,
});

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
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (markdown) => {
      const { rules } = markdown.renderer;
      const { text } = rules;
      rules.text = (...given) => text(...given).replaceAll('{{', '<span v-pre>{{</span>');
      // The corner of a table whose rows have heads is no head of its own.
      rules.th_open = (tokens, index, options, env, renderer) => {
        if (tokens[index + 1].content === '') tokens[index].tag = tokens[index + 2].tag = 'td';
        return renderer.renderToken(tokens, index, options);
      };
      // The keyboard scrolls what is wider than its block.
      rules.code_block = (tokens, index) => `<pre v-pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[index].content)}</code></pre>\n`;
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
    // The theme's own menu would name pages that the other language does not have: Languages.js takes its place.
    i18nRouting: false,
    sidebar: { ...sidebars(CHINESE_GROUPS, `/${CHINESE}/`), ...sidebars(GROUPS, '/') },
    docFooter: { prev: false, next: false },
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      themeConfig: { ...bar('Search', '/search', 'Converter', { allPages: 'All pages', pages: 'Pages', other: { text: '简体中文', tag: CHINESE, from: '', folder: `${CHINESE}/`, names: inBoth } }), outline: { level: [2, 3] } },
    },
    [CHINESE]: {
      label: '简体中文',
      lang: CHINESE,
      description: '把训练好的模型转换为 OpenVINO IR',
      themeConfig: {
        ...bar('搜索', `/${CHINESE}/search`, '转换器', { allPages: '全部页面', pages: '页面', other: { text: 'English', tag: 'en', from: `${CHINESE}/`, folder: '', names: inBoth } }),
        outline: { level: [2, 3], label: '本页内容' },
        skipToContentLabel: '跳到正文',
      },
    },
  },
};
