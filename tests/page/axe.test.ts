/** What axe finds on the page, in each of its states. */
import { describe, expect, it } from 'vitest';

import { violations } from './axe_support.js';
import { choose, openOptions, page, shown, usePage, weightsAs } from './support.js';

usePage();

describe.each(['light', 'dark'] as const)('axe finds nothing (%s)', (colorScheme) => {
  it.each([1280, 360])('on the page, %i pixels wide', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found: Record<string, string[]> = { empty: await violations() };
    await openOptions();
    found['options'] = await violations();
    await choose('long.onnx');
    await shown('working');
    found['working'] = await violations();
    // It may have ended in the meantime.
    await page.keyboard.press('Escape');
    await choose('conv.onnx');
    await page.locator('#done-title', { hasText: 'conv.onnx' }).waitFor();
    found['done'] = await violations();
    await page.getByRole('button', { name: 'View graph' }).click();
    await page.locator('.graph-list [role=option]').nth(1).click();
    found['graph'] = await violations();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Show report' }).click();
    await page.getByRole('dialog').waitFor();
    found['report'] = await violations();
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      const now = performance.now.bind(performance);
      performance.now = () => 20 * now();
    });
    await page.click('#again');
    await shown('done');
    await page.locator('#options .panel-body').evaluate((body: HTMLDetailsElement) => (body.open = true));
    await weightsAs('fp32');
    await page.locator('#done .stale').waitFor();
    found['made with other options'] = await violations();
    await weightsAs('fp16');
    await choose('unknown.onnx');
    await shown('failed');
    found['failed'] = await violations();
    await choose('conv.onnx', 'unknown.onnx');
    await expect.poll(() => page.locator('#models .model-state').allTextContents()).toEqual(['Converted', expect.stringContaining('Not converted')]);
    found['several'] = await violations();
    await page.check('#look');
    await choose('conv.onnx');
    await shown('ready');
    await page.locator('#card').getByLabel('Shape').fill('[1,3');
    await page.locator('#card .messages').waitFor();
    found['ready'] = await violations();
    await page.locator('#cut-outputs').click();
    await page.locator('#card .place-list:visible [role=option]').first().waitFor();
    await page.keyboard.press('ArrowDown');
    found['places'] = await violations();
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      const notice = document.getElementById('update')!;
      const reload = Object.assign(document.createElement('button'), { type: 'button', className: 'button quiet', textContent: 'Reload' });
      notice.append(Object.assign(document.createElement('span'), { textContent: 'A new version is ready.' }), reload);
      notice.hidden = false;
    });
    found['new version'] = await violations();
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((state) => [state, []])));
  });

  it('in Chinese', async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.selectOption('#language', 'zh-Hans');
    await page.waitForFunction(() => document.documentElement.lang === 'zh-Hans');
    const found: Record<string, string[]> = { empty: await violations() };
    await choose('conv.onnx');
    await shown('done');
    found['done'] = await violations();
    await choose('unknown.onnx');
    await shown('failed');
    found['failed'] = await violations();
    expect(found).toEqual({ empty: [], done: [], failed: [] });
  });

  it('while files are dragged over the page', async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'model.onnx'));
      document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }));
    });
    await page.locator('#overlay').waitFor({ state: 'visible' });
    expect(await violations()).toEqual([]);
  });

  it('but what is wrong', async () => {
    await page.evaluate(() => document.querySelector('main')!.append(document.createElement('button')));
    expect(await violations()).toEqual([expect.stringContaining('button-name')]);
  });
});
