/** Groups G, P and C of the specification, as extensions see them. */
import { expect, test } from 'vitest';

import {
  convertWith, diamond, failureOf, fiveOperations, fooNet, fourOperations, reports, seen, seenInAll, theFour, transformation, type Files,
} from './extension_support.js';
import { seeded, type Model } from './onnx_writer.js';

const withConst: Model = {
  nodes: [{ op: 'Add', name: 'add', inputs: ['x', 'w'], outputs: ['y'] }],
  weights: [{ name: 'w', shape: [2, 3], data: seeded(6) }],
  inputs: [{ name: 'x', shape: [2, 3] }],
  outputs: [{ name: 'y', shape: [2, 3] }],
};

test('G-01 an edge leads from the producer to the consumer', async () => {
  expect(await seen('front', (graph) => graph.outEdges(graph.node['relu']!).map(({ from, to }) => [from.name, to.name])))
    .toEqual([['relu', 'sig'], ['relu', 'square'], ['relu', 'square']]);
});

test('G-02 two nodes may be joined by several edges', async () => {
  expect(await seen('front', (graph) => graph.inEdges(graph.node['square']!).map(({ from, attributes }) => [from.name, attributes])))
    .toEqual([['relu', { in: 0, out: 0 }], ['relu', { in: 1, out: 0 }]]);
});

test('G-02 each edge keeps its own attributes, until another tensor feeds the input', async () => {
  expect(await seen('front', (graph) => {
    const [a, b] = ['a', 'b'].map((id) => graph.addNode(id, { op: 'ReLU' }));
    graph.addEdgesFrom([['a', 'b', { in: 0, out: 0, mark: 1 }], ['a', 'b', { in: 1, out: 0, mark: [2] }]]);
    graph.createEdge(a!, b!, 0, 2, { mark: 'three' });
    graph.inEdges(b!)[1]!.attributes['more'] = true;
    const before = graph.outEdges(a!).map(({ attributes }) => attributes);
    b!.inPort(0).setSource(graph.node['relu']!.outPort(0));
    b!.inPort(1).disconnect();
    b!.inPort(1).connect(a!.outPort(0));
    return [before, graph.inEdges(b!).map(({ attributes }) => attributes)];
  })).toEqual([
    [{ in: 0, out: 0, mark: 1 }, { in: 1, out: 0, mark: [2], more: true }, { in: 2, out: 0, mark: 'three' }],
    [{ in: 0, out: 0 }, { in: 1, out: 0 }, { in: 2, out: 0, mark: 'three' }],
  ]);
  // Behind the front phase the part behind the tensor has them.
  const files = { 'front/set.js': transformation('front', (graph) => graph.inEdges(graph.node['square']!).forEach(({ attributes }, index) => { attributes['mark'] = index; }), 'Set') };
  expect(await seen('middle', (graph) => graph.inEdges(graph.node['square']!).map(({ from, attributes }) => [from.kind, attributes]), diamond, files))
    .toEqual([['data', { in: 0, mark: 0 }], ['data', { in: 1, mark: 1 }]]);
});

test('G-03 the guide names each method of Graph, and each can be called', async () => {
  const { readFileSync } = await import('node:fs');
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const members = /export interface Graph \{\n([^]*?)\n\}/.exec(read('dist/extension/types.d.ts'))![1]!;
  const methods = Array.from(members.matchAll(/^ +(\w+)\(/gm), ([, name]) => name!);
  const names = /^## Names$([^]*?)^## /m.exec(read('docs/extending.md'))![1]!;
  expect(methods.length).toBeGreaterThan(10);
  expect(methods.filter((name) => !new RegExp(`\\b${name}\\b`).test(names))).toEqual([]);
  const callable = await seen('front', (graph) => Object.getOwnPropertyNames(Object.getPrototypeOf(graph)).filter((name) => typeof (graph as any)[name] === 'function'));
  expect(callable).toEqual(expect.arrayContaining(methods));
});

test('G-05 what is written through one node is read through any other', async () => {
  expect(await seen('front', (graph, { Node }) => {
    const node = graph.getOpNodes({ op: 'Mul' })[0]!;
    node.set('x', 5);
    const first = graph.node['square']!.get('x');
    graph.node['square']!.set('x', 6);
    return [first, node.get('x'), new Node(graph, 'square').get('x')];
  })).toEqual([5, 6, 6]);
});

test('G-06 Node(graph, id) is the node that is there', async () => {
  expect(await seen('front', (graph, { Node }) => {
    const before = graph.nodes().length;
    const node = new Node(graph, 'relu');
    return [node === graph.node['relu'], node instanceof Node, node.get('op'), graph.nodes().length - before];
  })).toEqual([true, true, 'ReLU', 0]);
});

test('G-07 an absent attribute gives the default, or nothing', async () => {
  expect(await seen('front', (graph) => {
    const node = graph.node['relu']!;
    const nameless = graph.addNode('nameless', { op: 'ReLU' });
    return [node.get('name', node.id), node.get('absent', 'other'), node.get('absent') === undefined, nameless.get('name', nameless.id)];
  })).toEqual(['relu', 'other', true, 'nameless']);
});

test('G-08 hasValid is has and not null', async () => {
  expect(await seen('front', (graph) => {
    const node = graph.node['relu']!;
    for (const [name, value] of Object.entries({ none: null, zero: 0, empty: '', list: [] })) node.set(name, value);
    return ['absent', 'none', 'zero', 'empty', 'list'].map((name) => [node.has(name), node.hasValid(name)]);
  })).toEqual([[false, false], [true, false], [true, true], [true, true], [true, true]]);
});

test('G-09 attributes can be deleted', async () => {
  expect(await seen('front', (graph) => {
    const node = graph.node['relu']!;
    node.set('number', 1);
    node.set('method', () => 1);
    node.delete('number');
    node.delete('method');
    return [node.hasValid('number'), node.has('number'), node.has('method')];
  })).toEqual([false, false, false]);
});

test('G-10 list attributes are indexed by lists', async () => {
  expect(await seen('front', (graph, { select }) => {
    const node = graph.node['relu']!;
    node.set('stride', [1, 2, 3, 4]);
    return select(node.get<number[]>('stride')!, [2, 3]);
  })).toEqual([3, 4]);
  expect(await seen('front', (_graph, { int64Array, select, tensor }) =>
    [select([1, 2, 3, 4], int64Array([3, 0])), select(tensor('f32', [3], [5, 6, 7]), int64Array([1])), select(int64Array([8, 9]), [0]).map(String)]))
    .toEqual([[4, 1], [6], ['8']]);
});

test('G-11 id and name are attributes, and the id is the key', async () => {
  expect(await seen('front', (graph) => {
    const node = graph.node['relu']!;
    node.name = 'renamed';
    return [node.id, node.get('id'), node.get('name'), graph.node[node.id] === node];
  })).toEqual(['relu', 'relu', 'renamed', true]);
});

test('G-12 getOpNodes filters operations and may be followed by changes', async () => {
  const body = (graph: any, { ops, int64Array }: any) => {
    const found = graph.getOpNodes({ op: 'Mul' });
    for (const _ of found) ops.constant(graph, int64Array([1]));
    return [found.length, graph.getOpNodes({ op: (op: string) => op === 'Mul' || op === 'Add' }).length, graph.getOpNodes().every((node: any) => node.kind === 'op'), graph.getOpNodes({ op: 'Mul', name: 'none' }).length];
  };
  expect(await seen('front', body)).toEqual([1, 2, true, 0]);
  expect(await seen('middle', body)).toEqual([1, 2, true, 0]);
});

test('G-13 nodes() gives all nodes', async () => {
  expect(await seen('front', (graph) => graph.nodes().filter((node) => node.get('op') === 'Result').length)).toBe(1);
});

test('G-14 removeNode removes a node with its edges', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const extra = ops.create(graph, 'ReLU', { name: 'extra' }, [graph.node['relu']!]);
    const before = graph.node['relu']!.outPort(0).getDestinations().length;
    graph.removeNode(extra);
    return [before, graph.node['relu']!.outPort(0).getDestinations().length, graph.getNode('extra') === undefined];
  })).toEqual([4, 3, true]);
});

test('a node of a removed operation throws', async () => {
  expect((await failureOf({ 'front/a.js': transformation('front', (graph, { ops }) => {
    const node = ops.create(graph, 'ReLU', { name: 'extra' });
    graph.removeNode(node);
    return node.name;
  }) })).text).toContain('removed');
});

test('G-15 a graph can be built by the low-level calls', async () => {
  expect(await seen('front', (graph) => {
    graph.addNode('a', { op: 'ReLU' });
    graph.addNode('b', { op: 'ReLU' });
    graph.addEdgesFrom([['a', 'b', { in: 2, out: 1 }]]);
    const b = graph.node['b']!;
    const source = b.inPort(2).getSource()!;
    return [source.node.id, source.index, [...b.inPorts().keys()], graph.outEdges(graph.node['a']!)[0]!.attributes];
  })).toEqual(['a', 1, [2], { in: 2, out: 1 }]);
});

test('G-15 an id that is taken is refused', async () => {
  const { text } = await failureOf({ 'front/a.js': transformation('front', (graph) => graph.addNode('relu', {})) });
  expect(text).toContain('two nodes have the same id');
});

test('G-15 the id of a removed node, and a name that is no id, can be given again', async () => {
  expect(await seen('front', (graph) => {
    const consumers = graph.node['sig']!.outPort(0).getDestinations();
    const source = graph.node['sig']!.inPort(0).getSource()!;
    graph.removeNode(graph.node['sig']!);
    const again = graph.addNode('sig', { op: 'Tanh', in_ports_count: 1, out_ports_count: 1 });
    again.inPort(0).connect(source);
    for (const port of consumers) again.outPort(0).connect(port);
    graph.node['square']!.name = 'renamed';
    const other = graph.addNode('renamed', { op: 'ReLU' });
    return [again.id, again.name, graph.node['sig'] === again, other.id, graph.node['renamed'] === other, graph.node['square']!.name];
  })).toEqual(['sig', 'sig', true, 'renamed', true, 'renamed']);
});

test('G-17 G-18 neighbours are reached by the discouraged methods', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const square = graph.node['square']!;
    const squeeze = ops.create(graph, 'Squeeze', { name: 'squeeze' }, [graph.node['relu']!]);
    const free = graph.addNode('free', { op: 'ReLU' });
    graph.createEdge(square, free);
    return [square.inNode(0).id, square.inNode(1).id, squeeze.get('in_ports_count'), Object.keys(squeeze.inNodes()).length, square.outNode(0).id,
      square.getOutputs().map(([node, edge]) => [node.id, edge])];
  })).toEqual(['relu', 'relu', 2, 1, 'sum', [['sum', { in: 1, out: 0 }], ['free', { in: 0, out: 0 }]]]);
});

test('G-17 insertNodeAfter', async () => {
  expect(await seen('front', (graph, { ops }) => {
    graph.node['relu']!.insertNodeAfter(ops.create(graph, 'Tanh', { name: 'tanh' }));
    const unread = ops.create(graph, 'ReLU', { name: 'unread' });
    unread.insertNodeAfter(ops.create(graph, 'Tanh', { name: 'last' }));
    return [graph.node['sig']!.inNode(0).id, graph.node['tanh']!.inNode(0).id, graph.node['last']!.inNode(0).id];
  })).toEqual(['tanh', 'relu', 'unread']);
});

test('G-19 neighbours are data nodes after the front phase', async () => {
  expect(await seen('middle', (graph) => {
    const [relu, square] = [graph.node['relu']!, graph.node['square']!];
    const same = JSON.stringify(square.inNode(0).get('shape')) === JSON.stringify(square.inPort(0).data.getShape());
    relu.outNode(0).set('shape', [6]);
    const changed = square.inPort(0).data.getShape();
    relu.outNode(0).set('shape', [2, 3]);
    return [square.inNode(0).kind, same, changed, relu.outNode(0) === square.inNode(1)];
  })).toEqual(['data', true, [6], true]);
});

test('G-20 there is no edge class: edges are reached through the graph', async () => {
  expect(await seen('front', (graph, api) => ['Edge' in api, graph.outEdges(graph.node['sig']!).map(({ attributes }) => attributes)])).toEqual([false, [{ in: 0, out: 0 }]]);
});

test('G-21 the loader numbers both ends of an edge', async () => {
  expect(await seen('front', (graph) => graph.nodes().flatMap((node) => graph.inEdges(node))
    .map(({ attributes }) => [attributes.in, attributes.out].every((port) => Number.isInteger(port) && port >= 0)))).toEqual(Array(7).fill(true));
});

test('G-22 values are typed, shapes are exact', async () => {
  expect(await seen('front', (graph, { tensor, int64Array }) => {
    const value = graph.node['w']!.get<any>('value');
    graph.node['w']!.set('large', int64Array([2 ** 33, 9007199254740993n]));
    return [value.type, value.shape, value.get() instanceof Float32Array, value.get().length,
      Array.from(graph.node['w']!.get<any>('large').get()), Array.from(tensor('f16', [3], [1, -0.5, 65504]).get() as any)];
  }, withConst)).toEqual(['f32', [2, 3], true, 6, ['8589934592n', '9007199254740993n'], [1, -0.5, 65504]]);
});

test('G-23 int64Array', async () => {
  expect(await seen('front', (_graph, { int64Array }) => {
    const made = int64Array([1]);
    return [made.type, made.shape, Array.from(made.get()), Array.from(made.get({ asNumbers: true }))];
  })).toEqual(['i64', [1], ['1n'], [1]]);
});

test('G-24 renameNodes hands names over', async () => {
  expect(await seen('front', (graph, { renameNodes }) => {
    const [a, b] = [graph.node['relu']!, graph.node['sig']!];
    renameNodes([[a, 'relu/TBR'], [b, 'relu']]);
    return [a.name, b.name, a.id];
  })).toEqual(['relu/TBR', 'relu', 'relu']);
});

test('G-25 createWithConstInputs makes constants', async () => {
  expect(await seen('front', (graph, { ops, int64Array }) => {
    const node = ops.createWithConstInputs(graph, 'Unsqueeze', { 1: int64Array([2]) }, { name: 'un' });
    return [node.name, node.get('op'), Array.from(node.inPort(1).getSource()!.node.get<any>('value').get()), node.inPort(0).disconnected()];
  })).toEqual(['un', 'Unsqueeze', ['2n'], true]);
});

test('G-26 MoError ends the conversion with its message', async () => {
  const failure = await failureOf({ 'front/fails.js': transformation('front', (graph, { MoError }) => {
    throw new MoError('no such luck', { node: graph.node['relu']!, hint: 'try another' });
  }) });
  expect(failure).toMatchObject({ code: 'MO4004', node: 'relu', file: 'extension/front/fails.js', hint: 'try another' });
  expect(failure.text).toContain('no such luck');
});

test('G-27 P-18 ports mean the same in every phase', async () => {
  const all = await seenInAll((graph) => {
    const source = graph.node['sum']!.inPort(1).getSource()!;
    return [source.node.name, source.index];
  });
  expect(all).toEqual(Array(3).fill(['square', 0]));
});

test('G-28 values can be reshaped', async () => {
  expect(await seen('front', (_graph, { tensor }) => {
    const value = tensor('i32', [2, 3], [1, 2, 3, 4, 5, 6]).reshape([3, 2]);
    return [value.shape, value.type, Array.from(value.get()), String(value)];
  })).toEqual([[3, 2], 'i32', [1, 2, 3, 4, 5, 6], '1,2,3,4,5,6']);
});

test('P-01 ports are instances of Port', async () => {
  expect(await seen('front', (graph, { Port }) => {
    const node = graph.node['square']!;
    return [node.inPort(1) instanceof Port, node.outPort(0) instanceof Port, node instanceof Port];
  })).toEqual([true, true, false]);
});

test('P-01 P-02 P-03 P-04 P-09 ports are numbered, typed and know their node', async () => {
  expect(await seen('front', (graph) => {
    const [relu, square] = [graph.node['relu']!, graph.node['square']!];
    return [[...square.inPorts().keys()], [...square.outPorts().keys()], square.inPort(1).node === square, square.outPort(0).node === square, square.inPort(1).index,
      relu.inPort(0).index, relu.outPort(0).index, relu.inPorts().size, relu.outPorts().size, relu.inPort(0).type, relu.outPort(0).type];
  })).toEqual([[0, 1], [0], true, true, 1, 0, 0, 1, 1, 'in', 'out']);
});

test('P-05 sizes have bounds, which may be open', async () => {
  expect(await seen('middle', (graph) => {
    const { data } = graph.node['relu']!.outPort(0);
    const before = data.getShape();
    const got = [[[1, 4], [2, null], null, 5], [[3, 3], [0, null]], [], null].map((shape) => (data.setShape(shape as never), data.getShape()));
    data.setShape(before);
    return got;
  })).toEqual([[[1, 4], [2, null], null, 5], [3, null], [], null]);
});

test('P-05 P-06 P-09 data speaks of the tensor', async () => {
  expect(await seen('middle', (graph, { tensor }) => {
    const [relu, square] = [graph.node['relu']!, graph.node['square']!];
    const before = square.inPort(1).data.getShape();
    relu.outPort(0).data.setShape([3, 2]);
    const after = [relu.outPort(0).data.getShape(), square.inPort(1).data.getShape(), relu.outPort(0).data.getType()];
    relu.outPort(0).data.setValue(tensor('f32', [2, 3], [1, 2, 3, 4, 5, 6]));
    return [before, after, Array.from(square.inPort(0).data.getValue()!.get())];
  })).toEqual([[2, 3], [[3, 2], [3, 2], 'f32'], [1, 2, 3, 4, 5, 6]]);
});

test('P-07 nothing is known in the front phase, and nothing can be set', async () => {
  expect(await seen('front', (graph) => {
    const { data } = graph.node['relu']!.outPort(0);
    const refused = [() => data.setShape([1]), () => data.setType('f32')].map((set) => { try { set(); return ''; } catch (e) { return (e as Error).message; } });
    return [data.getShape(), data.getValue(), data.getType(), refused.every((text) => text.includes('middle phase'))];
  })).toEqual([null, null, null, true]);
});

test('P-08 a value brings its shape', async () => {
  expect(await seen('middle', (graph, { tensor }) => {
    const port = graph.node['relu']!.outPort(0);
    port.data.setValue(tensor('f32', [1, 2, 3], [1, 2, 3, 4, 5, 6]));
    return port.data.getShape();
  })).toEqual([1, 2, 3]);
});

test('P-09 a number without a port is an error', async () => {
  const asked = { input: transformation('front', (graph) => graph.node['relu']!.inPort(7)), output: transformation('front', (graph) => graph.node['relu']!.outPort(7)) };
  for (const [side, module] of Object.entries(asked))
    expect(await failureOf({ 'front/a.js': module })).toMatchObject({ node: 'relu', text: expect.stringContaining(`there is no ${side} port 7: the node has 0`) });
});

test('P-09 what is no number of a port is not taken for one', async () => {
  expect(await seen('front', (graph) => {
    const relu = graph.node['relu']!;
    const asked = [0.5, NaN, -1, 2 ** 32, '0', null, undefined, 0n].flatMap((index: any) => [() => relu.inPort(index), () => relu.outPort(index),
      () => relu.inPort(index, { controlFlow: true }).getSource(), () => relu.addInputPort(index), () => relu.addOutputPort(index), () => relu.deleteInputPort(index), () => relu.deleteOutputPort(index)]);
    const refused = asked.filter((ask) => { try { ask(); return false; } catch (error) { return /port/.test((error as Error).message); } });
    return [refused.length === asked.length, [...relu.inPorts().keys()], [...relu.outPorts().keys()]];
  })).toEqual([true, [0], [0]]);
});

test('P-11 inPorts() and outPorts() are keyed by number, with the same objects, connected or not', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const relu = graph.node['relu']!;
    const node = ops.create(graph, 'Concat', { in_ports_count: 3, out_ports_count: 2, axis: 0 }, [relu, relu]);
    return [node.inPorts(), node.outPorts()].map((ports) => [[...ports.keys()], ports.size, [...ports].every(([index, port]) => port === (port.type === 'in' ? node.inPort(index) : node.outPort(index)))]);
  })).toEqual([[[0, 1, 2], 3, true], [[0, 1], 2, true]]);
});

test('P-13 P-14 ports come and go, and the others keep their numbers', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const node = ops.create(graph, 'Concat', { name: 'c', in_ports_count: 3, axis: 0 });
    node.addInputPort(5);
    const [first, last] = [node.addOutputPort(1), node.addOutputPort(2)];
    node.deleteInputPort(1);
    const added = [...node.outPorts().keys()];
    node.deleteOutputPort(1);
    const gone = (() => { try { first.getDestinations(); return ''; } catch (error) { return (error as Error).message; } })();
    const result = [[...node.inPorts().keys()], node.inPort(5).disconnected(), added, [...node.outPorts().keys()], node.outPort(2) === last, gone];
    graph.removeNode(node);
    return result;
  })).toEqual([[0, 2, 5], true, [0, 1, 2], [0, 2], true, expect.stringContaining('port')]);
});

test('P-16 P-28 a free port has no connection', async () => {
  expect(await seen('front', (graph, { ops, Connection }) => {
    const node = ops.create(graph, 'Concat', { in_ports_count: 2, axis: 0 });
    const result = [node.inPort(1).getConnection(), node.outPort(0).getConnection(), graph.node['sum']!.inPort(0).getConnection() instanceof Connection,
      graph.node['sum']!.outPort(0).getConnection() instanceof Connection];
    graph.removeNode(node);
    return result;
  })).toEqual([null, null, true, true]);
});

test('P-28 ports alone give connections, and nodes alone ports', async () => {
  const told = await seen('front', (graph, { Connection, Port }) => {
    const [source, destination] = [graph.node['relu']!.outPort(0), graph.node['sum']!.inPort(0)];
    return [() => new (Connection as any)(source, [destination]), () => new (Port as any)(graph.node['relu'], 0, false)].map((make) => {
      try {
        return String(make());
      } catch (error) {
        return (error as Error).message;
      }
    });
  });
  expect(told).toEqual([expect.stringContaining('port.getConnection()'), expect.stringContaining('node.inPort(0)')]);
  const connecting = Object.keys(await import('../../dist/extension/api.js')).filter((name) => /connect/i.test(name));
  expect(connecting).toEqual(['Connection']);
});

test('P-17 every output has its tensor after inference, one without consumers too', async () => {
  const halves: Model = {
    ...diamond,
    nodes: [
      { op: 'Split', name: 'split', inputs: ['x'], outputs: ['a', 'b'], attributes: { axis: 0, num_outputs: 2 } },
      { op: 'Relu', name: 'relu', inputs: ['a'], outputs: ['y'] },
    ],
    outputs: [{ name: 'y', shape: [1, 3] }],
  };
  expect(await seen('middle', (graph) => {
    const [split] = graph.getOpNodes({ op: 'Split' });
    const unused = split!.outPort(1);
    const tensors = graph.nodes().filter((node) => node.kind === 'data');
    return [unused.getDestinations().length, unused.data.getShape(), tensors.filter((node) => node.inNode(0).id === split!.id).length];
  }, halves)).toEqual([0, [1, 3], 2]);
});

test('P-19 the same port is the same object', async () => {
  for (const same of await seenInAll((graph) => {
    const port = graph.node['relu']!.outPort(0);
    return [graph.node['sig']!.inPort(0).getSource() === port, graph.node['square']!.inPort(1).getSource() === port,
      port.getDestinations()[0] === graph.node['sig']!.inPort(0), graph.nodes()[0] === graph.node[graph.nodes()[0]!.id]];
  })) expect(same).toEqual([true, true, true, true]);
});

test('P-20 P-21 destinations', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const refused = (() => { try { return graph.node['relu']!.outPort(0).getDestination(); } catch (e) { return (e as Error).message; } })();
    const free = ops.create(graph, 'ReLU').outPort(0);
    return [graph.node['sig']!.outPort(0).getDestination()!.node.id, refused, free.getDestinations(), free.getDestination(),
      graph.node['relu']!.outPort(0).getDestinations().map((port) => [port.node.id, port.index])];
  })).toEqual(['sum', 'output 0 has 3 consumers: use getDestinations()', [], null, [['sig', 0], ['square', 0], ['square', 1]]]);
});

test('P-22 P-23 disconnect frees one input, or all consumers', async () => {
  expect(await seen('front', (graph) => {
    const [relu, square] = [graph.node['relu']!, graph.node['square']!];
    square.inPort(0).disconnect();
    const one = [square.inPort(0).getConnection(), relu.outPort(0).getDestinations().length];
    relu.outPort(0).disconnect();
    const all = [relu.outPort(0).getDestinations().length, square.inPort(1).disconnected()];
    relu.outPort(0).connect(square.inPort(0));
    square.inPort(1).connect(relu.outPort(0));
    graph.node['sig']!.inPort(0).connect(relu.outPort(0));
    return [one, all];
  })).toEqual([[null, 2], [0, true]]);
});

test('P-24 P-25 P-26 connect joins from either end', async () => {
  const body = (graph: any, { ops }: any) => {
    const [a, b] = ['a', 'b'].map((name) => ops.create(graph, 'Concat', { name, axis: 0, in_ports_count: 3 }));
    const source = graph.node.op4.inPort(0).getSource(), split = source.node;
    const tensors = () => graph.nodes().filter((node: any) => node.kind === 'data').length;
    const edges = (node: any) => graph.inEdges(node).map(({ from, attributes }: any) => [(from.kind === 'op' ? from : graph.inEdges(from)[0].from) === split, attributes]);
    const before = tensors();
    source.connect(a.inPort(2));
    b.inPort(2).connect(source);
    const refused = [() => a.inPort(0).connect(b.inPort(0)), () => a.outPort(0).connect(b.outPort(0))].map((join) => { try { join(); return ''; } catch (e) { return (e as Error).message; } });
    const out = graph.outEdges(split).filter(({ to }: any) => to.kind === 'data').map(({ attributes }: any) => attributes);
    const result = [a.inPort(2).getSource() === source && b.inPort(2).getSource() === source, refused, edges(a), edges(b), out, tensors() === before];
    graph.removeNodes([a, b]);
    return result;
  };
  const refused = ['an output port is needed here, not an input port: in port 0 of "b"', 'an input port is needed here, not an output port: out port 0 of "b"'];
  const [front, middle] = [[[true, { in: 2, out: 1 }]], [[true, { in: 2 }]]];
  expect(await seen('front', body, fiveOperations)).toEqual([true, refused, front, front, [], true]);
  expect(await seen('middle', body, fiveOperations)).toEqual([true, refused, middle, middle, [{ out: 0 }, { out: 1 }], true]);
});

test('P-27 C-09 the worked examples give the same links in every phase', async () => {
  const all = await seenInAll((graph) => {
    const links = () => ['sig', 'square', 'sum'].map((id) => [...graph.node[id]!.inPorts().values()].map((port) => port.getSource()?.node.id));
    graph.node['sum']!.inPort(1).disconnect();
    graph.node['sig']!.outPort(0).connect(graph.node['sum']!.inPort(1));
    const first = links();
    graph.node['sig']!.outPort(0).getConnection()!.setSource(graph.node['relu']!.outPort(0));
    return [first, links()];
  });
  expect(all).toEqual(Array(3).fill([
    [['relu'], ['relu', 'relu'], ['sig', 'sig']],
    [['relu'], ['relu', 'relu'], ['relu', 'relu']],
  ]));
});

test('C-01 C-02 C-03 C-04 a connection from either end', async () => {
  expect(await seen('front', (graph) => {
    const out = graph.node['relu']!.outPort(0).getConnection()!;
    const inward = graph.node['square']!.inPort(0).getConnection()!;
    const refused = (() => { try { out.getDestination(); return ''; } catch { return 'refused'; } })();
    return [out.getDestinations().map(({ node, index }) => [node.id, index]), inward.getDestinations().map(({ node, index }) => [node.id, index]),
      out.getSource() === graph.node['relu']!.outPort(0), inward.getSource() === out.getSource(), inward.getDestination() === graph.node['square']!.inPort(0),
      graph.node['sig']!.outPort(0).getConnection()!.getDestination() === graph.node['sum']!.inPort(0), refused];
  })).toEqual([[['sig', 0], ['square', 0], ['square', 1]], [['square', 0]], true, true, true, true, 'refused']);
});

test('C-05 C-06 setSource moves all destinations', async () => {
  expect(await seen('front', (graph) => {
    const sig = graph.node['sig']!.outPort(0);
    sig.getConnection()!.setSource(graph.node['square']!.outPort(0));
    return [sig.getDestinations().length, graph.node['square']!.outPort(0).getDestinations().map(({ index }) => index)];
  })).toEqual([0, [1, 0]]);
});

test('C-07 setDestination frees what was connected', async () => {
  expect(await seen('front', (graph) => {
    const [relu, sig, square, sum] = ['relu', 'sig', 'square', 'sum'].map((id) => graph.node[id]!);
    relu!.outPort(0).getConnection()!.setDestination(sum!.inPort(1));
    const result = [relu!.outPort(0).getDestinations().map(({ node }) => node.id), sig!.inPort(0).getSource(), square!.inPort(0).getSource(), square!.outPort(0).getDestinations().length];
    sig!.inPort(0).connect(relu!.outPort(0));
    return result;
  })).toEqual([['sum'], null, null, 0]);
});

test('addDestination adds a destination once', async () => {
  expect(await seen('front', (graph) => {
    const connection = graph.node['relu']!.outPort(0).getConnection()!;
    const free = graph.node['sum']!.inPort(1);
    free.disconnect();
    for (const port of [free, free, graph.node['sig']!.inPort(0)]) connection.addDestination(port);
    const ids = (ports: { node: { id: string } }[]) => ports.map(({ node }) => node.id).sort();
    return [ids(connection.getDestinations()), ids(graph.node['relu']!.outPort(0).getDestinations())];
  })).toEqual(Array(2).fill(['sig', 'square', 'square', 'sum']));
});

test('C-08 setDestination of an input moves that input only', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const un = ops.create(graph, 'Tanh', { name: 'tanh' });
    graph.node['square']!.inPort(0).getConnection()!.setDestination(un.inPort(0));
    graph.node['square']!.inPort(0).connect(un.outPort(0));
    return graph.node['relu']!.outPort(0).getDestinations().map(({ node }) => node.id);
  })).toEqual(['sig', 'square', 'tanh']);
});

test('C-10 C-11 connections can be chained, also over tensors', async () => {
  expect(await seen('back', (graph) => [
    graph.node['relu']!.outPort(0).getConnection()!.getDestinations().map((port) => port.node.id),
    graph.node['sum']!.inPort(0).getConnection()!.getSource()!.node.get('op'),
  ])).toEqual([['sig', 'square', 'square'], 'Sigmoid']);
});

test('tensor names travel with connections', async () => {
  expect(await seen('front', (graph, { ops }) => {
    const tanh = ops.create(graph, 'Tanh');
    graph.node['sig']!.outPort(0).getConnection()!.insertNode(tanh, 'source');
    const kept = [graph.node['sig']!.outPort(0).getTensorNames(), tanh.outPort(0).getTensorNames()];
    graph.node['relu']!.outPort(0).addTensorNames(['more']);
    return [...kept, graph.node['sig']!.inPort(0).getTensorNames()];
  })).toEqual([['s'], [], ['r', 'more']]);
});

test('control-flow ports order operations', async () => {
  expect(await seen('front', (graph) => {
    const [sig, square] = [graph.node['sig']!, graph.node['square']!];
    square.outPort(0, { controlFlow: true }).connect(sig.inPort(0, { controlFlow: true }));
    const order = graph.topologicalOrder().map(({ id }) => id);
    const ends = [square.outPort(0, { controlFlow: true }), sig.inPort(0, { controlFlow: true })];
    const refused = ends.flatMap((port) => [() => port.getConnection(), () => port.data].map((ask) => {
      try {
        return ask();
      } catch (error) {
        return (error as Error).message;
      }
    }));
    return [order.indexOf('square') < order.indexOf('sig'), sig.inPort(0).getSource()!.node.id, ...refused];
  })).toEqual([true, 'relu', ...Array(4).fill(expect.stringContaining('a control-flow port carries no tensor'))]);
});

test('the framework node behind a node can be read', async () => {
  expect(await seen('front', (graph, { onnxAttr }) => {
    const { pb } = graph.node['foo']!;
    return [pb!.name, pb!.opType, pb!.domain, pb!.attributeNames(), pb!.attribute('strides'), onnxAttr(graph.node['foo']!, 'axis', 'i'), pb!.attribute('absent', 7)];
  }, fooNet, { 'ops/foo.js': `
    import { Op } from '@mo/wasm/extension';
    export class Foo extends Op { static op = 'Foo'; static type = 'Foo'; static enabled = true; static inPortsCount = 1;
      static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); } }` }))
    .toEqual(['foo', 'Foo', 'com.acme', ['axis', 'strides'], [1, 2, 3, 4], 2, 7]);
});

test('any field of the framework node can be read by a path', async () => {
  expect(await seen('front', (graph) => {
    const pb = graph.node['foo']!.pb!;
    const first = pb.field('attribute.0') as any;
    return [
      pb.framework, pb.field('op_type'), pb.field('input'), pb.field('output.0'), pb.field('attribute.1.ints'), pb.field('attribute.0.type'),
      Object.keys(first), first.i, (pb.field('attribute') as any[]).map(({ name }) => name),
      ['doc_string', 'input.1', 'attribute.2', 'attribute.0.s', 'nothing', '', 'op_type.0'].map((path) => pb.field(path) === undefined),
    ];
  }, fooNet, { 'ops/foo.js': `
    import { Op } from '@mo/wasm/extension';
    export class Foo extends Op { static op = 'Foo'; static type = 'Foo'; static enabled = true; static inPortsCount = 1;
      static infer(node) { node.outPort(0).data.setShape(node.inPort(0).data.getShape()); } }` }))
    .toEqual(['onnx', 'Foo', ['x'], 'f', [1, 2, 3, 4], 'INT', ['name', 'i', 'type'], 2, ['axis', 'strides'], Array(7).fill(true)]);
});

test('attributes keep their kinds', async () => {
  expect(await seen('front', (graph) => {
    const node = graph.node['relu']!;
    const values = { a: true, b: 3, c: 1.5, d: 'text', e: [1, 2], f: [1.5, 2], g: ['x', 'y'], h: null, i: { deep: [1] }, k: [1, 'x'], l: 2n ** 62n };
    for (const [name, value] of Object.entries(values)) node.set(name, value as any);
    return Object.fromEntries(Object.keys(values).map((name) => [name, node.get(name)]));
  })).toEqual({ a: true, b: 3, c: 1.5, d: 'text', e: [1, 2], f: [1.5, 2], g: ['x', 'y'], h: null, i: { deep: [1] }, k: [1, 'x'], l: `${2n ** 62n}n` });
});

test('a graph has its facts: framework, layout and phase', async () => {
  expect(await seenInAll((graph) => [graph.framework, graph.layout, graph.phase]))
    .toEqual([['onnx', 'NCHW', 'front'], ['onnx', 'NCHW', 'middle'], ['onnx', 'NCHW', 'back']]);
});

test('P-10 P-15 ports are views of edges, by the documented names', async () => {
  expect(await seen('front', (graph) => {
    graph.addNode('a', { op: 'Foo', in_ports_count: 1, out_ports_count: 2 });
    graph.addNode('b', { op: 'Foo', in_ports_count: 3, out_ports_count: 1 });
    graph.addEdgesFrom([['a', 'b', { in: 2, out: 1 }]]);
    const [a, b] = [graph.node['a']!, graph.node['b']!];
    const accessors = ['outPort', 'outputPort'].filter((name) => name in a);
    const joined = a.outPort(1).getDestination() === b.inPort(2) && b.inPort(2).getSource() === a.outPort(1);
    const others = [a.outPort(0).disconnected(), b.inPort(0).disconnected(), b.inPort(1).disconnected()];
    b.inPort(2).disconnect();
    return [accessors, joined, others, graph.inEdges(b).length];
  })).toEqual([['outPort'], true, [true, true, true], 0]);
});

test('I-10 B-06 with tensors an edge has one number: out from operations, in to them', async () => {
  const [front, middle, back] = await seenInAll((graph) => graph.nodes().flatMap((node) => [...graph.inEdges(node), ...graph.outEdges(node)])
    .map(({ from, to, attributes }) => [from.kind, to.kind, ...Object.keys(attributes).sort()].join(' ')));
  expect([...new Set(front as string[])]).toEqual(['op op in out']);
  for (const phase of [middle, back]) expect([...new Set(phase as string[])].sort()).toEqual(['data op in', 'op data out']);
});

test('G-16 the declarations say which methods are low level, and examples and built-in transformations do without them', async () => {
  const { readFileSync, readdirSync } = await import('node:fs');
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const low = ['addNode', 'addEdgesFrom', 'createEdge', 'inEdges', 'outEdges', 'inNode', 'outNode', 'inNodes', 'outNodes', 'getOutputs', 'insertNodeAfter'];
  const types = read('dist/extension/types.d.ts');
  const tagged = Array.from(types.matchAll(/\/\*\* Level ([12])\. @deprecated Low level[^\n]*\*\/\s*(\w+)\(/g), ([, level, name]) => `${level} ${name}`);
  const first = ['addNode', 'addEdgesFrom', 'inEdges', 'outEdges'];
  expect(tagged.sort()).toEqual(low.map((name) => `${first.includes(name) ? 1 : 2} ${name}`).sort());
  for (const name of ['Graph', 'Node', 'PortData', 'Port', 'InPort', 'OutPort', 'Connection']) {
    const members = new RegExp(`export interface ${name} [^{]*\\{\\n([^]*?)\\n\\}`).exec(types)![1]!;
    const methods = Array.from(members.matchAll(/^ +(\w+)(?:<[^(]*>)?\(/gm), ([, method]) => method);
    expect([name, members.match(/\/\*\* Level [123]\. ?[^\n]*\*\/\s*\w+(?:<[^(]*>)?\(/g)?.length]).toEqual([name, methods.length]);
  }
  const examples = readdirSync(new URL('../../docs/examples/extensions', import.meta.url), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  const users = examples.filter((path) => low.some((name) => new RegExp(`\\.${name}\\(`).test(read(`docs/examples/extensions/${path}`))));
  expect(examples.length).toBeGreaterThan(20);
  expect(users).toEqual([]);
  // In C++ ports alone make edges; of the low level there is only a node by its id.
  const phases = ['front', 'decompose', 'rewrite', 'middle', 'layout', 'back'];
  const sources = phases.flatMap((phase) => readdirSync(new URL(`../../core/${phase}`, import.meta.url), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.cpp')).map((path) => `core/${phase}/${path}`));
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((path) => /\badd_node_with_key\b/.test(read(path)))).toEqual([]);
});

test('C-12 the reference, the declarations, the class and the header of C++ have the same methods of connections', async () => {
  const { readFileSync } = await import('node:fs');
  const { Connection } = await import('../../dist/extension/api.js');
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const names = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name]) => name!);
  const declared = names(/export interface Connection \{\n([^]*?)\n\}/.exec(read('dist/extension/types.d.ts'))![1]!, /^ +(\w+)\(/gm).sort();
  expect(declared).toContain('setDestination');
  expect(Object.getOwnPropertyNames(Connection.prototype).filter((name) => name !== 'constructor').sort()).toEqual(declared);
  const reference = names(/^### Port and Connection\n([^]*?)\n### /m.exec(read('docs/extending.md'))![1]!, /`(\w+)`/g);
  expect(declared.filter((name) => !reference.includes(name))).toEqual([]);
  const header = names(/^class Connection \{\n([^]*?)\n private:/m.exec(read('core/graph/port.h'))![1]!, /^ {2}[A-Za-z][^(\n]*?\b(\w+)\(/gm);
  const inCpp = (name: string) => name.replace(/^get(.)/, (_, first: string) => first.toLowerCase()).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(header.sort()).toEqual(declared.map(inCpp).sort());
});

test('P-29 the reference has every method of nodes, ports and connections, and so have the objects; C++ has those of ports under the same names', async () => {
  const { readFileSync } = await import('node:fs');
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const types = read('dist/extension/types.d.ts'), reference = read('docs/extending.md').split('## Names')[1]!;
  const cpp = read('core/graph/port.h') + read('core/graph/tensor.h');
  const methods = Object.fromEntries(['Node', 'PortData', 'Port', 'InPort', 'OutPort', 'Connection'].map((name) => {
    const [, members] = new RegExp(`export interface ${name} [^{]*\\{\\n([^]*?)\\n\\}`).exec(types)!;
    return [name, [...new Set(Array.from(members!.matchAll(/^ +(\w+)(?:<[^(]*>)?\(/gm), ([, method]) => method!))]];
  }));
  expect(Object.values(methods).map((list) => list.length > 2)).toEqual([true, true, true, true, true, true]);
  for (const method of Object.values(methods).flat()) expect(reference, method).toMatch(new RegExp(`[\`.]${method}[\`(]`));
  const missing = await convertWith({ 'middle/a.js': `import { MiddleReplacementPattern, log } from '@mo/wasm/extension';
    export class A extends MiddleReplacementPattern { findAndReplacePattern(graph) {
      const Node = graph.node['relu'], OutPort = Node.outPort(0), InPort = Node.inPort(0), Connection = InPort.getConnection();
      const objects = { Node, PortData: InPort.data, Port: OutPort, InPort, OutPort, Connection };
      log.warn('A=' + JSON.stringify(Object.entries(${JSON.stringify(methods)}).flatMap(([name, list]) => list.filter((method) => typeof objects[name][method] !== 'function'))));
    } }` });
  expect(reports(missing, 'A')).toEqual([[]]);
  const inCpp = (method: string) => method.replace(/^get(?=[A-Z])/, '').replace(/^(add)?Tensor(N)ames$/, (_, add: string) => (add ? 'addName' : 'names')).replace(/[A-Z]/g, (letter, at: number) => `${at ? '_' : ''}${letter.toLowerCase()}`);
  for (const name of ['Port', 'InPort', 'OutPort', 'Connection'])
    for (const method of methods[name]!) expect(cpp, method).toMatch(new RegExp(`\\b${inCpp(method)}\\b`));
});

test('A-34 P-16 P-19 C-10 of the four operations an input is free, and ports are the same from both ends', async () => {
  const all = await seenInAll((graph) => {
    const [op1, op2, op3, op4] = ['op1', 'op2', 'op3', 'op4'].map((name) => graph.node[name]!);
    return [
      op1!.inPort(2).getConnection(), op1!.isInPortConnected(2),
      op2!.inPort(0).getSource() === op1!.outPort(1), op4!.inPort(1).getSource() === op1!.outPort(1), op3!.inPort(0).getSource() === op1!.outPort(1),
      op1!.outPort(1).getConnection()!.getDestinations().map(({ node, index }) => [node.name, index]),
    ];
  }, fourOperations, theFour);
  expect(all).toEqual(Array(3).fill([null, false, true, true, false, [['op2', 0], ['op4', 1]]]));
});

test('A-34 P-27 C-06 C-09 C-10 the worked examples change the links of the four operations as documented, in every phase', async () => {
  const all = await seenInAll((graph) => {
    const [op1, op3, op4] = ['op1', 'op3', 'op4'].map((name) => graph.node[name]!);
    const links = () => ['op1', 'op2', 'op3', 'op4'].map((name) => [...graph.node[name]!.inPorts().values()].map((port) => {
      const source = port.getSource();
      return source && `${source.node.name}.${source.index}`;
    }));
    const steps = [links()];
    op4!.inPort(1).disconnect();
    op3!.outPort(0).connect(op4!.inPort(1));
    steps.push(links());
    const connection = op3!.outPort(0).getConnection()!;
    const covered = connection.getDestinations().map(({ node, index }) => [node.name, index]);
    connection.setSource(op1!.outPort(0));
    return [...steps, covered, links()];
  }, fourOperations, theFour);
  const others = [['x.0', 'x.0', null], ['op1.1'], ['op1.0']];
  expect(all).toEqual(Array(3).fill([
    [...others, ['op3.0', 'op1.1']],
    [...others, ['op3.0', 'op3.0']],
    [['op4', 0], ['op4', 1]],
    [...others, ['op1.0', 'op1.0']],
  ]));
});

test('G-04 G-13 the attributes are all that is known of an operation: a graph made from them alone gives the same IR', async () => {
  const again: Files = { 'front/again.js': transformation('front', (graph) => {
    const nodes = graph.nodes();
    const edges = nodes.flatMap((node) => graph.inEdges(node).map(({ from, attributes }) => [from.id, node.id, attributes] as const));
    const dumps = nodes.map((node) => ({
      id: node.id, name: node.name, op: node.get('op'), ports: [[...node.inPorts().keys()], [...node.outPorts().keys()]] as const,
      attributes: node.attributeNames().map((name) => [name, node.get(name)] as const), names: [...node.outPorts().values()].map((port) => port.getTensorNames()),
    }));
    graph.removeNodes(nodes);
    for (const { id, name, op, ports, attributes, names } of dumps) {
      const made = graph.addNode(`${id}/again`, { op: op!, name });
      for (const index of ports[0]) made.addInputPort(index);
      for (const index of ports[1]) made.addOutputPort(index).addTensorNames(names[index]!);
      for (const [key, value] of attributes) made.set(key, value!);
    }
    for (const [from, to, { in: input, out }] of edges) graph.node[`${from}/again`]!.outPort(out).connect(graph.node[`${to}/again`]!.inPort(input));
    return [nodes.length - graph.nodes().length, dumps.map(({ attributes }) => attributes.length).reduce((a, b) => a + b), graph.nodes().some(({ pb }) => pb)];
  }, 'Again') };
  for (const model of [fiveOperations, withConst, diamond]) {
    const outcome = await convertWith(again, model);
    expect(reports(outcome, 'Again')[0]).toEqual([0, expect.any(Number), false]);
    expect((reports(outcome, 'Again')[0] as number[])[1]).toBeGreaterThan(1);
    expect(outcome.xml).toBe((await convertWith({}, model)).xml);
  }
});

test('G-04 G-13 attributeNames() names what get() reads', async () => {
  const body = (graph: any) => {
    const node = graph.node.op2 ?? graph.node.op3;
    node.set('mine', 1);
    node.set('method', () => 1);
    node.delete('mine');
    const [tensor] = graph.nodes().filter(({ kind }: any) => kind === 'data');
    return [node.attributeNames().includes('axis'), node.attributeNames().includes('mine'), node.attributeNames().includes('method'),
      node.attributeNames().every((name: string) => node.has(name)), tensor?.attributeNames() ?? []];
  };
  expect(await seen('front', body, fiveOperations)).toEqual([true, false, true, true, []]);
  expect((await seen('middle', body, fiveOperations))[4]).toEqual(['shape', 'value', 'data_type']);
});
