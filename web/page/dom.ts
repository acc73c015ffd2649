import { fill, setText, type Child } from '../language/shown.js';
import { t, type Text } from '../language/texts.js';

export { compose, fill, setText, type Child } from '../language/shown.js';

/** An element with attributes and children; false and missing children are omitted. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, attributes: Readonly<Record<string, Text>> = {}, ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setText(element, name, value);
  fill(element, ...children);
  return element;
}

/** A button with an action. */
export function button(label: Text, look: string, onClick: (button: HTMLButtonElement) => void): HTMLButtonElement {
  const element = h('button', { type: 'button', class: `button ${look}` }, label);
  element.addEventListener('click', () => onClick(element));
  return element;
}

/** The element of index.html with that id. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

/** Copies a text and shows that on the button. Without the Clipboard API the text is selected for the user to copy. */
export async function copyFrom(source: HTMLElement, pressed: HTMLButtonElement): Promise<void> {
  const label = [...pressed.childNodes];
  try {
    await navigator.clipboard.writeText(source.innerText);
    fill(pressed, t('Copied'));
  } catch {
    getSelection()?.selectAllChildren(source);
    fill(pressed, t('Selected'));
  }
  setTimeout(() => pressed.replaceChildren(...label), 1500);
}

/** Names in a row, each as code. */
export function namesList(names: readonly string[]): Child[] {
  return names.flatMap((name, index) => [index > 0 && t(', '), h('code', {}, name)]);
}
