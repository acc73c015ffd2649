import type { Comparison, IrGraph, Verification } from './api.js';
import type { ComparedIrs, Core, HostFiles, Verified } from './core.js';
import { MoError } from './messages.js';
import { PairFiles } from './pair-files.js';

/** As it passes to another thread: bytes do so in no time. */
export interface SentVerification extends Omit<Verification, 'graph'> {
  readonly graph?: Uint8Array<ArrayBuffer>;
}

/** @throws {MoError} when the IR cannot be read. */
export function readVerification({ facts, graph, messages }: Verified): SentVerification {
  if (facts === '{}') throw new MoError(messages);
  const ok = messages.every(({ severity }) => severity !== 'error');
  return { ok, ...(JSON.parse(facts) as Omit<Verification, 'ok' | 'messages' | 'graph'>), messages, ...(graph && { graph }) };
}

export function received({ graph, ...rest }: SentVerification): Verification {
  return graph ? { ...rest, graph: JSON.parse(new TextDecoder().decode(graph)) as IrGraph } : rest;
}

/** An IR among files: the name of its `.xml`. */
export interface OpenIr {
  files: HostFiles;
  main: string;
}

/** @throws {MoError} when one of them cannot be read. */
export function compareOpen(core: Core, a: OpenIr, b: OpenIr, contents: boolean): Comparison {
  const files = new PairFiles(a.files, b.files);
  return readComparison(core.compareIrs(files, { name: `a/${a.main}`, shown: a.main }, { name: `b/${b.main}`, shown: b.main }, contents));
}

function readComparison({ text, facts, messages, readable }: ComparedIrs): Comparison {
  if (!readable) throw new MoError(messages);
  return { ...(JSON.parse(facts) as Omit<Comparison, 'text'>), text };
}
