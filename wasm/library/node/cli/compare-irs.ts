/** --compare: two IRs of the command line, instead of models. */
import { dirname, resolve } from 'node:path';

import type { CommandLine, ComparedIrs, Core } from '../../shared/core.js';
import { jsonOf } from '../../shared/printable.js';
import { stateOf } from '../archive/archive.js';
import { FsFiles } from '../fs-files.js';
import { noSuchModel } from '../no-such-model.js';
import type { Log } from './log.js';
import { say } from './say.js';

/** Prints what differs between the two models of the line, or a line of --json. Returns 0 if they are the same, 1 if not, 2 if one cannot be read. */
export function compareIrs(core: Core, line: CommandLine, log: Log): number {
  const [a, b] = line.models.map(({ path }) => path) as [string, string];
  const { text, facts, messages, readable, same } = comparePaths(core, a, b, line.hash);
  if (line.json) say(core, `${jsonOf({ a, b, ok: readable, ...(JSON.parse(facts) as object), messages })}\n`);
  else say(core, text);
  for (const message of messages) log.show(message);
  log.settle();
  if (!readable) return 2;
  return same ? 0 : 1;
}

function comparePaths(core: Core, a: string, b: string, contents: boolean): ComparedIrs {
  const missing = [a, b].filter((path) => !stateOf(path))
    .map((path) => ({ ...noSuchModel(core, path), file: path }));
  if (missing.length > 0) return { text: '', facts: '{}', messages: missing, readable: false, same: false };
  const [inA, inB] = [resolve(a), resolve(b)];
  const files = new FsFiles(dirname(inA));
  const compared = core.compareIrs(files, { name: inA, shown: a }, { name: inB, shown: b }, contents);
  files.close();
  return compared;
}
