/** What axe finds on the page. */
import { expect } from 'vitest';

import { inspect } from '../../scripts/axe.mjs';
import { context, page } from './support.js';

/** Rules that are broken, each with the elements. */
export async function violations(): Promise<string[]> {
  const { violations, passes } = await inspect(context, page);
  expect(passes).toBeGreaterThan(10);
  return violations;
}
