/** `@mo/wasm` in Node: trained-model files in, OpenVINO IR out. */
import { CONFIG_UPDATE, type Controls, type Result } from '../shared/api.js';
import { BinFile } from './bin-file.js';
import { readExtensions, type Extensions } from './extension-folder.js';
import { Opening } from './opening.js';
import { optionText } from '../shared/option-text.js';
import type { Options } from '../shared/options.js';
import { mainFile, openSource, type Model } from './source.js';

export type { Controls, Port, Progress, Report, Result } from '../shared/api.js';
export { MoError, type Message } from '../shared/messages.js';
export type { Dimension, Options, Shapes } from '../shared/options.js';
export type { BinFile, Extensions, Model };

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
  const source = await openSource(model, controls.signal);
  const opening = new Opening(source, optionText(options, mainFile(source)), roots);
  const { size, config, ...result } = await opening.convert(controls);
  return { ...result, bin: new BinFile(size, opening) };
}

/**
 * A transformations configuration with the inputs and outputs that its sub-graphs have in the model.
 *
 * @throws {MoError} when the model or the configuration cannot be read, or do not fit.
 */
export async function updateConfig(model: Model, config: string, controls: Controls = {}): Promise<string> {
  controls.signal?.throwIfAborted();
  const opening = new Opening(await openSource(model, controls.signal), [[CONFIG_UPDATE, config]], []);
  const updated = await opening.convert(controls);
  await opening.close();
  return updated.config;
}
