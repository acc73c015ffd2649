/** How soon the page answers. These tests run while nothing else does. Times are divided by slowness(). */
import { describe, expect, it } from 'vitest';

import { choose, page, shown, usePage } from '../page/support.js';
import { slowness } from './slowness.js';

usePage();

describe('Cancel', () => {
  // Another process may take the time of one round.
  it('ends the worker within 100 ms, and the next conversion starts at once', { retry: 3 }, async () => {
    await choose('long.onnx');
    await page.locator('#working').waitFor({ state: 'visible' });
    await expect.poll(() => page.locator('#phase').textContent()).not.toBe('Starting');
    const [worker] = page.workers();
    const gone = new Promise((resolve) => worker!.once('close', resolve));
    const clicked = await page.evaluate(() => {
      document.getElementById('cancel')!.click();
      return Date.now();
    });
    await gone;
    const waited = Date.now() - clicked;
    expect(waited / slowness()).toBeLessThan(100);
    await shown('empty');
    await choose('conv.onnx');
    await shown('done');
  });

  it('the next run starts within 200 ms', async () => {
    const marks = (name: string) => page.evaluate((name) => performance.getEntriesByName(name).map(({ startTime }) => startTime), name);
    const rounds = 5;
    await choose('long.onnx');
    for (let round = 1; round <= rounds; round++) {
      await expect.poll(async () => (await marks('mo-progress')).length, { timeout: 20_000 }).toBe(round);
      await expect.poll(() => page.workers().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
      // The user cancels, and begins again at once.
      await page.evaluate(() => {
        document.getElementById('cancel')!.click();
        document.getElementById('again')!.click();
      });
    }
    await expect.poll(async () => (await marks('mo-progress')).length, { timeout: 20_000 }).toBe(rounds + 1);
    const begun = (await marks('mo-begin')).slice(1);
    const progress = (await marks('mo-progress')).slice(1);
    expect(begun.length).toBe(rounds);
    const waits = progress.map((time, index) => time - begun[index]!);
    // The median: the machine may be busy with something else during one of them.
    expect(waits.sort((a, b) => a - b)[2]! / slowness(), `${waits.map(Math.round)} ms`).toBeLessThan(200);
  });
});
