import type { Message } from '@mo/wasm';
import { MissingDataFile } from './codes.js';

/** The side files that a failed conversion needs. */
export function missingFiles(messages: readonly Message[]): string[] {
  return [...new Set(messages.filter(({ code }) => code === MissingDataFile).map(({ file }) => file))];
}
