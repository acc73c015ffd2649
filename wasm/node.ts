/** `@mo/wasm` in Node: trained-model files in, OpenVINO IR out. */
import type { Controls, Result } from './api.js';
import { BinFile } from './bin-file.js';
import { readExtensions, type Extensions } from './extension-folder.js';
import { Opening } from './opening.js';
import { optionText } from './option-text.js';
import type { Options } from './options.js';
import { mainFile, openSource, type Model } from './source.js';

export type { Controls, Port, Progress, Report, Result } from './api.js';
export { MoError, type Message } from './messages.js';
export type { Dimension, Options, Shapes } from './options.js';
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
  const { size, ...result } = await opening.convert(controls);
  return { ...result, bin: new BinFile(size, opening) };
}
