type Child = Node | string | false | undefined;

/** An element with attributes and children; false and missing children are omitted. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  fill(element, ...children);
  return element;
}

/** Replaces the children of an element. */
export function fill(element: HTMLElement, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => child !== undefined && child !== false));
}

/** A button with an action. */
export function button(label: string, look: string, onClick: (button: HTMLButtonElement) => void): HTMLButtonElement {
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
  const label = pressed.textContent;
  try {
    await navigator.clipboard.writeText(source.innerText);
    pressed.textContent = 'Copied';
  } catch {
    getSelection()?.selectAllChildren(source);
    pressed.textContent = 'Selected';
  }
  setTimeout(() => (pressed.textContent = label), 1500);
}
