/** Collects the user's operations, extractors and transformations from the exports of modules. */
import { CaffePythonFrontExtractorOp, FrontExtractorOp, MXNetCustomFrontExtractorOp } from '../classes/extractor.js';
import { Op } from '../classes/op.js';
import {
  BackReplacementPattern, FrontReplacementFromConfigFileGeneral, FrontReplacementFromConfigFileSubGraph, FrontReplacementOp,
  FrontReplacementPattern, FrontReplacementSubgraph, MiddleReplacementPattern, Transformation,
} from '../classes/transformation.js';
import type { OpClass } from '../graph/op-classes.js';
import type { CaffeShapeProvider, Graph, Node } from '../types.js';
import { LoadingError } from './loading-error.js';
import { type Folder, type LoadedModule } from './modules.js';

/** A class that extends a base class of transformations: the members that the converter uses. */
export interface TransformationClass {
  new (): object;
  readonly name: string;
  readonly prototype: object;
  readonly op?: string;
  readonly replacementId?: string;
  readonly enabled?: boolean;
  readonly id?: string;
  readonly runNotRecursively?: boolean;
  readonly forceCleanUp?: boolean;
  readonly forceShapeInference?: boolean;
  readonly graphCondition?: readonly ((graph: Graph) => boolean)[];
  readonly runBefore?: readonly (string | Function)[];
  readonly runAfter?: readonly (string | Function)[];
}
export interface ExtractorClass {
  readonly name: string;
  readonly prototype: object;
  readonly op: string;
  enabled: boolean;
  extract(node: Node): boolean;
}

interface Registered<Class> {
  readonly class: Class;
  readonly className: string;
  readonly file: string;
  readonly framework: string;
  readonly folder: Folder;
}
export type RegisteredOp = Registered<OpClass>;
export type RegisteredExtractor = Registered<ExtractorClass>;
export type RegisteredTransformation = Registered<TransformationClass>;
export type RegisteredShapes = Registered<CaffeShapeProvider>;

export interface Registration {
  readonly ops: readonly RegisteredOp[];
  readonly extractors: readonly RegisteredExtractor[];
  readonly transformations: readonly RegisteredTransformation[];
  readonly shapes: readonly RegisteredShapes[];
  readonly warnings: readonly LoadWarning[];
}

const CONFIGURED: readonly Function[] = [FrontReplacementFromConfigFileSubGraph, FrontReplacementFromConfigFileGeneral];
const FRONT: readonly Function[] = [FrontReplacementPattern, FrontReplacementSubgraph, FrontReplacementOp, ...CONFIGURED];
/** Which base classes are allowed in which folder; the folder gives the phase. */
const BASES: Readonly<Record<Folder, readonly Function[]>> = {
  ops: [],
  front: FRONT,
  middle: [MiddleReplacementPattern],
  back: [BackReplacementPattern, MiddleReplacementPattern],
};
const EXTRACTORS: readonly Function[] = [FrontExtractorOp, CaffePythonFrontExtractorOp, MXNetCustomFrontExtractorOp];
const BUILT_IN: ReadonlySet<unknown> = new Set([Op, Transformation, ...EXTRACTORS, ...FRONT, MiddleReplacementPattern, BackReplacementPattern]);

/** What is wrong with a module that is loaded all the same. */
export interface LoadWarning {
  readonly file: string;
  readonly text: string;
}

export function registerModules(modules: readonly LoadedModule[], warnings: readonly LoadWarning[]): Registration {
  const all = new Registry([...warnings]);
  for (const module of modules) if (module.kind) all.add(module);
  all.settleShapes();
  return all;
}

class Registry implements Registration {
  readonly ops: RegisteredOp[] = [];
  readonly extractors: RegisteredExtractor[] = [];
  readonly transformations: RegisteredTransformation[] = [];
  readonly shapes: RegisteredShapes[] = [];
  readonly #functions: RegisteredShapes[] = [];
  readonly #seen = new Set<unknown>();
  readonly #names = new Map<string, Registered<unknown>[]>();

  constructor(readonly warnings: LoadWarning[]) {}

  add(module: LoadedModule): void {
    const file = `${module.root}/${module.path}`;
    const classes = Object.values(module.exports).filter((value): value is Function => typeof value === 'function' && isKnown(value));
    const found = this.#takeShapes(module, file);
    if (classes.length === 0 && !found) this.warnings.push({ file, text: `${file} exports no class that extends a base of "@mo/wasm/extension"` });
    for (const found of classes) {
      if (this.#seen.has(found)) continue;
      this.#seen.add(found);
      this.#register(found, module, file);
    }
  }

  /** Functions in front/caffe/ that may be a CaffeShapeProvider. Returns whether there is one. */
  #takeShapes({ exports, kind, isImported }: LoadedModule, file: string): boolean {
    if (kind!.framework !== 'caffe') return false;
    const functions = Object.entries(exports).filter((one): one is [string, CaffeShapeProvider] => isFunction(one[1]));
    for (const [name, provider] of functions) {
      const entry = { class: provider, className: name, file, folder: kind!.folder, framework: kind!.framework };
      if (name === 'default' || /^caffe_?shape_?provider$/i.test(name)) this.shapes.push(entry);
      else if (!isImported()) this.#functions.push(entry);
    }
    return functions.length > 0;
  }

  /** A provider is called caffeShapeProvider, is the default export, or is the only function that front/caffe/ exports. */
  settleShapes(): void {
    if (this.shapes.length === 0 && this.#functions.length === 1) this.shapes.push(...this.#functions);
    const [first, second] = this.shapes;
    if (second) throw new LoadingError(`two shape providers for Caffe: in ${first!.file} and in ${second.file}`, second.file, 'leave one');
  }

  #register(found: Function, { path, kind }: LoadedModule, file: string): void {
    if (found.name === '' || found.name === 'default')
      Object.defineProperty(found, 'name', { value: path.replace(/^.*\//, '').replace(/\.m?[jt]s$/, '') });
    const className = found.name;
    const { folder, framework } = kind!;
    const entry = { className, file, folder, framework };
    this.#requireUnique({ ...entry, class: found });
    if (extend(found, [Op])) {
      requireText(found, 'op', entry);
      this.ops.push({ ...entry, class: found as unknown as OpClass });
    } else if (extend(found, EXTRACTORS)) {
      if (!framework)
        throw new LoadingError(`${file}: class ${className} is an extractor: it stands in front/<framework>/`, file);
      requireText(found, 'op', entry);
      this.extractors.push({ ...entry, class: found as unknown as ExtractorClass });
    } else {
      if (!extend(found, BASES[folder])) {
        const what = `class ${className} extends ${baseName(found)}, which does not belong into ${folder}/`;
        throw new LoadingError(`${file}: ${what}`, file);
      }
      if (extend(found, [FrontReplacementOp])) requireText(found, 'op', entry);
      if (extend(found, CONFIGURED)) requireText(found, 'replacementId', entry);
      this.transformations.push({ ...entry, class: found as unknown as TransformationClass });
    }
  }

  /** Transformations are identified by name; those of different frameworks never run together. */
  #requireUnique(entry: Registered<unknown>): void {
    const others = this.#names.get(entry.className) ?? [];
    const other = others.find(({ framework }) => framework === entry.framework || !framework || !entry.framework);
    if (other)
      throw new LoadingError(`two classes have the name ${entry.className}: in ${other.file} and in ${entry.file}`, entry.file, 'rename one');
    this.#names.set(entry.className, [...others, entry]);
  }
}

function extend(found: Function, bases: readonly Function[]): boolean {
  return bases.some((base) => found.prototype instanceof base);
}

function isKnown(value: Function): boolean {
  return !BUILT_IN.has(value) && extend(value, [Op, Transformation, ...EXTRACTORS]);
}

/** A function, and no class. */
function isFunction(value: unknown): boolean {
  return typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value));
}

function baseName(found: Function): string {
  return (Object.getPrototypeOf(found) as Function).name;
}

function requireText(found: Function, name: 'op' | 'replacementId', { className, file }: { className: string; file: string }): void {
  const value = (found as unknown as Record<string, unknown>)[name];
  if (typeof value !== 'string' || !value)
    throw new LoadingError(`${file}: class ${className} has no static ${name}`, file, `static ${name} = '...'`);
}
