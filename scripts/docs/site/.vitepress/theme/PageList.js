import { h } from 'vue';
import { useData, withBase } from 'vitepress';

/** The sidebar's pages in a part that opens. */
export default {
  setup() {
    const { theme, page } = useData();
    const path = () => `/${page.value.relativePath}`;
    const groups = () => theme.value.sidebar[Object.keys(theme.value.sidebar).find((start) => path().startsWith(start))];
    const link = ({ text, link }) => h('li', h('a', { href: withBase(`${link}.html`) }, text));
    const group = ({ text, items }) => [h('p', text), h('ul', items.map(link))];
    const out = () => theme.value.nav.map(({ text, link }) => h('p', h('a', { href: link.startsWith('/') ? withBase(`${link}.html`) : link }, text)));
    return () => h('details', { class: 'page-list' }, [h('summary', theme.value.allPages), h('nav', { 'aria-label': theme.value.pages }, [out(), groups().map(group)])]);
  },
};
