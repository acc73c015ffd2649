import { getSystemErrorMap } from 'node:util';

import { sentence } from '../shared/messages.js';

/** The system's reason for a refusal, in its own words. */
export function reason(error: unknown): string {
  const known = getSystemErrorMap().get((error as NodeJS.ErrnoException).errno ?? 0)?.[1];
  return known ? known[0]!.toUpperCase() + known.slice(1) : sentence(error);
}
