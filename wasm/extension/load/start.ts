/** Turns the texts of extensions into the functions that the core calls. */
import * as api from '../api.js';
import { attach } from '../core/bridge.js';
import type { CoreTable, ExtensionCallbacks } from '../core/core-table.js';
import { setWatcher, type Watcher } from '../core/failure.js';
import { setLog, type Show } from '../core/log.js';
import { UserExtensions } from './callbacks.js';
import type { LoadWarning } from './register.js';
import { dataUrl, loadExtensions, type ExtensionRoot, type ToUrl, type TypeScript } from './loader.js';

export { LoadingError } from './loading-error.js';

/** Loads the extensions. From then on the extension code of this thread works with `core`. */
export async function load(
  core: CoreTable,
  roots: readonly ExtensionRoot[],
  typeScript: TypeScript,
  show: Show = () => {},
  toUrl: ToUrl = dataUrl,
  watcher?: Watcher,
): Promise<{ callbacks: ExtensionCallbacks; warnings: readonly LoadWarning[] }> {
  attach(core);
  setLog(show);
  setWatcher(watcher);
  const registration = await loadExtensions(roots, api, toUrl, typeScript);
  return { callbacks: new UserExtensions(registration), warnings: registration.warnings };
}
