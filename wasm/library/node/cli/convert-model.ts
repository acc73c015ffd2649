import { dirname, join } from 'node:path';
import process from 'node:process';

import type { Watcher } from '../../../extension/core/failure.js';
import type { ExtensionRoot } from '../../../extension/load/loader.js';
import { CONFIG_UPDATE, type Report } from '../../shared/api.js';
import { isBroken, judged, moduleOf, refuseLack, renew, type CommandLine, type Converted, type Core, type ModelArgument } from '../../shared/core.js';
import { loadFor } from '../../shared/extensions.js';
import { MoError, type Message } from '../../shared/messages.js';
import { jsonOf, printable } from '../../shared/printable.js';
import { isText, textFile } from '../../shared/side-files.js';
import type { FsFiles } from '../fs-files.js';
import { keepOpen } from '../archive/kept.js';
import { NotThere } from '../not-there.js';
import { openModel } from '../open-model.js';
import { Plan } from '../plan.js';
import { SecondThread, WORTH_A_THREAD } from '../second-thread.js';
import { refuseChanged, refuseOwn, Writer, writeText } from '../writer.js';
import { XmlDraft } from '../xml-draft.js';
import { conversionOptions } from './conversion-options.js';
import { irFolder } from './given-models.js';
import { UNCHANGED } from './job-variable.js';
import type { Log } from './log.js';
import { ConversionRecord } from './record.js';
import { isSilent, say } from './say.js';
import { spooled } from './spooled.js';
import { typeScript } from '../type-script.js';

/** The paths of what has been written. */
interface Written {
  skipped?: true;
  xml?: string;
  bin?: string;
  config?: string;
  report?: Report;
}

const COMPRESSED =
  '[ INFO ] Generated IR will be compressed to FP16. If you get lower accuracy, please consider disabling compression explicitly by adding argument --compress_to_fp16=False.\n';

/**
 * Converts a model of the command line, writes the pair and prints its paths, or the line of --json. Returns 0, 1 for a model that
 * cannot be converted, 2 for one that cannot be opened, or UNCHANGED.
 */
export async function convertModel(
  core: Core,
  line: CommandLine,
  model: ModelArgument,
  roots: readonly ExtensionRoot[],
  log: Log,
  watcher?: Watcher,
): Promise<number> {
  if (line.info) return (await import('./inspect-model.js')).inspectModel(core, line, model, roots, log, watcher);
  const messages: Message[] = [];
  const add = (message: Message): void => {
    log.show(message);
    messages.push(message);
  };
  let written: Written;
  try {
    if (isBroken(core)) await renew(core);
    written = await convert(core, line, model, roots, log, add, watcher);
  } catch (error) {
    return failModel(core, line, model, log, error, messages);
  }
  if (line.json) say(core, `${jsonOf({ model: model.path, ok: true, ...written, messages })}\n`);
  return written.skipped ? UNCHANGED : 0;
}

/** Reports that a model has not been converted, after the messages `before`. Returns the exit code. */
export function failModel(core: Core, line: CommandLine, model: ModelArgument, log: Log, error: unknown, before: readonly Message[] = []): number {
  const failed = judged(core, error);
  failed.forEach((message) => log.show(message));
  if (line.json) say(core, `${jsonOf({ model: model.path, ok: false, messages: [...before, ...failed] })}\n`);
  return error instanceof NotThere ? 2 : 1;
}

async function convert(
  core: Core,
  line: CommandLine,
  model: ModelArgument,
  roots: readonly ExtensionRoot[],
  log: Log,
  add: (message: Message) => void,
  watcher?: Watcher,
): Promise<Written> {
  const begin = performance.now();
  const spool = model.path === '-' ? spooled(core) : undefined;
  let draft: XmlDraft | undefined;
  // Several jobs use all processors.
  const second = line.jobs > 1 ? undefined : new SecondThread(moduleOf(core), new URL('../f16-worker.js', import.meta.url));
  try {
    const { files, main, name: found, archive } = spool?.model ?? openModel(core, model.path);
    keepOpen(archive);
    if (!model.isNamed && found !== undefined) model = { ...model, name: found };
    const xml = (draft = new XmlDraft(irFolder(line, model), model.name, line.fsync));
    const path = spool?.path ?? archive?.path ?? model.path;
    const record = line.skipUnchanged ? new ConversionRecord(core, line, model, path, roots) : undefined;
    if (record?.holds()) return skip(core, line, model, record);
    if (isHalf(line) && isLarge(files, main)) second?.start();
    const extensions = await loadFor(core, roots, typeScript, log.extension, undefined, watcher);
    extensions?.warnings.forEach(add);
    const report = line.report === '' ? undefined : new (await import('./report.js')).CommandReport(core, line);
    const options = [...conversionOptions(core, line), ['model_name', model.name] as [string, string]];
    if (report) options.push(['trace', 'True']);
    const outcome = core.convert(files, main, options, report?.progress(log.progress) ?? log.progress, extensions?.callbacks, xml.add);
    if (!outcome.ok) throw new MoError(outcome.messages);
    refuseLack(core);
    outcome.messages.forEach(add);
    log.settle();
    report?.converted(files);
    // No runtime opens an archive: there the script needs a path of the model as argument.
    const shown = archive ? '-' : model.path;
    const written = await write(core, line, { ...model, path: shown }, log, files, outcome, xml, second, () => {
      record?.write(files, main);
      if (line.verbose) sayCost(core, line, begin);
    });
    if (report && written.xml !== undefined && written.bin !== undefined) report.write(outcome, [written.xml, written.bin]);
    // After a single model the command ends, so its graph need not be freed.
    if (line.models.length > 1) core.release(outcome.id);
    return written;
  } finally {
    second?.end();
    try {
      draft?.discard();
    } finally {
      spool?.remove();
    }
  }
}

const valueOf = (line: CommandLine, name: string): string | undefined => line.options.find(([option]) => option === name)?.[1];
const isOn = (line: CommandLine, name: string): boolean => valueOf(line, name) === 'True';
/** Whether weights become f16: weight_format decides, if it is there. */
const isHalf = (line: CommandLine): boolean => (valueOf(line, 'weight_format') ?? (isOn(line, 'compress_to_fp16') ? 'fp16' : '')) === 'fp16';

/** Whether there will be much to write. The size of the model file shows that before the conversion. */
function isLarge(files: FsFiles, main: string): boolean {
  const handle = files.open(main);
  return typeof handle === 'number' && handle >= 0 && files.size(handle) >= WORTH_A_THREAD;
}

function skip(core: Core, line: CommandLine, model: ModelArgument, { xml, bin }: ConversionRecord): Written {
  saySuccess(core, line, `${model.name} is unchanged: ${xml}`);
  return { skipped: true, xml, bin };
}

async function write(core: Core, line: CommandLine, { name, path }: ModelArgument, log: Log, files: FsFiles, outcome: Converted, draft: XmlDraft, second: SecondThread | undefined, onSaved: () => void): Promise<Written> {
  const success = (text: string): void => saySuccess(core, line, text);
  refuseChanged(core, files);
  if (outcome.analysis !== '') {
    say(core, `${outcome.analysis}\n`);
    return {};
  }
  if (outcome.config !== '') {
    const config = valueOf(line, CONFIG_UPDATE)!;
    writeText(core, config, outcome.config, line.fsync);
    success(`The configuration has the model's inputs and outputs now: ${config}`);
    return { config };
  }
  const asked = askedFiles(core, line, name, outcome);
  for (const file of asked) if (file.folderOption === '') refuseOwn(core, files, join(draft.folder, file.name));
  const { xml, bin } = await new Writer(core, files, new Plan(core, files, outcome), second, line.fsync).savePair(draft);
  const events = await writeSideFiles(core, line, path, files, outcome, asked, dirname(xml));
  onSaved();
  if (!line.json && !isSilent(line) && isHalf(line)) log.sayOnce(COMPRESSED);
  success('Generated IR version 11 model.');
  success(`XML file: ${xml}`);
  success(`BIN file: ${bin}`);
  if (events !== undefined) success(`TensorBoard file: ${events}`);
  return { xml, bin, report: JSON.parse(outcome.report) as Report };
}

/** The files that the line asks for beside the pair. A report asks for a trace, which is no file then. */
function askedFiles(core: Core, line: CommandLine, name: string, outcome: Converted): Converted['sideFiles'] {
  const kinds = new Set(core.sideFiles(line.options, name).map(({ kind }) => kind));
  return outcome.sideFiles.filter(({ kind }) => kinds.has(kind));
}

/** Writes them; the pair is in `folder`. Returns the path of that for TensorBoard. */
async function writeSideFiles(core: Core, line: CommandLine, path: string, files: FsFiles, outcome: Converted, asked: Converted['sideFiles'], folder: string): Promise<string | undefined> {
  let events: string | undefined;
  for (const file of asked) {
    if (!isText(file)) {
      const plan = new Plan(core, files, outcome, file.segments);
      const saved = await new Writer(core, files, plan, undefined, line.fsync).saveIn(valueOf(line, file.folderOption) ?? folder, file.name);
      if (file.kind === 'events') events = saved;
    } else {
      writeText(core, join(folder, file.name), textFile(file, path).text, line.fsync);
    }
  }
  return events;
}

function saySuccess(core: Core, line: CommandLine, text: string): void {
  if (!line.json && !isSilent(line)) say(core, `[ SUCCESS ] ${printable(text)}\n`);
}

function sayCost(core: Core, line: CommandLine, begin: number): void {
  saySuccess(core, line, `Total execution time: ${((performance.now() - begin) / 1000).toFixed(2)} seconds. `);
  saySuccess(core, line, `Memory consumed: ${Math.floor(process.resourceUsage().maxRSS / 1024)} MB. `);
}
