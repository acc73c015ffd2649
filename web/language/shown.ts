/** Texts in elements: those that were made for a language are made anew when the language changes. */
import { printableLines } from '@mo/wasm/printable';

import { LiveText, partsOf, templateOf, type Text } from './texts.js';

/** A list stands for its elements: a long one cannot be spread over arguments. */
export type Child = Node | Text | false | undefined | readonly Child[];

/** The content of an element or text. Attributes have their own names. */
const CONTENT = '';

/** How each part of a node is made anew. An entry ends with its node. */
const makers = new WeakMap<Node, Map<string, () => void>>();
let nodes: WeakRef<Node>[] = [];
let most = 1000;

/** Replaces the children of an element; false and missing children are omitted. */
export function fill(element: HTMLElement, ...children: Child[]): void {
  makers.get(element)?.delete(CONTENT);
  const content = document.createDocumentFragment();
  addTo(content, children);
  element.replaceChildren(content);
}

function addTo(content: DocumentFragment, children: readonly Child[]): void {
  for (const child of children) {
    if (isList(child)) addTo(content, child);
    else if (child !== undefined && child !== false) content.append(nodeOf(child));
  }
}

const isList = (child: Child): child is readonly Child[] => Array.isArray(child);

/** Sets an attribute. */
export function setText(element: Element, attribute: string, text: Text): void {
  element.setAttribute(attribute, safeText(text));
  if (text instanceof LiveText) follow(element, attribute, () => element.setAttribute(attribute, safeText(text)));
  else makers.get(element)?.delete(attribute);
}

/** Fills an element with a text that has elements in its places: where they stand in the sentence is up to the language. */
export function compose<Kind extends HTMLElement>(element: Kind, english: string, values: Readonly<Record<string, Child>>): Kind {
  const make = () => {
    fill(element, partsOf(templateOf(english)).map((part, index) => (index % 2 ? values[part] : part)));
    follow(element, CONTENT, make);
  };
  make();
  return element;
}

/** Calls `make` when the language has changed, as long as the node is there. */
export function follow(node: Node, part: string, make: () => void): void {
  const known = makers.get(node);
  if (known) return void known.set(part, make);
  makers.set(node, new Map([[part, make]]));
  nodes.push(new WeakRef(node));
  if (nodes.length < most) return;
  nodes = nodes.filter((node) => node.deref());
  most = 2 * nodes.length + 1000;
}

/** The language has changed. */
export function refreshTexts(): void {
  for (const reference of nodes) {
    const node = reference.deref();
    for (const make of [...((node && makers.get(node)?.values()) ?? [])]) make();
  }
}

function nodeOf(child: Node | Text): Node {
  if (child instanceof Node) return child;
  const node = document.createTextNode(safeText(child));
  if (child instanceof LiveText) follow(node, CONTENT, () => (node.data = safeText(child)));
  return node;
}

/** Names of models and files may have characters that turn the direction of the text around them, or cannot be seen. */
export const safeText = (text: Text): string => printableLines(String(text));
