import type { Replay } from './replay.js';

/**
 * Operations of frameworks, and the inputs that they add or subtract. A constant there can only become part of another summand, not of a
 * factor.
 */
const SUMMANDS: Readonly<Record<string, readonly number[]>> = {
  Add: [0, 1],
  AddV2: [0, 1],
  Sub: [0, 1],
  Subtract: [0, 1],
  BiasAdd: [1],
  Conv: [2],
  ConvTranspose: [2],
  Gemm: [2],
  BatchNormalization: [2, 3],
  FusedBatchNorm: [2, 3],
  FusedBatchNormV2: [2, 3],
  FusedBatchNormV3: [2, 3],
};

/** Operations that change only the form of a constant. */
const FORMS: ReadonlySet<string> = new Set(['Convert', 'Cast', 'Reshape', 'Unsqueeze', 'Squeeze']);

/** Whether all readers of the constant add or subtract it, in the graph as it is now. */
export function isSummand(replay: Replay, key: string, depth = 0): boolean {
  const readers = [...replay.readers(key)];
  return readers.length > 0 && readers.every((reader) => {
    const { op, source } = replay.nodes.get(reader)!;
    if (FORMS.has(op)) return depth < 2 && isSummand(replay, reader, depth + 1);
    const ports = SUMMANDS[source?.op ?? op] ?? SUMMANDS[op] ?? [];
    return replay.producers(reader, true).every((producer, port) => producer !== key || ports.includes(port));
  });
}
