/** Runs the user's extensions when the core calls them. Nothing is thrown from here into the core. */
import { configMatch } from '../classes/config-match.js';
import { runTransformation, settled, type Methods } from '../classes/drivers.js';
import { irAttributes, written } from '../classes/ir-attributes.js';
import { MXNetCustomFrontExtractorOp } from '../classes/extractor.js';
import { FrontReplacementFromConfigFileGeneral, FrontReplacementFromConfigFileSubGraph } from '../classes/transformation.js';
import { enter } from '../core/bridge.js';
import type { ExtensionCallbacks, ExtractorRecord, Failure, OpRecord, ShapesRecord, SubgraphRecord, TransformRecord } from '../core/core-table.js';
import { calling, describe, type Origin } from '../core/failure.js';
import { graphAt } from '../graph/graph.js';
import { asNode, type NodeObject } from '../graph/objects.js';
import { setClasses, type AttrRecord } from '../graph/op-classes.js';
import { decodeBounds, encodeBounds } from '../values/shape.js';
import { MoError } from '../core/error.js';
import { FRAMEWORKS } from './modules.js';
import type { RegisteredExtractor, RegisteredOp, RegisteredShapes, RegisteredTransformation, Registration } from './register.js';

/** The origin of functions that belong to a node. */
const OF_NODE: Origin = { className: 'node', file: '' };

export class UserExtensions implements ExtensionCallbacks {
  readonly ops: readonly OpRecord[];
  readonly extractors: readonly ExtractorRecord[];
  readonly transforms: readonly TransformRecord[];
  readonly shapeProviders: readonly ShapesRecord[];
  readonly #shapes: readonly RegisteredShapes[];
  readonly #ops: readonly RegisteredOp[];
  /** Extractors, and operations that are their own extractor. */
  readonly #extractors: readonly (RegisteredExtractor | RegisteredOp)[];
  readonly #transformations: readonly RegisteredTransformation[];
  readonly #instances = new Map<number, Methods>();

  constructor({ ops, extractors, transformations, shapes }: Registration) {
    this.#shapes = shapes;
    this.shapeProviders = shapes.map(({ framework }) => ({ framework }));
    this.#ops = ops;
    this.#transformations = transformations;
    const own = ops.filter((op) => op.class.enabled === true);
    this.#extractors = [...extractors, ...own.flatMap((op) => FRAMEWORKS.map((framework) => ({ ...op, framework })))];
    this.ops = ops.map(opRecord);
    this.extractors = this.#extractors.map((entry) => ({ name: entry.className, file: entry.file, op: String(entry.class.op), framework: entry.framework }));
    this.transforms = transformations.map(transformRecord);
    setClasses(ops.map((op) => op.class));
  }

  shapes(provider: number, g: number, n: number, inputs: readonly (readonly number[] | null)[]): readonly (readonly number[] | null)[] | Failure {
    let found: (number[] | null)[] = [];
    const failure = this.#node(this.#shapes[provider]!, 'shapes', g, n, (node) => {
      const given = this.#shapes[provider]!.class(node.pb!, inputs.map((bounds) => bounds && decodeBounds(bounds, bounds.length / 2)));
      settled(given);
      if (!Array.isArray(given)) throw new MoError('a CaffeShapeProvider returns a list with a shape for each output', { node });
      found = given.map(encodeBounds);
    });
    return failure ?? found;
  }

  infer(op: number, g: number, n: number): Failure | null {
    return this.#node(this.#ops[op]!, 'infer', g, n, (node) => settled(this.#ops[op]!.class.infer!(node)));
  }

  typeInfer(op: number, g: number, n: number): Failure | null {
    return this.#node(this.#ops[op]!, 'typeInfer', g, n, (node) => settled(this.#ops[op]!.class.typeInfer!(node)));
  }

  irAttributes(op: number, g: number, n: number): readonly (readonly [name: string, value: string])[] | Failure {
    let written: [string, string][] = [];
    return this.#node(this.#ops[op]!, 'backendAttrs', g, n, (node) => (written = irAttributes(this.#ops[op]!.class, node))) ?? written;
  }

  inferOwn(g: number, n: number): Failure | null {
    return this.#node(OF_NODE, 'infer', g, n, (node) => settled((node.own('infer') as (node: NodeObject) => unknown)(node)));
  }

  typeInferOwn(g: number, n: number): Failure | null {
    return this.#node(OF_NODE, 'type_infer', g, n, (node) => settled((node.own('type_infer') as (node: NodeObject) => unknown)(node)));
  }

  irAttributesOwn(g: number, n: number): readonly (readonly [name: string, value: string])[] | Failure {
    let attributes: [string, string][] = [];
    return this.#node(OF_NODE, 'IE', g, n, (node) => (attributes = written(node.own('IE') as readonly AttrRecord[], node))) ?? attributes;
  }

  extractorEnabled(extractor: number): boolean {
    return this.#extractors[extractor]!.class.enabled !== false;
  }

  extract(extractor: number, g: number, n: number): boolean | Failure {
    const entry = this.#extractors[extractor]!;
    let extracted = true;
    const failure = this.#node(entry, 'extract', g, n, (node) => {
      if (!('extract' in entry.class)) return entry.class.updateNodeStat(node);
      // The op_type of a custom operation may be the name of another operator.
      if (entry.class.prototype instanceof MXNetCustomFrontExtractorOp && node.pb?.domain !== 'Custom') return void (extracted = false);
      const result: unknown = entry.class.extract(node);
      settled(result);
      extracted = Boolean(result);
    });
    return failure ?? extracted;
  }

  transformEnabled(transform: number): boolean {
    return this.#transformations[transform]!.class.enabled !== false;
  }

  graphCondition(transform: number, g: number): boolean | Failure {
    let all = true;
    const failure = this.#transformation(transform, 'graphCondition', (_instance, entry) => {
      all = (entry.class.graphCondition ?? []).every((holds) => holds(graphAt(g)));
    });
    return failure ?? all;
  }

  run(transform: number, g: number): Failure | null {
    return this.#transformation(transform, 'run', (instance, entry) => runTransformation(graphAt(g), instance, entry.class.op));
  }

  transformGraph(transform: number, g: number, customAttributes: string): Failure | null {
    return this.#transformation(transform, 'transformGraph', (instance) =>
      settled(instance.transformGraph!(graphAt(g), JSON.parse(customAttributes) as Record<string, unknown>)));
  }

  replaceSubGraph(transform: number, g: number, match: SubgraphRecord): Failure | null {
    return this.#transformation(transform, 'replaceSubGraph', (instance) =>
      settled(instance.replaceSubGraph!(graphAt(g), configMatch(graphAt(g), match))));
  }

  generateSubGraph(transform: number, g: number, match: SubgraphRecord): readonly (readonly [alias: string, n: number])[] | Failure {
    let made: [string, number][] = [];
    const failure = this.#transformation(transform, 'generateSubGraph', (instance) => {
      const replacement = instance.generateSubGraph!(graphAt(g), configMatch(graphAt(g), match));
      settled(replacement);
      made = Object.entries(replacement).map(([alias, node]) => [alias, asNode(node).number]);
    });
    return failure ?? made;
  }

  #transformation(transform: number, method: string, action: (instance: Methods, entry: RegisteredTransformation) => void): Failure | null {
    const entry = this.#transformations[transform]!;
    return this.#call(entry, method, () => '', () => {
      const instance = this.#instances.get(transform) ?? (new entry.class() as Methods);
      this.#instances.set(transform, instance);
      action(instance, entry);
    });
  }

  #node(entry: Origin, method: string, g: number, n: number, action: (node: NodeObject) => void): Failure | null {
    return this.#call(entry, method, () => nodeName(g, n), () => action(graphAt(g).nodeAt(n)));
  }

  #call(entry: Origin, method: string, node: () => string, action: () => void): Failure | null {
    enter();
    return calling(entry, method, () => {
      try {
        action();
        return null;
      } catch (error) {
        return describe(error, entry, method, node());
      }
    });
  }
}

function nodeName(g: number, n: number): string {
  try {
    return graphAt(g).nodeAt(n).name;
  } catch {
    return '';
  }
}

function opRecord({ class: op, className, file }: RegisteredOp): OpRecord {
  return {
    name: className,
    file,
    op: op.op!,
    type: op.type ?? '',
    version: op.version ?? 'experimental',
    infers: typeof op.infer === 'function',
    infersTypes: typeof op.typeInfer === 'function',
    layout: Object.entries(op.layout ?? {}),
  };
}

function transformRecord({ class: transformation, className, file, framework, folder }: RegisteredTransformation): TransformRecord {
  const extend = (base: Function) => transformation.prototype instanceof base;
  const names = (given: readonly (string | Function)[] = []) => given.map((one) => (typeof one === 'function' ? one.name : String(one)));
  return {
    name: className,
    file,
    framework,
    phase: folder as TransformRecord['phase'],
    kind: extend(FrontReplacementFromConfigFileGeneral) ? 'general' : extend(FrontReplacementFromConfigFileSubGraph) ? 'subgraph' : 'plain',
    replacementId: transformation.replacementId ?? '',
    generates: !('replaceSubGraph' in transformation.prototype),
    id: transformation.id ?? '',
    runAfter: names(transformation.runAfter),
    runBefore: names(transformation.runBefore),
    runNotRecursively: transformation.runNotRecursively ?? false,
    forceCleanUp: transformation.forceCleanUp ?? false,
    forceShapeInference: transformation.forceShapeInference ?? false,
  };
}
