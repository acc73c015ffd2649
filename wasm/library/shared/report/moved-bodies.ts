import { keyOf, type GraphNode } from './replay.js';

interface Body {
  /** The node that owns it: the place of the body without the name of the attribute. */
  readonly owner: string;
  readonly nodes: Map<number, GraphNode>;
}

/**
 * Finds the bodies that a step puts under another attribute of their owner, as `then_branch` becomes `then_graph`: all nodes are there
 * again, with the same ids and names. Returns the new key of each of their nodes by its former one. `removed` are the nodes that the step
 * removes, as they were, `added` those that it adds.
 */
export function movedBodies(removed: readonly GraphNode[], added: readonly GraphNode[]): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  const bodies = new Map<string, [graph: string, body: Body][]>();
  for (const [graph, body] of bodiesOf(added)) bodies.set(body.owner, [...(bodies.get(body.owner) ?? []), [graph, body]]);
  // An owner comes before what is in its bodies.
  const former = [...bodiesOf(removed)].sort(([a], [b]) => depthOf(a) - depthOf(b));
  for (const [graph, { owner, nodes }] of former) {
    const own = bodies.get(moved.get(owner) ?? owner) ?? [];
    const alike = own.filter(([other, body]) => other !== graph && isAgain(nodes, body.nodes));
    // The branches of one condition may be alike: then the beginning of the attribute says which is which.
    const found = alike.find(([other]) => attributeOf(other)[0] === attributeOf(graph)[0]) ?? alike[0];
    if (!found) continue;
    for (const id of nodes.keys()) moved.set(keyOf(graph, id), keyOf(found[0], id));
    own.splice(own.indexOf(found), 1);
  }
  return moved;
}

function bodiesOf(nodes: readonly GraphNode[]): Map<string, Body> {
  const bodies = new Map<string, Body>();
  for (const node of nodes) {
    if (node.graph === '') continue;
    const body = bodies.get(node.graph) ?? { owner: ownerOf(node.graph), nodes: new Map<number, GraphNode>() };
    bodies.set(node.graph, body);
    body.nodes.set(node.id, node);
  }
  return bodies;
}

/** "12.then_branch/3.body" is the body of node 3 in "12.then_branch". */
function ownerOf(graph: string): string {
  const cut = graph.lastIndexOf('/');
  return keyOf(graph.slice(0, Math.max(cut, 0)), Number.parseInt(graph.slice(cut + 1), 10));
}

function attributeOf(graph: string): string {
  return graph.slice(graph.lastIndexOf('.') + 1);
}

function depthOf(graph: string): number {
  return graph.split('/').length;
}

function isAgain(former: ReadonlyMap<number, GraphNode>, now: ReadonlyMap<number, GraphNode>): boolean {
  return [...former].every(([id, { name, source }]) => {
    const again = now.get(id);
    return again?.name === name && again.source?.offset === source?.offset && again.source?.line === source?.line;
  });
}
