/** Runs the user's extensions when the core calls them. Nothing is thrown from here into the core. */
import type { ExtensionHost, ExtractorRecord, Failure, OpRecord, TransformRecord } from './core-table.js';
import { runTransformation, settled, type Methods } from './drivers.js';
import { describe } from './failure.js';
import { graphAt } from './graph.js';
import type { ModelNode } from './node.js';
import { FRAMEWORKS } from './modules.js';
import { setClasses } from './op-classes.js';
import { irAttributes } from './ir-attributes.js';
import type { RegisteredExtractor, RegisteredOp, RegisteredTransformation, Registration } from './register.js';

export class UserExtensions implements ExtensionHost {
  readonly ops: readonly OpRecord[];
  readonly extractors: readonly ExtractorRecord[];
  readonly transforms: readonly TransformRecord[];
  readonly #ops: readonly RegisteredOp[];
  /** Extractors, and operations that are their own extractor. */
  readonly #extractors: readonly (RegisteredExtractor | RegisteredOp)[];
  readonly #transformations: readonly RegisteredTransformation[];
  readonly #instances = new Map<number, Methods>();

  constructor({ ops, extractors, transformations }: Registration) {
    this.#ops = ops;
    this.#transformations = transformations;
    const own = ops.filter((op) => op.class.enabled === true);
    this.#extractors = [...extractors, ...own.flatMap((op) => FRAMEWORKS.map((framework) => ({ ...op, framework })))];
    this.ops = ops.map(opRecord);
    this.extractors = this.#extractors.map((entry) => ({ name: entry.className, op: String(entry.class.op), framework: entry.framework }));
    this.transforms = transformations.map(transformRecord);
    setClasses(ops.map((op) => op.class));
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

  extractorEnabled(extractor: number): boolean {
    return this.#extractors[extractor]!.class.enabled !== false;
  }

  extract(extractor: number, g: number, n: number): boolean | Failure {
    const entry = this.#extractors[extractor]!;
    let extracted = true;
    const failure = this.#node(entry, 'extract', g, n, (node) => {
      if (!('extract' in entry.class)) return entry.class.updateNodeStat(node);
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
    const entry = this.#transformations[transform]!;
    try {
      return (entry.class.graphCondition ?? []).every((holds) => holds(graphAt(g)));
    } catch (error) {
      return describe(error, entry, 'graphCondition');
    }
  }

  run(transform: number, g: number): Failure | null {
    const entry = this.#transformations[transform]!;
    try {
      const instance = this.#instances.get(transform) ?? (new entry.class() as Methods);
      this.#instances.set(transform, instance);
      if ('replacementId' in entry.class) return null;
      runTransformation(graphAt(g), instance, entry.class.op);
      return null;
    } catch (error) {
      return describe(error, entry, 'run');
    }
  }

  #node(entry: RegisteredOp | RegisteredExtractor, method: string, g: number, n: number, action: (node: ModelNode) => void): Failure | null {
    try {
      action(graphAt(g).nodeAt(n));
      return null;
    } catch (error) {
      return describe(error, entry, method, nodeName(g, n));
    }
  }
}

function nodeName(g: number, n: number): string {
  try {
    return graphAt(g).nodeAt(n).name;
  } catch {
    return '';
  }
}

function opRecord({ class: op }: RegisteredOp): OpRecord {
  return {
    op: op.op!,
    type: op.type ?? '',
    version: op.version ?? 'experimental',
    infers: typeof op.infer === 'function',
    infersTypes: typeof op.typeInfer === 'function',
    layout: Object.entries(op.layout ?? {}),
  };
}

function transformRecord({ class: transformation, className, fullName, framework, folder }: RegisteredTransformation): TransformRecord {
  const names = (given: readonly (string | Function)[] = []) => given.map((one) => (typeof one === 'function' ? one.name : String(one)));
  return {
    name: className,
    fullName,
    framework,
    phase: folder as TransformRecord['phase'],
    id: transformation.id ?? '',
    runAfter: names(transformation.runAfter),
    runBefore: names(transformation.runBefore),
    runNotRecursively: transformation.runNotRecursively ?? false,
    forceCleanUp: transformation.forceCleanUp ?? false,
    forceShapeInference: transformation.forceShapeInference ?? false,
  };
}
