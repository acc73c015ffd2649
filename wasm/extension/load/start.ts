/** From the text of extensions to what the core calls. */
import * as api from './api.js';
import { attach } from './bridge.js';
import type { CoreTable, ExtensionHost } from './core-table.js';
import { UserExtensions } from './host.js';
import { dataUrl, loadExtensions, type ExtensionRoot, type ToUrl } from './loader.js';
import { setLog } from './log.js';

export { LoadingError } from './loading-error.js';

/** From here on extension code of this thread works with `core`. */
export async function load(
  core: CoreTable,
  roots: readonly ExtensionRoot[],
  show: (level: string, text: string) => void = () => {},
  toUrl: ToUrl = dataUrl,
): Promise<{ host: ExtensionHost; warnings: readonly string[] }> {
  attach(core);
  setLog(show);
  const registration = await loadExtensions(roots, api, toUrl);
  return { host: new UserExtensions(registration), warnings: registration.warnings };
}
