/** The layers of the IR as the .xml has them. */
import { trustedXml } from '../page/trusted.js';
import type { Links } from './links.js';

export interface Layer {
  readonly number: number;
  /** The operation and its set, as OpenVINO calls them: `Convert`, `opset1`. */
  readonly type: string;
  readonly version: string;
  /** In the .xml, if it is known. */
  readonly line?: number;
  readonly data: readonly (readonly [name: string, value: string])[];
}

/** Bodies have other names in the file than as attributes. */
const BODIES: Readonly<Record<string, string>> = { body: 'body', then_body: 'then_graph', else_body: 'else_graph' };
/** Larger texts take too long to be read beside the drawing. */
const LARGEST = 64 << 20;

/** The layer of each node, by its key. */
export async function readLayers(xml: Blob, links: Links): Promise<ReadonlyMap<string, Layer>> {
  const layers = new Map<string, Layer>();
  if (xml.size > LARGEST) return layers;
  const { documentElement } = new DOMParser().parseFromString(trustedXml(await xml.text()), 'text/xml');
  const visit = (net: Element, graph: string) => {
    for (const layer of child(net, 'layers')?.children ?? []) {
      const number = Number(layer.getAttribute('id'));
      const key = links.nodeOf(graph, number);
      if (key === undefined) continue;
      const data = Array.from(child(layer, 'data')?.attributes ?? [], ({ name, value }) => [name, value] as const);
      layers.set(key, { number, type: layer.getAttribute('type') ?? '', version: layer.getAttribute('version') ?? '', data });
      const path = `${graph === '' ? '' : `${graph}/`}${key.slice(graph.length + 1)}.`;
      for (const body of layer.children) if (BODIES[body.tagName]) visit(body, path + BODIES[body.tagName]);
    }
  };
  visit(documentElement, '');
  return layers;
}

function child(element: Element, name: string): Element | undefined {
  return Array.from(element.children).find(({ tagName }) => tagName === name);
}
