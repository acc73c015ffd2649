/** A core in which an allocation fails: the one that `left` counts down to. It fails as one does where the memory cannot grow. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import binaryen from 'binaryen';

import { root } from './support.js';

/** The global that counts, by its name among the exports. 0: nothing fails. */
export const LEFT = 'left';

/** The module before its names are removed, with a count in malloc(). */
export function failingCore(): Uint8Array<ArrayBuffer> {
  const module = binaryen.readBinary(readFileSync(join(root, 'build/wasm/core.wasm')));
  const { i32, none } = binaryen;
  const { params, results, vars, body } = binaryen.getFunctionInfo(module.getFunction('malloc'));
  module.addFunction('real_malloc', params, results, vars, body);
  module.removeFunction('malloc');
  module.addGlobal(LEFT, i32, true, module.i32.const(0));
  module.addGlobalExport(LEFT, LEFT);
  const left = () => module.global.get(LEFT, i32);
  module.addFunction('malloc', params, results, [], module.block(null, [
    module.if(left(), module.block(null, [
      module.global.set(LEFT, module.i32.sub(left(), module.i32.const(1))),
      module.if(module.i32.eqz(left()), module.drop(module.call('emscripten_resize_heap', [module.i32.const(-1)], i32))),
    ], none)),
    module.call('real_malloc', [module.local.get(0, i32)], i32),
  ], i32));
  const binary = Uint8Array.from(module.emitBinary());
  module.dispose();
  return binary;
}

/** The text of a module that lets `next.at` be the count of the instances of a core that are made after it. */
export const PATCH = `
const { Instance, instantiate } = WebAssembly;
export const next = { at: 0, counter: undefined };
const note = (made) => {
  if (made.exports?.${LEFT}) {
    next.counter = made.exports.${LEFT};
    next.counter.value = next.at;
  }
  return made;
};
WebAssembly.Instance = function (module, imports) {
  return note(new Instance(module, imports));
};
WebAssembly.instantiate = async (module, imports) => note(await instantiate(module, imports));
`;

/** Numbers from 0 to 1, the same in each run. */
export function* draws(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}
