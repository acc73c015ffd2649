import { h } from 'vue';
import { useData, withBase } from 'vitepress';

/** A link to the same page in the other language, or to its first page where it has no such page. */
export default {
  setup() {
    const { page, theme } = useData();
    const other = () => {
      const { text, tag, from, folder, names } = theme.value.other;
      const name = page.value.relativePath.slice(from.length).replace(/\.md$/, '');
      return { text, tag, to: folder + (names.includes(name) ? name : 'index') };
    };
    const link = ({ tag, text, to }) => h('a', { class: 'language-link', href: withBase(`/${to}.html`), lang: tag, hreflang: tag }, text);
    return () => link(other());
  },
};
