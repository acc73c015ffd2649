/** Headers of tar archives for files that no test has room for. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { headersOf } from '../../web/save/tar.js';
import { temporaryFolder } from '../js/support.js';

it.each([[8 * 2 ** 30 - 1], [8 * 2 ** 30], [20e9]])('say a size of %i bytes as Python reads it', async (size) => {
  const path = join(temporaryFolder(), 'a.tar');
  writeFileSync(path, new Uint8Array(await new Blob(headersOf('größe.bin', size)).arrayBuffer()));
  const script = 'import tarfile,sys; m=tarfile.open(sys.argv[1]).next(); print(m.name, m.size)';
  expect(execFileSync('python3', ['-c', script, path], { encoding: 'utf8' })).toBe(`größe.bin ${size}\n`);
});
