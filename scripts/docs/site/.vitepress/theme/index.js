// VitePress's own theme without its fonts, and a list of all pages that needs no script where the sidebar does not fit.
import { h } from 'vue';
import Theme from 'vitepress/theme-without-fonts';
import PageList from './PageList.js';
import './style.css';

export default { extends: Theme, Layout: () => h(Theme.Layout, null, { 'doc-before': () => h(PageList) }) };
