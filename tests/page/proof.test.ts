/** What is below a result: the report of the conversion, the check of its numbers, and digests of the files. */
import { createHash } from 'node:crypto';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversionReport } from '@mo/wasm/report';
import { expect, it } from 'vitest';

import { writeOnnx } from '../js/onnx_writer.js';
import { hash, runNative, runNode, temporaryFolder } from '../js/support.js';
import { choose, model, models, openOptions, page, shown, usePage, weightsAs } from './support.js';

usePage();

const press = (name: string) => page.locator('#done').getByRole('button', { name, exact: true }).click();
const digests = () => page.locator('.digests li').evaluateAll((rows) =>
  Object.fromEntries(rows.map((row) => [row.querySelector('.digest-name')!.textContent, row.querySelector('code')?.textContent])));

/** Presses a button and gives what is downloaded then. */
async function download(name: string): Promise<{ name: string; text: string }> {
  const [one] = await Promise.all([page.waitForEvent('download'), press(name)]);
  return { name: one.suggestedFilename(), text: readFileSync(await one.path(), 'utf8') };
}

it('is the report that the command writes, which is saved and shown, with the digests of both files', async () => {
  const folder = temporaryFolder();
  expect(runNode([model('conv.onnx'), '-o', folder, '--report', join(folder, 'r.json')], '.').code).toBe(0);
  await choose('conv.onnx');
  await shown('done');
  const files = Object.fromEntries(['conv.xml', 'conv.bin'].map((name) => [name, hash(readFileSync(join(folder, name)))]));
  await expect.poll(digests).toEqual(files);

  const json = await download('Report (JSON)');
  expect(json.name).toBe('conv.report.json');
  // The command gives its own defaults as options, too.
  const timeless = (text: string) => ({ ...(JSON.parse(text) as ConversionReport), times: [], options: {} });
  expect(timeless(json.text)).toEqual(timeless(readFileSync(join(folder, 'r.json'), 'utf8')));
  const report = JSON.parse(json.text) as ConversionReport;
  expect(report.times.map(({ phase }) => phase)).toEqual(expect.arrayContaining(['load', 'infer', 'middle', 'emit']));
  expect(report.files.map(({ sha256 }) => sha256)).toEqual(Object.values(files));
  const html = await download('Report (HTML)');
  expect(html.name).toBe('conv.report.html');
  expect(html.text).toMatch(/^<!DOCTYPE html>[^]*Fusing[^]*folded into/);

  await page.getByRole('button', { name: 'Show report' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'conv: conversion report' });
  await dialog.waitFor();
  await expect.poll(() => dialog.locator('h2').allTextContents()).toEqual(expect.arrayContaining(['Files', 'Transformations', 'Weights that were folded', 'Names', 'Time']));
  expect(await dialog.locator('summary', { hasText: 'DecomposeBatchNormalization' }).count()).toBe(1);
  expect(await dialog.locator('code', { hasText: files['conv.bin']! }).count()).toBe(1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Show report');
});

it('shows names of a model as they are', async () => {
  const name = '<img src=x onerror=alert(1)>';
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'm.onnx'), writeOnnx({
    nodes: [{ op: 'Relu', name, inputs: [name], outputs: ['y'] }], weights: [], inputs: [{ name, shape: [1] }], outputs: [{ name: 'y', shape: [1] }],
  }));
  await page.setInputFiles('#files', join(folder, 'm.onnx'));
  await shown('done');
  await press('Show report');
  await page.locator('.report-body code', { hasText: name }).first().waitFor();
  expect(await page.locator('.report-body img').count()).toBe(0);
});

it('is the script that the native command writes', async () => {
  const folder = temporaryFolder();
  expect(runNative(['conv.onnx', '-o', folder, '--emit_check'], models).code).toBe(0);
  expect(runNode(['conv.onnx', '-o', folder, '-n', 'node', '--emit_check'], models).code).toBe(0);
  const script = readFileSync(join(folder, 'check_conv.py'), 'utf8');
  expect(readFileSync(join(folder, 'check_node.py'), 'utf8').replace('"name": "node"', '"name": "conv"')).toBe(script);
  await choose('conv.onnx');
  await shown('done');
  expect(await download('Save check_conv.py')).toEqual({ name: 'check_conv.py', text: script });
  expect(await page.locator('#done .download').count()).toBe(2);

  await openOptions();
  await page.check('[name=emit_check]');
  await page.locator('#again').click();
  await page.locator('#done .download', { hasText: 'check_conv.py' }).waitFor();
});

it('can be cancelled while the model is converted once more', async () => {
  await choose('long.onnx');
  await shown('done');
  await press('Show report');
  await page.locator('.proof-status progress').waitFor();
  // The bar moves the button, which a click waits for.
  await page.locator('#done').getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
  await expect.poll(() => page.locator('.proof-status').textContent()).toBe('No report was made.');
  expect(await page.getByRole('dialog').count()).toBe(0);
});

it('hashes a large .bin only when it is asked to', async () => {
  const side = 4608;
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'large.onnx'), writeOnnx({
    nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
    weights: [{ name: 'w', shape: [side, side], file: 'w.bin', offset: 0, size: side * side * 4 }],
    inputs: [{ name: 'x', shape: [1, side] }],
    outputs: [{ name: 'y', shape: [1, side] }],
  }));
  writeFileSync(join(folder, 'w.bin'), '');
  truncateSync(join(folder, 'w.bin'), side * side * 4);
  await weightsAs('fp32');
  await page.setInputFiles('#files', ['large.onnx', 'w.bin'].map((name) => join(folder, name)));
  await shown('done');
  await expect.poll(async () => (await digests())['large.xml']).toMatch(/^[0-9a-f]{64}$/);
  expect((await digests())['large.bin']).toBeUndefined();
  const row = page.locator('.digests li', { hasText: 'large.bin' });
  const compute = row.getByRole('button', { name: 'Compute the SHA-256 of large.bin' });
  await compute.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Compute');
  await compute.click();
  await row.locator('progress').waitFor();
  const zeros = createHash('sha256');
  zeros.update(new Uint8Array(side * side * 4));
  await expect.poll(async () => (await digests())['large.bin'], { timeout: 40_000 }).toBe(zeros.digest('hex'));
});
