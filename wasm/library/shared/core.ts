import createCore, { type Core, type Failed, type SegmentTable } from './core.mjs';
import { lacksMemory, messagesOf, MoError, outOfMemory, type Message } from './messages.js';

export type * from './core.mjs';

const memories = new WeakMap<Core, WebAssembly.Memory>();
const modules = new WeakMap<Core, WebAssembly.Module>();

/** Starts a core from its compiled module, which may have been compiled in another thread. */
export function startCore(module: WebAssembly.Module): Promise<Core> {
  return startWith(module, (imports, receive) => receive(new WebAssembly.Instance(module, imports)));
}

/** The same for a thread that must not be blocked, as that of a page. */
export function startCoreLater(module: WebAssembly.Module): Promise<Core> {
  return startWith(module, async (imports, receive) => receive(await WebAssembly.instantiate(module, imports)));
}

/** Emscripten's code waits for ever when no instance can be made, so its promise is not the only one. */
function startWith(
  module: WebAssembly.Module,
  make: (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => void | Promise<void>,
): Promise<Core> {
  return new Promise((resolve, reject) => {
    let instance!: WebAssembly.Instance;
    const core = createCore({
      instantiateWasm(imports, receive) {
        const made = new Promise<void>((done) => done(make(imports, (one) => receive((instance = one), module))));
        made.catch(reject);
        return {};
      },
    });
    core.then((started) => resolve(remember(started, module, instance)), reject);
  });
}

/** Those that may be in any state. */
const broken = new WeakSet<Core>();

/** Whether the core must not be used again. */
export function isBroken(core: Core): boolean {
  return core.lacksMemory === true || broken.has(core);
}

/** The messages of an error that came out of work with the core. It is broken if that is none of the product's own errors, or one of memory. */
export function judged(core: Core | undefined, error: unknown): readonly Message[] {
  const lacks = core?.lacksMemory === true || lacksMemory(error);
  if (core && (lacks || !(error instanceof MoError))) broken.add(core);
  return lacks && !lacksMemory(error) ? outOfMemory().messages : messagesOf(error);
}

/**
 * Refuses a result for which memory was missing on the way, whoever has passed over that: an extension for example.
 *
 * @throws {MoError} in that case.
 */
export function refuseLack(core: Core): void {
  if (core.lacksMemory) throw outOfMemory();
}

/** Makes a broken core anew, for all who hold it. Nothing that it has held is there after that. */
export async function renew(core: Core): Promise<void> {
  const module = moduleOf(core);
  // First the old memory is let go: there may be no room for two.
  for (const name of Object.keys(core)) delete (core as unknown as Record<string, unknown>)[name];
  memories.delete(core);
  broken.add(core);
  const fresh = await startCore(module);
  Object.assign(core, fresh);
  memories.set(core, memories.get(fresh)!);
  broken.delete(core);
}

/** The bytes of a core's memory, which never becomes smaller. */
export function heapOf(core: Core): number {
  return memories.get(core)?.buffer.byteLength ?? 0;
}

/** What a core has been started from. */
export function moduleOf(core: Core): WebAssembly.Module {
  return modules.get(core)!;
}

function remember(core: Core, module: WebAssembly.Module, { exports }: WebAssembly.Instance): Core {
  modules.set(core, module);
  const memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
  if (memory) memories.set(core, memory);
  return core;
}

/** The text of the `.xml`, put together from what the core gives. */
export class XmlText {
  text = '';
  readonly #decoder = new TextDecoder();

  readonly add = (piece: Uint8Array): void => {
    this.text += this.#decoder.decode(piece, { stream: true });
  };
}

/** One piece of the `.bin`. */
export type Segment =
  | { kind: 'file'; file: number; offset: number; size: number }
  | { kind: 'bytes'; bytes: Uint8Array; size: number }
  | {
      kind: 'recipe';
      recipe: number;
      size: number;
      /** Bytes to ask it for at a time. */
      piece: number;
      /** Where its elements are if it only stores f32 of a file as f16. */
      compressed: { file: number; offset: number } | undefined;
    };

/** The numbers in a row of a SegmentTable. */
const COLUMNS = 6;

export function segmentsOf({ rows, bytes }: SegmentTable): Segment[] {
  return Array.from({ length: rows.length / COLUMNS }, (_, index) => {
    const cell = (column: number): number => rows[COLUMNS * index + column]!;
    const [kind, size, which, where, file, offset] = [cell(0), cell(1), cell(2), cell(3), cell(4), cell(5)];
    if (kind === 0) return { kind: 'file', file: which, offset: where, size };
    if (kind === 1) return { kind: 'bytes', bytes: bytes[which]!, size };
    return { kind: 'recipe', recipe: which, piece: where, size, compressed: file < 0 ? undefined : { file, offset } };
  });
}

/**
 * Bytes of a recipe, as a view of the core's heap, valid until the next call into it.
 *
 * @throws {MoError} when one of their source files cannot be read.
 */
export function recipeBytes(core: Core, id: number, recipe: number, offset: number, size: number): Uint8Array {
  return succeeded(core.readRecipe(id, recipe, offset, size));
}

/** @throws {MoError} for a failure. */
export function succeeded(piece: Uint8Array | Failed): Uint8Array {
  if (!(piece instanceof Uint8Array)) throw new MoError(piece.messages);
  return piece;
}
