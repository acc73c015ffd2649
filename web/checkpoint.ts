/** The checkpoint that came with a graph: nobody need name it, as the command line does. */
import { OPTION_ROWS, type BrowserOptions } from '@mo/wasm';

import { baseName, folderOf, type Chosen } from './chosen.js';
import type { Given } from './options.js';

const OPTION = 'input_checkpoint';
const GRAPH = /(?:^|\/)(?!saved_model\.)[^/]*\.pb(?:txt)?$/i;
const INDEX = /\.index$/;
/** Of version 1 there is one file. */
const VERSION_1 = /\.ckpt(?:-\d+)?(?:-00000-of-00001)?$/;

/** Its name, relative to the model's folder; undefined where there is none, or which one is meant is not said. */
function checkpointBeside({ main, side }: Chosen): string | undefined {
  if (!('file' in main) || !GRAPH.test(main.path)) return undefined;
  const folder = folderOf(main.path);
  const [found, ...others] = side.map(({ path }) => path).filter((path) => INDEX.test(path) || VERSION_1.test(path));
  if (found === undefined || others.length > 0) return undefined;
  return (found.startsWith(folder) ? found.slice(folder.length) : baseName(found)).replace(INDEX, '');
}

/** The options for a model; what the user has chosen stays. */
export function optionsFor(chosen: Chosen, options: BrowserOptions): BrowserOptions {
  const beside = checkpointBeside(chosen);
  return beside === undefined || options[OPTION] !== undefined ? options : { ...options, [OPTION]: beside };
}

/** The same for the command. */
export function givenFor(chosen: Chosen | undefined, given: readonly Given[]): readonly Given[] {
  const beside = chosen && checkpointBeside(chosen);
  if (beside === undefined || given.some(({ row }) => row.name === OPTION)) return given;
  return [...given, { row: OPTION_ROWS.find(({ name }) => name === OPTION)!, value: beside }];
}
