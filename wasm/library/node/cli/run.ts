/** The options, output and exit codes of the native `mo`. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { NO_SUCH_FILE, OUTPUT_DIR_REFUSED } from '../../shared/codes.js';
import { startCore, type CommandLine, type Core } from '../../shared/core.js';
import { loadFor } from '../../shared/extensions.js';
import { messagesOf, MoError } from '../../shared/messages.js';
import { readExtensions, type Extensions } from '../extension-folder.js';
import { conversionOptions } from './conversion-options.js';
import { convertModel } from './convert-model.js';
import { convertInJobs, modelOfThisProcess } from './jobs.js';
import { Log } from './log.js';
import { say } from './say.js';

/** The exit code: 0, 1 if a model cannot be converted, 2 for what is wrong without opening one. */
export async function run(program: string, args: string[]): Promise<number> {
  // A conversion is too short for optimised code: without this, half of the processor's time is spent on compiling it.
  setFlagsFromString('--wasm-tiering-budget=200000000');
  const core = await startCore(new WebAssembly.Module(readFileSync(new URL('../../shared/core.wasm', import.meta.url))));
  const line = core.parseCommandLine(nameOf(program), args);
  if (line.action === 'refused') {
    process.stderr.write(line.text);
    return 2;
  }
  try {
    if (line.action === 'print') say(core, line.text);
    else return await work(core, line);
    return 0;
  } catch (error) {
    for (const message of messagesOf(error)) process.stderr.write(`${core.formatMessage(message)}\n`);
    return 2;
  }
}

async function work(core: Core, line: CommandLine): Promise<number> {
  const log = new Log(core, line, process.env['MO_LOG_PATTERN']);
  checkPaths(core, line);
  const roots = readExtensions(line.extensions as Extensions);
  if (line.action === 'list_transforms') {
    const extensions = await loadFor(core, roots, log.extension);
    const table = core.listTransforms(conversionOptions(line), extensions?.callbacks);
    if (typeof table !== 'string') throw new MoError(table.messages);
    say(core, table);
    return 0;
  }
  const own = modelOfThisProcess(line);
  if (own) return convertModel(core, line, own, roots, log);
  if (!line.json) say(core, line.text);
  if (line.jobs > 1 && line.models.length > 1) return convertInJobs(core, line, log);
  let code = 0;
  for (const model of line.models) code = Math.max(code, await convertModel(core, line, model, roots, log));
  return code;
}

/** What can be seen to be wrong before a model is opened. */
function checkPaths(core: Core, line: CommandLine): void {
  for (const [name, value] of line.options)
    if (line.paths.includes(name) && value !== '' && !existsSync(value))
      throw new MoError([core.hostMessage(NO_SUCH_FILE, `The value for command line parameter "--${name}" must be existing file/directory, but "${value}" does not exist`, '')]);
  if (line.action === 'convert') checkOutputDir(core, line.outputDir);
}

/** The nearest existing ancestor has to be a folder that can be written to. */
function checkOutputDir(core: Core, folder: string): void {
  let there = resolve(folder);
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  const refuse = (detail: string) => new MoError([core.hostMessage(OUTPUT_DIR_REFUSED, detail, '')]);
  if (!statSync(there).isDirectory()) throw refuse(`The "${there}" is not a directory`);
  try {
    accessSync(there, constants.W_OK);
  } catch {
    throw refuse(`The directory "${there}" is not writable`);
  }
}

/** `mo_tf` and the like are programs of their own; however else this file is called, it is `mo`. */
function nameOf(path: string): string {
  const name = basename(path);
  return name.startsWith('mo_') ? name : 'mo';
}
