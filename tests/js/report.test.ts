/** The trace of a conversion, and the report that is made of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert } from '@mo/wasm';
import { keyOf, makeReport, Replay, reportHtml, Times, type ConversionReport, type Trace } from '@mo/wasm/report';
import { beforeAll, describe, expect, it } from 'vitest';

import { convNet, longNet } from './models.js';
import { BOOL, writeOnnx, type Model as OnnxModel } from './onnx_writer.js';
import { modelFolder, runNative, runNode, temporaryFolder } from './support.js';

const models = modelFolder();
const model = join(models, 'conv.onnx');

async function traced(source: string | Uint8Array): Promise<{ trace: Trace; report: ConversionReport; xml: string }> {
  const times = new Times();
  const { trace: text, report: result, warnings, xml, bin } = await convert(source, { trace: true }, { onProgress: times.note });
  await bin.close();
  const trace = JSON.parse(text) as Trace;
  return { trace, xml, report: makeReport({ trace, result, messages: warnings, times: times.finish() }) };
}

describe('the trace', () => {
  it('is the same from the native command, the package\'s command and the library', async () => {
    const [native, node] = [runNative, runNode].map((run) => {
      const folder = temporaryFolder();
      expect(run([model, '--trace', '--compress_to_fp16=False', '-o', folder], '.').code).toBe(0);
      return readFileSync(join(folder, 'conv.trace.json'), 'utf8');
    });
    expect(node).toBe(native);
    const { trace, bin } = await convert(model, { trace: true });
    await bin.close();
    expect(trace).toBe(native);
  });

  it('is empty unless asked for, and changes nothing in the IR', async () => {
    const without = await convert(convNet);
    expect(without.trace).toBe('');
    expect((await convert(convNet, { trace: true })).xml).toBe(without.xml);
  });

  it('can be replayed to any step', async () => {
    const { trace, xml } = await traced(model);
    const first = [...new Replay(trace).applyUntil(1).nodes.values()];
    expect(first.map(({ op }) => op).sort()).toEqual(['BatchNormalization', 'Const', 'Const', 'Const', 'Const', 'Const', 'Conv', 'Parameter', 'Relu', 'Result']);
    const replay = new Replay(trace).applyUntil(trace.steps.length);
    const names = trace.steps.at(-1)!.layers!.map(([graph, id, layer]) => [layer, replay.nodes.get(keyOf(graph, id))!.name]);
    expect(names).toEqual([...xml.matchAll(/<layer id="(\d+)" name="([^"]*)"/g)].map(([, id, name]) => [Number(id), name]));
    expect(names.length).toBe(replay.nodes.size);
  });

  it('of 100,000 nodes is below 100 MB', async () => {
    const { trace, bin } = await convert(longNet(100_000), { trace: true });
    await bin.close();
    expect(trace.length).toBeLessThan(100_000_000);
    expect(new Replay(JSON.parse(trace) as Trace).applyUntil(1).nodes.size).toBe(100_002);
  }, 60_000);
});

describe('the report of a convolution with a normalisation', () => {
  let report: ConversionReport;
  let trace: Trace;
  beforeAll(async () => void ({ report, trace } = await traced(model)));

  it('has the transformations that changed something, with their nodes', () => {
    expect(report.steps.map(({ phase, transform }) => `${phase}:${transform}`)).toMatchInlineSnapshot(`
      [
        "infer:DecomposeConvolution",
        "infer:DecomposeBatchNormalization",
        "infer:PartialInfer",
        "middle:Fusing",
      ]
    `);
    const fusing = report.steps.find(({ transform }) => transform === 'Fusing')!;
    expect(fusing.before.map(({ op }) => op)).toContain('Mul');
    expect(report.steps.find(({ transform }) => transform === 'DecomposeBatchNormalization')!.before).toMatchObject([{ name: '/norm' }]);
  });

  it('says into what weights were folded', () => {
    const folded = new Map(report.weights.map(({ name, into }) => [name, into.map(({ op, name: into }) => `${op} ${into}`)]));
    expect(Object.fromEntries(folded)).toMatchInlineSnapshot(`
      {
        "bias": [
          "Const /norm/Const_2",
        ],
        "mean": [
          "Const /norm/Const_2",
        ],
        "scale": [
          "Const w_1",
          "Const /norm/Const_2",
        ],
        "variance": [
          "Const w_1",
          "Const /norm/Const_2",
        ],
        "w": [
          "Const w_1",
        ],
      }
    `);
    expect([...folded.keys()].sort()).toEqual(['bias', 'mean', 'scale', 'variance', 'w']);
  });

  it('leads from each node of the model to its layers', () => {
    const layers = (name: string) => report.provenance.find((origin) => origin.name === name)!.layers;
    const replay = new Replay(trace).applyUntil(trace.steps.length);
    const made = (name: string) => layers(name).map(([, layer]) => {
      const [graph, id] = trace.steps.at(-1)!.layers!.find(([, , at]) => at === layer)!;
      return replay.at([graph, id])!.op;
    });
    expect(made('image')).toEqual(['Parameter']);
    expect(made('/conv')).toContain('Convolution');
    expect(made('/relu')).toEqual(['ReLU']);
    expect(made('/norm').length).toBeGreaterThan(0);
    expect(report.provenance.find(({ name }) => name === '/conv')).toMatchObject({ op: 'Conv', offset: expect.any(Number) });
  });

  it('has the names of inputs, outputs and tensors', () => {
    expect(report.names).toMatchObject({ inputs: [{ from: 'image', to: 'image' }], outputs: [{ from: 'result', to: 'result' }] });
    expect(report.names.tensorsKept + report.names.tensorsGone.length).toBe(9);
  });

  it('has times', () => {
    expect(report.times[0]).toMatchObject({ phase: 'load' });
    expect(report.times.every(({ milliseconds }) => milliseconds >= 0)).toBe(true);
    const phases = [...new Set(report.times.map(({ phase }) => phase))];
    expect(phases).toEqual(expect.arrayContaining(['load', 'extract', 'front', 'infer', 'middle', 'back', 'emit']));
  });
});

describe('the report of conditions', () => {
  const branch = (name: string, nodes: OnnxModel['nodes']): OnnxModel => ({ nodes, weights: [], inputs: [], outputs: [{ name, shape: [2, 3] }] });
  const choose = (name: string, output: string, then: OnnxModel, otherwise: OnnxModel) =>
    ({ op: 'If', name, inputs: ['flag'], outputs: [output], attributes: { then_branch: then, else_branch: otherwise } });
  const act = (op: string, name: string, output: string) => branch(output, [{ op, name, inputs: ['x'], outputs: [output] }]);
  const flag = { name: 'flag', shape: [], type: BOOL };
  const net = (nodes: OnnxModel['nodes']) => writeOnnx({ nodes, weights: [], inputs: [{ name: 'x', shape: [2, 3] }, flag], outputs: [{ name: 'y', shape: [2, 3] }] });
  /** The provenance of the nodes in bodies: their names, and the graphs and operations of their layers. */
  const found = ({ trace, report }: { trace: Trace; report: ConversionReport }) => {
    const replay = new Replay(trace).applyUntil(trace.steps.length);
    const nodes = new Map(trace.steps.at(-1)!.layers!.map(([graph, id, layer]) => [keyOf(graph, layer), replay.at([graph, id])!]));
    return report.provenance.filter(({ graph, op }) => graph !== '' && op !== 'Parameter' && op !== 'Result')
      .map(({ name, layers }) => [name, ...layers.map(([graph, layer]) => `${graph}: ${nodes.get(keyOf(graph, layer))!.op}`)]);
  };

  it('leads from the nodes of branches to their layers', async () => {
    const result = await traced(net([choose('/choose', 'y', act('Relu', '/then/act', 'a'), act('Sigmoid', '/else/act', 'b'))]));
    expect(found(result)).toEqual([['/then/act', '2.then_graph: ReLU'], ['/else/act', '2.else_graph: Sigmoid']]);
  });

  it('also where branches are alike, and where one is in the other', async () => {
    const alike = await traced(net([choose('/choose', 'y', act('Relu', '/act', 'a'), act('Relu', '/act', 'a'))]));
    expect(found(alike)).toEqual([['/act', '2.then_graph: ReLU'], ['/act', '2.else_graph: ReLU']]);
    const inner = branch('a', [choose('/inner', 'a', act('Relu', '/inner/then', 'c'), act('Tanh', '/inner/else', 'd'))]);
    const nested = await traced(net([choose('/choose', 'y', inner, act('Sigmoid', '/else/act', 'b'))]));
    expect(found(nested)).toEqual([
      ['/inner', '2.then_graph: If'], ['/inner/then', '2.then_graph/0.then_graph: ReLU'], ['/inner/else', '2.then_graph/0.else_graph: Tanh'],
      ['/else/act', '2.else_graph: Sigmoid'],
    ]);
  });
});

describe('the page of a report', () => {
  it('runs nothing and loads nothing, whatever the model is called', async () => {
    const name = '<script>alert(1)</script>"\'&';
    const { report } = await traced(writeOnnx({
      nodes: [{ op: 'Relu', name, inputs: [name], outputs: ['y'] }],
      weights: [],
      inputs: [{ name, shape: [2] }],
      outputs: [{ name: 'y', shape: [2] }],
    }));
    const html = reportHtml(report);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
    expect(html).not.toMatch(/<script|\bon\w+=|\b(src|href)=/);
  });

  it('is what the command writes', () => {
    const folder = temporaryFolder();
    const { code, stderr } = runNode([model, '--report', 'out.html', '--compress_to_fp16=False'], folder);
    expect([code, stderr]).toEqual([0, '']);
    const html = readFileSync(join(folder, 'out.html'), 'utf8');
    for (const word of ['DecomposeBatchNormalization', 'Fusing', 'conv.bin', 'SHA-256', '<details>']) expect(html).toContain(word);
  });

  it('is JSON where the file is', () => {
    const folder = temporaryFolder();
    expect(runNode([model, '--report', 'out.json'], folder).code).toBe(0);
    const report = JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8')) as ConversionReport;
    expect(report.files).toMatchObject([{ name: 'conv.xml', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }, { name: 'conv.bin' }]);
    expect(report.options).toMatchObject({ compress_to_fp16: 'True' });
  });
});
