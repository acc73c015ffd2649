/** The command `mo` in Node, with the options, output and exit codes of the native one. Extensions run in a worker, which can be ended. */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

import type { Watcher } from '../../../extension/core/failure.js';
import type { ExtensionRoot } from '../../../extension/load/loader.js';
import { CONFIG_UPDATE } from '../../shared/api.js';
import { NO_SUCH_FILE, OUTPUT_DIR_REFUSED, WRITE_FAILED } from '../../shared/codes.js';
import { judged, startCore, type CommandLine, type Core, type ModelArgument } from '../../shared/core.js';
import { loadFor } from '../../shared/extensions.js';
import { lacksMemory, MoError, type Message } from '../../shared/messages.js';
import { msg, type Template } from '../../shared/msg.js';
import { jsonOf } from '../../shared/printable.js';
import { readExtensions, type Extensions } from '../extension-folder.js';
import { removeOnSignals } from '../leftovers.js';
import { CORE_ROOM, leaveRoom, requireRoom } from '../room.js';
import { typeScript } from '../type-script.js';
import { conversionOptions, fileOptions, filesOf } from './conversion-options.js';
import { convertModel } from './convert-model.js';
import { withGivenModels } from './given-models.js';
import { modelOfThisProcess } from './job-variable.js';
import { convertInJobs } from './jobs.js';
import { logOf, type Log } from './log.js';
import { Outcomes } from './outcomes.js';
import { allTold, lineOf, say, tell } from './say.js';

/** Returns the exit code: 0, 1 if a model cannot be converted, 2 for errors found before a model is opened. */
export async function run(program: string, args: string[]): Promise<number> {
  // Most conversions are too short for optimised code: with V8's own number, 1,800,000, half of the processor's time is spent on
  // compiling it. Large graphs and weights that are computed run long enough.
  setFlagsFromString('--wasm-tiering-budget=20000000');
  let module: WebAssembly.Module;
  let core: Core;
  try {
    requireRoom(CORE_ROOM);
    leaveRoom();
    module = new WebAssembly.Module(readFileSync(new URL('../../shared/core.wasm', import.meta.url)));
    core = await startCore(module);
  } catch (error) {
    if (!lacksMemory(error)) throw error;
    return (await import('./again.js')).again();
  }
  const line = withBuiltIn(core, core.parseCommandLine(nameOf(program), args, process.env));
  const { action, text } = line;
  if (action === 'refused') {
    tell(text);
    if (line.json) say(core, jsonOfRefusal(line.messages));
    return 2;
  }
  return orRefusal(core, line.json, async () => {
    if (action === 'convert' || action === 'list_transforms') return start(core, module, line);
    say(core, action === 'help' || action === 'completion' ? await textOf(action, text) : text);
    return 0;
  });
}

/**
 * Returns the exit code of `work`. An error that it throws was found before a model was opened: 2. If output cannot be written, it is at
 * least 1.
 */
export async function orRefusal(core: Core, asJson: boolean, work: () => Promise<number>): Promise<number> {
  try {
    const code = await work();
    return allTold() ? code : Math.max(code, 1);
  } catch (error) {
    const messages = judged(core, error);
    for (const message of messages) tell(`${lineOf(core, message)}\n`);
    if (asJson && !lacksMemory(error)) say(core, jsonOfRefusal(messages));
    return lacksMemory(error) || messages.some(({ code }) => code === `MO${WRITE_FAILED}`) ? 1 : 2;
  }
}

/** The line of --json for a command line, or a file of it, that is refused before a model is opened. */
const jsonOfRefusal = (messages: readonly Message[]): string => `${jsonOf({ ok: false, messages })}\n`;

async function start(core: Core, module: WebAssembly.Module, line: CommandLine): Promise<number> {
  const job = modelOfThisProcess();
  logOf(core, line, job);
  checkPaths(core, line);
  if (line.verify && line.action === 'convert') return (await import('./verify-irs.js')).verifyIrs(core, line, logOf(core, line, job));
  if (line.compare && line.action === 'convert') return (await import('./compare-irs.js')).compareIrs(core, line, logOf(core, line, job));
  const roots = readExtensions(line.extensions as Extensions);
  const isConversion = line.action === 'convert';
  const mine = job ? { ...line, models: [job], text: '' } : isConversion ? withGivenModels(core, line) : line;
  if (!line.json) say(core, mine.text);
  if (roots.length > 0 && (mine.jobs === 1 || mine.models.length < 2)) {
    const { supervise } = await import('./supervise.js');
    return supervise(core, module, mine, roots, job);
  }
  removeOnSignals();
  const log = logOf(core, mine, job);
  if (!isConversion) return carryOut(core, mine, roots, log);
  const outcomes = new Outcomes(core, mine, log);
  if (job) return convertModel(core, mine, job, roots, log);
  if (mine.jobs > 1 && mine.models.length > 1) await convertInJobs(core, mine, log, outcomes);
  else await carryOut(core, mine, roots, log, undefined, (model, code) => outcomes.add(model, code));
  return outcomes.finish();
}

/** Converts or lists. `watcher` sees each call of an extension; `onModel` gets what convertModel() has given for each model. */
export async function carryOut(
  core: Core,
  line: CommandLine,
  roots: readonly ExtensionRoot[],
  log: Log,
  watcher?: Watcher,
  onModel?: (model: ModelArgument, code: number) => void,
): Promise<number> {
  if (line.action === 'list_transforms') {
    const extensions = await loadFor(core, roots, typeScript, log.extension, undefined, watcher);
    const table = core.listTransforms(conversionOptions(core, line), extensions?.callbacks);
    if (typeof table !== 'string') throw new MoError(table.messages);
    say(core, table);
    return 0;
  }
  for (const model of line.models) onModel?.(model, await convertModel(core, line, model, roots, log, watcher));
  return 0;
}

/** A text about the command itself. The build of the package makes these texts. */
async function textOf(action: 'help' | 'completion', which: string): Promise<string> {
  const { brotliDecompressSync } = await import('node:zlib');
  const texts = JSON.parse(brotliDecompressSync(readFileSync(new URL('texts.json.br', import.meta.url))).toString()) as Record<typeof action, Record<string, string>>;
  return texts[action][which]!;
}

const takesConfiguration = (line: CommandLine, name: string): boolean => line.configurations.includes(name) && name !== CONFIG_UPDATE;

/** The name of a built-in configuration is no path, unless there is such a file. */
function withBuiltIn(core: Core, line: CommandLine): CommandLine {
  const isBuiltIn = ([name, value]: readonly [string, string]): boolean => takesConfiguration(line, name) && !existsSync(value) && core.isBuiltInConfig(value);
  const builtIn = line.options.filter(isBuiltIn).map(([name]) => name);
  return builtIn.length === 0 ? line : { ...line, paths: line.paths.filter((name) => !builtIn.includes(name)) };
}

/** Checks the paths that can be checked before a model is opened. */
function checkPaths(core: Core, line: CommandLine): void {
  for (const [name, value] of fileOptions(line))
    if (filesOf(core, name, value).length === 0)
      throw new MoError([{ ...core.hostMessage(NO_SUCH_FILE, notThere(name, value, takesConfiguration(line, name)), ''), option: name, options: [name] }]);
  for (const [name, path] of line.options) if (line.configurations.includes(name)) checkConfig(core, path);
  if (line.action === 'convert' && !line.info && !line.verify && !line.compare) checkOutputDir(core, line.outputDir);
}

function notThere(name: string, value: string, isConfiguration: boolean): Template {
  const missing = msg`The value for command line parameter "--${name}" must be existing file/directory, but "${value}" does not exist`;
  return isConfiguration ? msg`${missing}; --list_configurations shows what is built in` : missing;
}

function checkConfig(core: Core, path: string): void {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return; // The conversion says why it cannot be read.
  }
  const wrong = core.checkConfig(text);
  if (wrong) throw new MoError([{ ...wrong, file: path }]);
}

/** The nearest existing ancestor has to be a folder that can be written to. */
function checkOutputDir(core: Core, folder: string): void {
  let there = resolve(folder);
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  const refuse = (detail: Template) => new MoError([core.hostMessage(OUTPUT_DIR_REFUSED, detail, '')]);
  if (!statSync(there).isDirectory()) throw refuse(msg`The "${there}" is not a directory`);
  try {
    accessSync(there, constants.W_OK);
  } catch {
    throw refuse(msg`The directory "${there}" is not writable`);
  }
}

/** `mo_tf` and the like are programs of their own. Under any other name this file is `mo`. */
function nameOf(path: string): string {
  const name = basename(path);
  return name.startsWith('mo_') ? name : 'mo';
}
