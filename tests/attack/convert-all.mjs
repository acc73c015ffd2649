// Converts the models of a file, each behind its size; writes the code of each, or "", and the peak of memory. All in this thread, which is
// quickest. Arguments: the file, the name of the models, the options, of which `long` is (name, piece, size) of one that is long.
import { readFileSync } from 'node:fs';
import process from 'node:process';

import { convert, MoError } from '../../dist/library/node/node.js';

const [path, name, given] = process.argv.slice(2);
const all = readFileSync(path);
const { long, ...options } = JSON.parse(given);
if (long) options[long[0]] = long[1].repeat(long[2] / long[1].length);
const codes = [];
for (let at = 0; at < all.length; ) {
  const size = all.readUInt32LE(at);
  const model = all.subarray(at + 4, (at += 4 + size));
  try {
    const { bin } = await convert({ main: { path: name, file: new Uint8Array(model) }, files: [] }, { ...options, worker: false });
    await bin.close();
    codes.push('');
  } catch (error) {
    if (!(error instanceof MoError)) throw error;
    codes.push(error.code);
  }
}
process.stdout.write(JSON.stringify([codes, process.resourceUsage().maxRSS]));
