import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { checkScriptName } from '../../shared/check-script.js';
import type { CommandLine } from '../../shared/core.js';
import { asidePath, draftPath } from '../draft.js';

/** Removes the unfinished files of a model whose conversion was ended from outside. `process` is the id of the process that ended. */
export function removeDrafts({ outputDir }: CommandLine, name: string, process: number): void {
  const path = (ending: string): string => join(outputDir, `${name}.${ending}`);
  const drafts = [...['xml', 'bin', 'mapping', 'mo.json', 'trace.json'].map(path), join(outputDir, checkScriptName(name))].map((file) => draftPath(file, process));
  for (const file of [...drafts, asidePath(path('xml'), process)]) rmSync(file, { force: true });
}
