/** Finds the checkpoint that came with a graph, so that the user need not name it as on the command line. */
import { OPTION_ROWS, type BrowserOptions, type Message } from '@mo/wasm';

import { baseName, folderOf, type Chosen } from './chosen.js';
import type { Given } from './options.js';

const OPTION = 'input_checkpoint';
/** A variable has no value. */
const NO_VALUE = 'MO1020';
const GRAPH = /(?:^|\/)(?!saved_model\.)[^/]*\.pb(?:txt)?$/i;
const INDEX = /\.index$/;
/** A checkpoint of version 1 is one file, or several; then the path of the first one means all. */
const VERSION_1 = /\.ckpt(?:-\d+)?(?:-00000-of-\d{5})?$/;

/** The names of the checkpoints that came, relative to the model's folder; undefined if the model is no graph. */
function checkpointsBeside({ main, side }: Chosen): string[] | undefined {
  if (!('file' in main) || !GRAPH.test(main.path)) return undefined;
  const folder = folderOf(main.path);
  const found = side.map(({ path }) => path).filter((path) => INDEX.test(path) || VERSION_1.test(path));
  return found.map((path) => (path.startsWith(folder) ? path.slice(folder.length) : baseName(path)).replace(INDEX, ''));
}

/** The only checkpoint; undefined if there are several, because nothing says which one is meant. */
function checkpointBeside(chosen: Chosen): string | undefined {
  const [found, ...others] = checkpointsBeside(chosen) ?? [];
  return others.length === 0 ? found : undefined;
}

/** Whether the conversion has failed because no checkpoint came with the graph. */
export function lacksCheckpoint(chosen: Chosen | undefined, messages: readonly Message[]): boolean {
  return chosen !== undefined && checkpointsBeside(chosen)?.length === 0 && messages.some(({ code }) => code === NO_VALUE);
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
