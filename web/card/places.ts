/** The places at which a model can be cut, by the names that `--input` and `--output` take, and the search among them. */
import type { PlaceNode } from '@mo/wasm';

import { t, type LiveText, type Text } from '../language/texts.js';
import type { Side } from './cuts.js';
import { short } from './facts.js';
import { canBeNamed } from './items.js';

export interface Place {
  readonly place: string;
  /** What is there, for people: `input 1 of Add /add`. */
  readonly what: Text;
  /** The operation is of a type that is not supported. */
  readonly unsupported: boolean;
}

export interface Found {
  readonly places: readonly Place[];
  /** How many nodes fit; not all of them need be among the places. */
  readonly nodes: number;
}

/** `0:node` and `node:0`, with the name of the node perhaps not complete. */
const PORT_FIRST = /^(\d{1,6}):(.*)$/;
const PORT_LAST = /^(.+):(\d{1,6})$/;

export class Places {
  /** All names of each node, and its operation, as they are searched. */
  readonly #texts: readonly string[];
  /** A tensor may have the name of a node that does not make it. */
  readonly #tensors: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;

  /** `unsupported` has the names of nodes. */
  constructor(private readonly nodes: readonly PlaceNode[], private readonly unsupported: ReadonlySet<string>) {
    this.#tensors = new Set(nodes.flatMap(({ outputs }) => outputs.flat()));
    this.#names = new Set(nodes.map(({ name }) => name));
    this.#texts = nodes.map(({ name, op, outputs }) => [name, op, ...outputs.flat()].join('\n').toLowerCase());
  }

  /** At most `most` places of nodes that have all words of the query. Those with a name that fits the first word come first. */
  search(side: Side, query: string, most: number): Found {
    const near: Place[] = [];
    const others: Place[] = [];
    const nodes = new Set<number>();
    const take = (index: number, word: string, places: readonly Place[]) => {
      if (places.length > 0) nodes.add(index);
      const row = isCalled(this.#texts[index]!, word) ? near : others;
      if (row.length < most) row.push(...places);
    };
    for (const [index, word] of this.#matches(query)) take(index, word, this.#placesOf(side, this.nodes[index]!));
    const ports: Place[] = [];
    for (const place of this.#withPort(query, most)) ports.push(place);
    const all = new Map([...ports, ...near, ...others].map((one) => [one.place, one]));
    return { places: [...all.values()].slice(0, most), nodes: Math.max(nodes.size, ports.length) };
  }

  *#matches(query: string): Generator<[index: number, word: string]> {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [index, text] of this.#texts.entries()) if (words.every((word) => text.includes(word))) yield [index, words[0] ?? ''];
  }

  /** The places of ports that the query names by number. */
  *#withPort(query: string, most: number): Generator<Place> {
    const first = PORT_FIRST.exec(query);
    const last = PORT_LAST.exec(query);
    const [name, port] = first ? [first[2]!, Number(first[1])] : last ? [last[1]!, Number(last[2])] : [];
    if (name === undefined || port === undefined) return;
    let count = 0;
    for (const [index] of this.#matches(name)) {
      const node = this.nodes[index]!;
      const place = first ? node.inputs.includes(port) && this.#input(node, port, true) : port < node.outputs.length && this.#output(node, port, true);
      if (!place || !canBeNamed(place.place)) continue;
      yield place;
      if (++count === most) return;
    }
  }

  #placesOf(side: Side, node: PlaceNode): Place[] {
    const inputs = side === 'inputs' ? node.inputs.map((port) => this.#input(node, port)) : [];
    return [...inputs, ...node.outputs.map((_, port) => this.#output(node, port))].filter(({ place }) => canBeNamed(place));
  }

  /** The name of a node means its only input, unless a tensor is called so, too. */
  #input(node: PlaceNode, port: number, numbered = false): Place {
    const { name, inputs } = node;
    const only = inputs.length === 1;
    const place = only && !numbered && !this.#tensors.has(name) ? name : `${port}:${name}`;
    return this.#place(node, place, (node) => (only ? t('input of {node}', { node }) : t('input {port} of {node}', { port: String(port), node })));
  }

  #output(node: PlaceNode, port: number, numbered = false): Place {
    const { name, outputs } = node;
    const [tensor] = outputs[port]!;
    const isClear = tensor !== undefined && (tensor === name || !this.#names.has(tensor));
    const place = numbered || !isClear ? `${name}:${port}` : tensor;
    return this.#place(node, place, (node) => (outputs.length === 1 ? t('output of {node}', { node }) : t('output {port} of {node}', { port: String(port), node })));
  }

  #place({ name, op }: PlaceNode, place: string, portOf: (node: string) => LiveText): Place {
    const isSaid = place.replace(/^\d+:|:\d+$/, '') === name;
    return { place, what: portOf(short(isSaid ? op : `${op} ${name}`)), unsupported: this.unsupported.has(name) };
  }
}

/** Whether one of the names is the word, begins with it, or has it as the last part of its path. */
function isCalled(text: string, word: string): boolean {
  return word !== '' && text.split('\n').some((name) => name === word || name.startsWith(word) || name.endsWith(`/${word}`));
}
