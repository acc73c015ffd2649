type Child = Node | string | false | undefined;

/** An element with attributes and children; children that are false or missing are left out. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, attributes: Record<string, string> = {}, ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  fill(element, ...children);
  return element;
}

/** Puts children in the place of those that an element has. */
export function fill(element: HTMLElement, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child): child is Node | string => child !== undefined && child !== false));
}

/** A button that does something. */
export function button(label: string, look: string, onClick: (button: HTMLButtonElement) => void): HTMLButtonElement {
  const element = h('button', { type: 'button', class: `button ${look}` }, label);
  element.addEventListener('click', () => onClick(element));
  return element;
}

/** The element of index.html with that id. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

/** Copies a text and says so on the button. Without the Clipboard API the text is selected for the user to copy. */
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
