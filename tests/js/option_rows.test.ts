/** What the rows of options.def say about forms. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { OPTION_ROWS } from '../../wasm/library/shared/option-rows.js';

it('each option has its part of the page, and each part has a title there', () => {
  const titled = [...readFileSync('web/index.html', 'utf8').matchAll(/<details class="group" data-group="(\w+)">\s*<summary>/g)].map(([, group]) => group);
  const groups = new Set(OPTION_ROWS.map(({ pageGroup }) => pageGroup).filter((group) => group !== ''));
  expect([...groups].sort()).toEqual(titled.sort());
});

it('an option of earlier releases names one of today, as the only ones without a field besides those for programs', () => {
  const today = new Map(OPTION_ROWS.map((row) => [row.name, row]));
  for (const { name, aliasOf, group } of OPTION_ROWS) {
    expect(aliasOf !== '', name).toBe(group === 'Former');
    if (aliasOf !== '') expect(today.get(aliasOf)?.aliasOf, name).toBe('');
  }
  expect(OPTION_ROWS.filter(({ pageGroup }) => pageGroup === '').map(({ name }) => name)).toEqual(['trace', 'weight_sizes']);
});
