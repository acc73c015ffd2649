import { describe, expect, it } from 'vitest';
import { Meter } from '../../wasm/library/shared/meter.js';
import type { Progress } from '../../wasm/library/shared/api.js';

const SIZE = 200_000;
const FILES = { open: () => 7, list: () => [], size: () => SIZE, read: () => undefined };

describe('the progress', () => {
  const last = (work: (files: ReturnType<Meter['watch']>, meter: Meter) => void): Progress => {
    let seen: Progress | undefined;
    const meter = new Meter((progress) => (seen = progress));
    const files = meter.watch(FILES);
    files.open('model');
    work(files, meter);
    meter.step('emit', '', 0, 0); // is sent at once, with what is counted until now
    return seen!;
  };

  it('counts what is read again once', () => {
    const { bytes, totalBytes } = last((files) => {
      for (const offset of [0, 0, 70_000, 140_000, 199_000]) files.read(7, offset, new Uint8Array(1000));
      for (let offset = 0; offset < SIZE; offset += 50_000) files.read(7, offset, new Uint8Array(50_000));
    });
    expect([bytes, totalBytes]).toEqual([SIZE, SIZE]);
  });

  it('counts a part that is not read yet as not read', () => {
    expect(last((files) => files.read(7, 190_000, new Uint8Array(1000))).bytes).toBeLessThan(SIZE / 2);
  });

  it('does not count what is read to be written as written', () => {
    const { bytes, totalBytes } = last((files, meter) => {
      meter.step('write', '', 0, 0);
      meter.write(500, 1000);
      files.read(7, 0, new Uint8Array(SIZE));
    });
    expect([bytes, totalBytes]).toEqual([500, 1000]);
  });
});
