/** Apart from side-files.ts: who only reads a result does not need the text of the check script. */
import type { ResultFile } from './api.js';

/** The texts of a result by kind; an empty one for a file that was not asked for. */
export function textsOf(files: readonly ResultFile[]): Record<ResultFile['kind'], string> {
  return { mapping: '', check: '', trace: '', ...Object.fromEntries(files.map(({ kind, text }) => [kind, text])) };
}
