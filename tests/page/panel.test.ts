/** The panel of the options: its groups, what stays in sight, and where it stands on a phone. */
import { expect, it } from 'vitest';

import { choose, page, shown, usePage } from './support.js';

usePage();

const openGroups = () => page.locator('#options .group[open]').evaluateAll((groups) => groups.map((group) => (group as HTMLElement).dataset['group']));
const top = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
const inView = (selector: string) => page.locator(selector).evaluate((element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
});

it('an error opens the group of its field, and no other', async () => {
  await choose('conv.onnx');
  await shown('done');
  expect(await openGroups()).toEqual([]);
  await page.locator('.group[data-group=values] summary').click();
  await page.fill('[name=scale]', 'much');
  await page.locator('.group[data-group=values] summary').click();
  await page.click('#again');
  await shown('failed');
  expect(await openGroups()).toEqual(['values']);
  await choose('dense.onnx');
  await shown('done');
  expect(await openGroups()).toEqual([]);
});

it('the button and the command line stay in sight', async () => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await choose('conv.onnx');
  await shown('done');
  for (const group of await page.locator('#options .group summary').all()) await group.click();
  for (const at of [0, 400, 100_000]) {
    await page.evaluate((at) => scrollTo(0, at), at);
    for (const selector of ['#again', '#command-mo']) expect(await inView(selector), `${selector} at ${at}`).toBe(true);
  }
});

it('on a phone the options come before the result, closed', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await choose('conv.onnx');
  await shown('done');
  expect(await top('#options')).toBeLessThan(await top('#done'));
  expect(await inView('#done .save-buttons .primary')).toBe(true);
  expect(await page.locator('#options .panel-body').evaluate((body: HTMLDetailsElement) => body.open)).toBe(false);
  expect(await page.locator('#options').evaluate((form) => form.getBoundingClientRect().height)).toBeLessThan(160);
  await page.locator('#options .panel-body > summary').click();
  await page.fill('[name=input_shape]', '[2,3,32,32]');
  await expect.poll(() => page.locator('#done table').first().innerText()).toContain('[2,3,32,32]');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => page.locator('main > #options').count()).toBe(1);
});
