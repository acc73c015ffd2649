/** --info: says what a model of the command line is, and what prevents its conversion. */
import type { Watcher } from '../../../extension/core/failure.js';
import type { ExtensionRoot } from '../../../extension/load/loader.js';
import { isBroken, judged, refuseLack, renew, type CommandLine, type Core, type ModelArgument } from '../../shared/core.js';
import { loadFor } from '../../shared/extensions.js';
import { MoError, type Message } from '../../shared/messages.js';
import { jsonOf } from '../../shared/printable.js';
import { keepOpen } from '../archive/kept.js';
import { NotThere } from '../not-there.js';
import { openModel } from '../open-model.js';
import { typeScript } from '../type-script.js';
import { card, cardLine, isInCard, type Facts } from './card.js';
import { conversionOptions } from './conversion-options.js';
import type { Log } from './log.js';
import { say } from './say.js';
import { spooled } from './spooled.js';

interface Found {
  facts: Facts;
  messages: readonly Message[];
  code: number;
}

/**
 * Prints the card of the model, of several models a line, or the line of --json. Returns 0, 1 for a model that cannot be loaded, 2 for one that
 * cannot be opened.
 */
export async function inspectModel(core: Core, line: CommandLine, model: ModelArgument, roots: readonly ExtensionRoot[], log: Log, watcher?: Watcher): Promise<number> {
  const { facts, messages, code } = await look(core, line, model, roots, log, watcher);
  if (line.json) say(core, `${jsonOf({ model: model.path, ok: facts !== undefined, ...facts, messages })}\n`);
  else if (!log.isAboutOneModel) say(core, cardLine(model.path, facts, messages));
  else if (facts) say(core, card(model.path, facts, messages, line.options.some(([name, value]) => name === 'compress_to_fp16' && value === 'True')));
  if (log.isAboutOneModel) messages.filter((message) => line.json || !facts || !isInCard(message)).forEach((message) => log.show(message));
  log.settle();
  return code;
}

async function look(core: Core, line: CommandLine, model: ModelArgument, roots: readonly ExtensionRoot[], log: Log, watcher?: Watcher): Promise<Found> {
  let spool: ReturnType<typeof spooled> | undefined;
  try {
    if (isBroken(core)) await renew(core);
    spool = model.path === '-' ? spooled(core) : undefined;
    const { files, main, name: found, archive } = spool?.model ?? openModel(core, model.path);
    keepOpen(archive);
    const extensions = await loadFor(core, roots, typeScript, log.extension, undefined, watcher);
    const name = model.isNamed ? model.name : (found ?? model.name);
    const outcome = core.inspect(files, main, [...conversionOptions(core, line), ['model_name', name]], log.progress, extensions?.callbacks, () => undefined);
    if (!outcome.ok) throw new MoError(outcome.messages);
    refuseLack(core);
    core.release(outcome.id);
    files.close();
    const facts = outcome.facts === '{}' ? undefined : (JSON.parse(outcome.facts) as Facts);
    return { facts, messages: [...(extensions?.warnings ?? []), ...outcome.messages], code: facts ? 0 : 1 };
  } catch (error) {
    return { facts: undefined, messages: judged(core, error), code: error instanceof NotThere ? 2 : 1 };
  } finally {
    spool?.remove();
  }
}
