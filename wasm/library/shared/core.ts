import createCore, { type Core } from './core.mjs';

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
