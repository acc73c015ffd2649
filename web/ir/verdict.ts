/** What is wrong with an IR, and what it is. */
import { verify, type IrGraph, type Message, type Verification } from '@mo/wasm';

import { withModel } from '../archive/ready.js';
import { baseName, type Chosen } from '../bring/chosen.js';
import { messagesOf } from '../convert/task.js';

/** `found` is there if the IR can be read. */
export interface Verdict {
  readonly found: Verification | undefined;
  readonly messages: readonly Message[];
}

/** What is known once is not looked for again, for an IR to which another one comes. */
const known = new WeakMap<Chosen, Verdict>();

/** What is no IR, or cannot be read, waits for no .bin, and nothing is compared with it. */
export const isUnreadable = (ir: Chosen): boolean => known.get(ir)?.found === undefined && known.has(ir);

export async function verdictOf(ir: Chosen, signal: AbortSignal): Promise<Verdict> {
  const before = known.get(ir);
  if (before) return before;
  const verdict = await found(ir, signal);
  signal.throwIfAborted();
  known.set(ir, verdict);
  return verdict;
}

async function found(ir: Chosen, signal: AbortSignal): Promise<Verdict> {
  try {
    const found = await withModel(ir, { signal }, (model) => verify(model, {}, { signal }));
    return { found, messages: found.messages };
  } catch (error) {
    return { found: undefined, messages: messagesOf(error) };
  }
}

/** The graph of an IR. It is not kept: that of a large one takes hundreds of megabytes. */
export async function graphOf(ir: Chosen, signal: AbortSignal): Promise<IrGraph> {
  const { graph } = await withModel(ir, { signal }, (model) => verify(model, { graph: true }, { signal }));
  return graph!;
}

/** The line of `mo --verify --json`, as an object. */
export function verdictData({ main }: Chosen, { found, messages }: Verdict): object {
  return { model: baseName(main.path), ok: found?.ok ?? false, ...found, messages };
}
