/** The texts of index.html. What has `translate="no"` is the same in every language. */
import { elementsOf } from './markup.js';
import { fill, follow, setText } from './shown.js';
import { t, templateOf } from './texts.js';

const ATTRIBUTES = ['aria-label', 'placeholder', 'title', 'alt'];
const NO_TEXT = 'script, style, noscript, svg';

/** Lets the texts follow the language. The key of a text with elements in it is its markup. */
export function followPageTexts(root: Element = document.body): void {
  if (root.matches(NO_TEXT) || root.getAttribute('translate') === 'no') return;
  for (const name of ATTRIBUTES) {
    const text = root.getAttribute(name);
    if (text) setText(root, name, t(text));
  }
  if (!hasText(root)) for (const child of root.children) followPageTexts(child);
  else if (root.childElementCount === 0) fill(root as HTMLElement, t(root.textContent.trim()));
  else followMarkup(root, root.innerHTML.trim());
}

/** Whether the element has text of its own. */
function hasText(element: Element): boolean {
  return [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== '');
}

function followMarkup(element: Element, english: string): void {
  follow(element, '', () => element.replaceChildren(elementsOf(templateOf(english))));
}
