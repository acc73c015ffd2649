import type { Message } from '@mo/wasm';

const MISSING_DATA_FILE = 'MO1006';

/** The side files that a failed conversion needs. */
export function missingFiles(messages: readonly Message[]): string[] {
  return [...new Set(messages.filter(({ code }) => code === MISSING_DATA_FILE).map(({ file }) => file))];
}
