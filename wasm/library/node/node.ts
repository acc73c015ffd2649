/** `@mo/wasm` in Node: trained-model files in, OpenVINO IR out. */
import type { ExtensionRoot } from '../../extension/load/loader.js';
import { CONFIG_UPDATE, type Controls, type Inspection, type Result } from '../shared/api.js';
import { optionText, sideFiles } from '../shared/option-text.js';
import type { Options as SharedOptions, SideFile } from '../shared/options.js';
import { BinFile } from './bin-file.js';
import { readExtensions, type Extensions } from './extension-folder.js';
import { Opening } from './opening.js';
import { closeSource, mainFile, openSideFile, openSource, type Model, type Source } from './source.js';

export type { Controls, DeclaredOutput, Inspection, LogLine, Port, Progress, Report, Result } from '../shared/api.js';
export { MoError, type Message } from '../shared/messages.js';
export type { Dimension, Shapes, SideFile } from '../shared/options.js';
export type { BinFile, Extensions, Model };

/** The model and the options. A `file:` URL names a file that is read in place. */
export type Options = SharedOptions<SideFile | URL>;

/**
 * Converts a model in a worker thread, in which extensions run too.
 *
 * @throws {MoError} when the model cannot be converted.
 */
export async function convert(
  model: Model,
  { extensions, ...options }: Options & { extensions?: Extensions } = {},
  controls: Controls = {},
): Promise<Result<BinFile>> {
  controls.signal?.throwIfAborted();
  const roots = readExtensions(extensions);
  const opening = await open(model, options, roots, controls.signal);
  const { size, config, ...result } = await opening.convert(controls);
  return { ...result, bin: new BinFile(size, opening) };
}

/**
 * What a model is, and what is in the way of its conversion: the first steps of convert(), in a worker thread. No shape is inferred and no
 * weight is read.
 *
 * @throws {MoError} when the model cannot be loaded at all, or an option cannot be read.
 */
export async function inspect(
  model: Model,
  { extensions, ...options }: Options & { extensions?: Extensions } = {},
  controls: Controls = {},
): Promise<Inspection> {
  controls.signal?.throwIfAborted();
  const roots = readExtensions(extensions);
  const opening = await open(model, options, roots, controls.signal);
  return opening.inspect(controls);
}

/**
 * A transformations configuration with the inputs and outputs of its sub-graphs in the model.
 *
 * @throws {MoError} when the model or the configuration cannot be read, or do not fit.
 */
export async function updateConfig(model: Model, config: SideFile | URL, controls: Controls = {}): Promise<string> {
  controls.signal?.throwIfAborted();
  const opening = await open(model, { [CONFIG_UPDATE]: config } as Options, [], controls.signal);
  const updated = await opening.convert(controls);
  await opening.close();
  return updated.config;
}

/** Opens the model and the files of options. */
async function open(model: Model, options: Options, extensions: readonly ExtensionRoot[], signal?: AbortSignal): Promise<Opening> {
  const source = await openSource(model, signal);
  const sides: [name: string, source: Source][] = [];
  try {
    for (const [name, file] of sideFiles(options)) sides.push([name, await openSideFile(file, signal)]);
  } catch (error) {
    for (const opened of [source, ...sides.map(([, side]) => side)]) closeSource(opened);
    throw error;
  }
  const paths = new Map(sides.flatMap(([name, side]): [string, string][] => (side.kind === 'path' ? [[name, side.path]] : [])));
  const texts = optionText(options, mainFile(source)).map(([name, value]): [string, string] => [name, paths.get(value) ?? value]);
  return new Opening({ source, sides, options: texts, extensions });
}
