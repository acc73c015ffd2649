/** --compare: two IRs of the command line, instead of models. */
import { dirname, resolve } from 'node:path';

import { NO_SUCH_MODEL } from '../../shared/codes.js';
import type { CommandLine, ComparedIrs, Core } from '../../shared/core.js';
import { msg } from '../../shared/msg.js';
import { jsonOf } from '../../shared/printable.js';
import { stateOf } from '../archive/archive.js';
import { FsFiles } from '../fs-files.js';
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

const binOf = (xml: string): string => `${xml.replace(/\.xml$/, '')}.bin`;

function comparePaths(core: Core, a: string, b: string, contents: boolean): ComparedIrs {
  const missing = [a, b].filter((path) => !stateOf(path))
    .map((path) => ({ ...core.hostMessage(NO_SUCH_MODEL, msg`The "${path}" is not existing file or directory`, ''), file: path }));
  if (missing.length > 0) return { text: '', facts: '{}', messages: missing, readable: false, same: false };
  const [inA, inB] = [resolve(a), resolve(b)];
  const files = new FsFiles(dirname(inA));
  const compared = core.compareIrs(files, { name: inA, shown: a }, { name: inB, shown: b }, contents);
  files.close();
  // Messages name files as the user does.
  const given = new Map([[inB, b], [binOf(inB), binOf(b)], [inA, a], [binOf(inA), binOf(a)]]);
  return { ...compared, messages: compared.messages.map((message) => ({ ...message, file: given.get(message.file) ?? message.file })) };
}
