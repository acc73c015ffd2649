// VitePress's own theme without its fonts, and a list of all pages that needs no script where the sidebar does not fit,
// and links between the languages.
import { h } from 'vue';
import Theme from 'vitepress/theme-without-fonts';
import Languages from './Languages.js';
import PageList from './PageList.js';
import './style.css';

export default { extends: Theme, Layout: () => h(Theme.Layout, null, { 'doc-before': () => h(PageList), 'nav-bar-content-after': () => h(Languages) }) };
