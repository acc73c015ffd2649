/** Prepares folders of extensions for a conversion in this thread. */
import type { ExtensionCallbacks } from '../../extension/core/core-table.js';
import type { Watcher } from '../../extension/core/failure.js';
import type { ExtensionRoot, ToUrl, TypeScript } from '../../extension/load/loader.js';
import { EXTENSION_FAILED, EXTENSION_WARNS } from './codes.js';
import type { LogLine } from './api.js';
import type { Core } from './core.js';
import { hintOf, MoError, type Message } from './messages.js';
import { msg } from './msg.js';

export interface LoadedExtensions {
  /** The argument for the core. */
  readonly callbacks: ExtensionCallbacks;
  readonly warnings: readonly Message[];
}

/**
 * Returns undefined if there are no extensions. `typeScript` gives what takes the types out of TypeScript; `show` gets the log lines of
 * extensions below warnings; `toUrl` is a page's way to make a module from a text; `watcher` sees each call.
 *
 * @throws {MoError} when one of them cannot be loaded.
 */
export async function loadFor(
  core: Core,
  roots: readonly ExtensionRoot[],
  typeScript: TypeScript,
  show?: (line: LogLine) => void,
  toUrl?: ToUrl,
  watcher?: Watcher,
): Promise<LoadedExtensions | undefined> {
  if (roots.length === 0) return undefined;
  // Most conversions do not need this module, so it is loaded on demand.
  const { LoadingError, load } = await import('../../extension/load/start.js');
  try {
    const { callbacks, warnings } = await load(core, roots, typeScript, show, toUrl, watcher);
    const warning = ({ file, text }: { file: string; text: string }): Message =>
      ({ ...core.hostMessage(EXTENSION_WARNS, msg`${text}`, file), severity: 'warning' });
    return { callbacks, warnings: warnings.map(warning) };
  } catch (error) {
    if (!(error instanceof LoadingError)) throw error;
    const message = core.hostMessage(EXTENSION_FAILED, msg`${error.message}`, error.file);
    throw new MoError([error.hint ? { ...message, ...hintOf(error.hint) } : message]);
  }
}
