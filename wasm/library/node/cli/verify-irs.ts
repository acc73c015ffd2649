/** --verify: IRs of the command line, instead of models. */
import { basename, dirname, join, resolve } from 'node:path';

import type { CommandLine, Core } from '../../shared/core.js';
import type { Message } from '../../shared/messages.js';
import { jsonOf, printable } from '../../shared/printable.js';
import { stateOf } from '../archive/archive.js';
import { FsFiles } from '../fs-files.js';
import { noSuchModel } from '../no-such-model.js';
import type { Log } from './log.js';
import { say } from './say.js';

/**
 * Prints a line for each IR, or that of --json; findings go to the log. A folder stands for all .xml in it and below. Returns 0 if all are right,
 * 1 for findings, 2 if one cannot be read.
 */
export function verifyIrs(core: Core, line: CommandLine, log: Log): number {
  let code = 0;
  for (const { path } of line.models) for (const ir of irsAt(core, path)) code = Math.max(code, show(core, line, log, ir));
  log.settle();
  return code;
}

/** The paths of the IRs that `path` stands for. */
function irsAt(core: Core, path: string): string[] {
  if (!stateOf(path)?.isDirectory()) return [path];
  const files = new FsFiles(resolve(path));
  const names = core.listIrs(files);
  files.close();
  return names.map((name) => join(path, name));
}

interface Verdict {
  facts?: { layers: number };
  messages: Message[];
}

function verdictAt(core: Core, path: string): Verdict {
  if (!stateOf(path)) return { messages: [{ ...noSuchModel(core, path), file: path }] };
  const absolute = resolve(path);
  const files = new FsFiles(dirname(absolute));
  const { facts, messages } = core.verifyIr(files, basename(absolute), false);
  files.close();
  const read = JSON.parse(facts) as { layers?: number };
  return { messages, ...(read.layers === undefined ? {} : { facts: { ...read, layers: read.layers } }) };
}

function show(core: Core, line: CommandLine, log: Log, path: string): number {
  const { facts, messages } = verdictAt(core, path);
  const wrong = messages.filter(({ severity }) => severity === 'error').length;
  if (line.json) say(core, `${jsonOf({ model: path, ok: wrong === 0, ...facts, messages })}\n`);
  else if (facts) say(core, `${printable(path)}: ${facts.layers} layers, ${wrong === 0 ? 'right' : `${wrong} ${wrong === 1 ? 'finding' : 'findings'}`}\n`);
  for (const message of messages) log.show(message.file === '' ? message : { ...message, file: path });
  if (!facts) return 2;
  return wrong > 0 ? 1 : 0;
}
