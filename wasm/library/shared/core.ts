import createCore, { type Core } from './core.mjs';
import { MoError } from './messages.js';

export type * from './core.mjs';

/** Starts a core from its compiled module, which may have been compiled in another thread. */
export function startCore(module: WebAssembly.Module): Promise<Core> {
  return createCore({
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, imports);
      receive(instance, module);
      return instance.exports;
    },
  });
}

/**
 * Bytes of a recipe, as a view of the core's heap, valid until the next call into it.
 *
 * @throws {MoError} when one of their source files cannot be read.
 */
export function recipeBytes(core: Core, id: number, recipe: number, offset: number, size: number): Uint8Array {
  const piece = core.readRecipe(id, recipe, offset, size);
  if (!(piece instanceof Uint8Array)) throw new MoError(piece.messages);
  return piece;
}
