// The checksums of all files in a folder, as `sha256sum --check` reads them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const SUMS = 'SHA256SUMS';

export function sums(folder) {
  const files = readdirSync(folder).filter((name) => name !== SUMS).sort();
  return files.map((name) => `${createHash('sha256').update(readFileSync(join(folder, name))).digest('hex')}  ${name}\n`).join('');
}
