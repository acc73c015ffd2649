/**
 * The markup of this product's own texts as elements. The page gives no text to the browser's parser of HTML, so that no mistake can make
 * elements of a model's names.
 */

/** A closing tag; an opening tag with its attributes; an entity; or text. */
const PIECES = /<\/\w+>|<(\w+)((?: [\w-]+="[^"]*")*)>|&(\w+);|[^<&]+|[<&]/g;
const ATTRIBUTES = / ([\w-]+)="([^"]*)"/g;
const ENTITIES: Readonly<Record<string, string>> = { nbsp: '\u00a0', quot: '"', amp: '&', lt: '<', gt: '>' };
/** What may stand in a text. */
const TAGS = new Set(['a', 'br', 'code', 'em', 'kbd', 'li', 'p', 'pre', 'small', 'span', 'strong', 'ul']);

export function elementsOf(markup: string): DocumentFragment {
  const whole = document.createDocumentFragment();
  let inside: Node = whole;
  for (const [piece, tag, attributes = '', entity] of markup.matchAll(PIECES)) {
    if (piece.startsWith('</')) {
      inside = inside.parentNode ?? whole;
    } else if (tag !== undefined && TAGS.has(tag)) {
      const element = document.createElement(tag);
      for (const [, name, value] of attributes.matchAll(ATTRIBUTES)) if (name === 'class' || name === 'href') element.setAttribute(name, plain(value!));
      inside.appendChild(element);
      if (tag !== 'br') inside = element;
    } else {
      inside.appendChild(document.createTextNode((entity === undefined ? undefined : ENTITIES[entity]) ?? piece));
    }
  }
  return whole;
}

function plain(text: string): string {
  return text.replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}
