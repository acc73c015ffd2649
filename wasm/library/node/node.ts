/** `@mo/wasm` in Node: trained-model files in, OpenVINO IR out. */
import { resolve } from 'node:path';

import { CONFIG_UPDATE, type CompareOptions, type Comparison, type Controls, type InspectControls, type Inspection, type PlaceNode, type Result, type Verification, type VerifyOptions } from '../shared/api.js';
import { checkedOptions, checkedOwn } from '../shared/given.js';
import { badOption } from '../shared/messages.js';
import type { FoundModels } from '../shared/core.js';
import type { Model, ModelFile } from '../shared/model.js';
import { byName, optionText, sideFiles } from '../shared/option-text.js';
import type { Options as SharedOptions, SideFile } from '../shared/options.js';
import { readPlaces } from '../shared/place-list.js';
import { textsOf } from '../shared/texts-by-kind.js';
import type { Places, ThreadOptions } from '../shared/places.js';
import { typed } from '../shared/typed.js';
import { received } from '../shared/verification.js';
import { BinFile } from './bin-file.js';
import { readExtensions, type Extensions } from './extension-folder.js';
import { Opening } from './opening.js';
import { setPlaces } from './places.js';
import { giveBack, takeSession } from './sessions.js';
import { closeSource, mainFile, openSideFile, openSource, staysHere, type Source } from './source.js';
import { msg } from '../shared/msg.js';

export type {
  CompareOptions, Comparison, Controls, DeclaredOutput, Difference, DifferenceKind, FirstFacts, InspectControls, Inspection, IrGraph, IrNode, LogLine, PlaceNode, Port, Preparation, Progress, Report, Result,
  ResultFile, Verification, VerifyOptions, WeightRow, WeightSizes,
} from '../shared/api.js';
export type { CompanionFiles, FoundModel, FoundModels } from '../shared/core.js';
export { MoError, type Message } from '../shared/messages.js';
export type { Bytes, BytesWithPath, FileWithPath, HostReader, Model, ModelFile, ModelFiles } from '../shared/model.js';
export type { ByName, Dimension, Layouts, Shapes, SideFile, Texts, Values } from '../shared/options.js';
export type { Places, ThreadOptions } from '../shared/places.js';
export type { BinFile, Extensions };

/** The options of the command line. A `file:` URL names a file that is read in place. */
export type Options = SharedOptions<SideFile | URL>;

/** Options of a conversion in Node, in addition to those of the command line. */
export interface NodeOptions extends Options, Places, ThreadOptions {
  extensions?: Extensions | undefined;
}

/**
 * Loads what convert() needs before its first call, so that it starts at once. The places are kept for all conversions from then on.
 *
 * @throws {MoError} when a part cannot be loaded.
 *
 * @example
 * ```js
 * import { prepare } from '@mo/wasm';
 *
 * await prepare(); // when the program starts
 * ```
 */
export async function prepare(places: Places = {}): Promise<void> {
  return typed(undefined, async () => {
    setPlaces(places);
    await giveBack(await takeSession({}));
  });
}

/**
 * Converts a model in a worker thread, in which extensions run too. A path may be that of an archive (`.zip`, `.tar`, `.tar.gz`) with a model in
 * it, or lead into one: `models.zip/a/model.onnx`.
 *
 * @throws {MoError} when the model cannot be converted.
 *
 * @example
 * ```js
 * import { writeFileSync } from 'node:fs';
 * import { convert } from '@mo/wasm';
 *
 * const { xml, bin, report } = await convert('model.onnx', { input_shape: '[1,3,224,224]', compress_to_fp16: true });
 * writeFileSync('model.xml', xml);
 * await bin.writeTo('model.bin');
 * await bin.close();
 * console.log(report.operations);
 * ```
 */
export async function convert(model: Model, options: NodeOptions = {}, given: Controls = {}): Promise<Result<BinFile>> {
  return typed(given, async (controls) => {
    const opening = await open(model, options, controls.signal);
    const { size, config, ...result } = await opening.convert(controls);
    return { ...result, ...textsOf(result.sideFiles), bin: new BinFile(size, opening) };
  });
}

/**
 * What a model is, and what prevents its conversion: the first steps of convert(), in a worker thread. No shape is inferred and no
 * weight is read.
 *
 * @throws {MoError} when the model cannot be loaded at all, or an option cannot be read.
 *
 * @example
 * ```js
 * import { inspect } from '@mo/wasm';
 *
 * const { format, inputs, messages } = await inspect('model.onnx');
 * console.log(format, inputs, messages.map(({ text }) => text));
 * ```
 */
export async function inspect(model: Model, options: NodeOptions = {}, given: InspectControls = {}): Promise<Inspection> {
  return typed(given, async (controls) => (await open(model, options, controls.signal)).look('inspect', controls));
}

/**
 * The nodes at which `input` and `output` can cut a model, in its order: without constants, inputs, and what is in bodies. It takes about half
 * the time of inspect().
 *
 * @throws {MoError} when the model cannot be loaded.
 *
 * @example
 * ```js
 * import { convert, listPlaces } from '@mo/wasm';
 *
 * const places = await listPlaces('model.onnx');
 * await convert('model.onnx', { output: places.at(-2).name }); // without its last operation
 * ```
 */
export async function listPlaces(model: Model, options: NodeOptions = {}, given: Controls = {}): Promise<readonly PlaceNode[]> {
  // Extensions change nothing before the model is loaded.
  return typed(given, async (controls) => readPlaces(await (await open(model, { ...checkedOptions(options), extensions: [] }, controls.signal)).look('places', controls)));
}

/**
 * Which files below a folder, in an archive, or among those given, are models, and which files belong to each of them. Names tell it, and the
 * first bytes of files where names do not. Paths are relative to that of the folder or archive, which is the empty path if it is a model itself.
 *
 * @throws {MoError} when the files cannot be read.
 *
 * @example
 * ```js
 * import { convert, findModels } from '@mo/wasm';
 *
 * const { models } = await findModels('folder');
 * for (const { main } of models) await convert(`folder/${main}`);
 * ```
 */
export async function findModels(where: string | URL | Iterable<ModelFile>, given: Controls = {}): Promise<FoundModels> {
  return typed(given, async (controls) => {
    const isFolder = typeof where === 'string' || where instanceof URL;
    const source = await openSource(isFolder ? where : { main: { path: '' }, files: where }, controls.signal);
    return new Opening({ source, sides: [], options: [], extensions: [] }, staysHere(source)).look('find', controls);
  });
}

/**
 * Verifies an IR: what is wrong with it, and what it is. The `.bin` is looked for beside the `.xml`, or among the files given; only its size is
 * asked for. With `graph` the graph is described, too.
 *
 * @throws {MoError} when it is no IR, or cannot be read.
 *
 * @example
 * ```js
 * import { verify } from '@mo/wasm';
 *
 * const { messages } = await verify('model.xml');
 * for (const { code, node, text } of messages) console.log(code, node, text);
 * ```
 */
export async function verify(ir: Model, options: VerifyOptions & Places & ThreadOptions = {}, given: Controls = {}): Promise<Verification> {
  return typed(given, async (controls) => {
    const { graph, worker = true, ...places } = checkedOwn(options, ['graph']);
    setPlaces(places);
    const source = await openSource(ir, controls.signal);
    const here = !worker || staysHere(source);
    return received(await new Opening({ source, graph: graph === true, sides: [], options: [], extensions: [] }, here).look('verify', controls));
  });
}

/**
 * What differs between two IRs: `mo --compare`. With `hash` the contents of their constants are compared, which reads the `.bin` of both.
 *
 * @throws {MoError} when one of them is no IR, or cannot be read.
 *
 * @example
 * ```js
 * import { compare } from '@mo/wasm';
 *
 * const { differences } = await compare('before.xml', 'after.xml', { hash: true });
 * for (const difference of differences) console.log(difference);
 * ```
 */
export async function compare(a: Model, b: Model, options: CompareOptions & Places & ThreadOptions = {}, given: Controls = {}): Promise<Comparison> {
  return typed(given, async (controls) => {
    const { hash, worker = true, ...places } = checkedOwn(options, ['hash']);
    setPlaces(places);
    const source = await openSource(a, controls.signal);
    const other = await openSource(b, controls.signal).catch((error: unknown) => {
      closeSource(source);
      throw error;
    });
    const here = !worker || staysHere(source) || staysHere(other);
    return new Opening({ source, other, contents: hash === true, sides: [], options: [], extensions: [] }, here).look('compare', controls);
  }, false);
}

/**
 * A transformations configuration with the inputs and outputs of its sub-graphs in the model.
 *
 * @throws {MoError} when the model or the configuration cannot be read, or do not fit.
 *
 * @example
 * ```js
 * import { readFileSync } from 'node:fs';
 * import { updateConfig } from '@mo/wasm';
 *
 * const config = await updateConfig('frozen.pb', readFileSync('support.json', 'utf8'));
 * console.log(config);
 * ```
 */
export async function updateConfig(model: Model, config: SideFile | URL, given: Controls = {}): Promise<string> {
  return typed(given, async (controls) => {
    const opening = await open(model, { [CONFIG_UPDATE]: config } as NodeOptions, controls.signal);
    const updated = await opening.convert(controls);
    await opening.close();
    return updated.config;
  });
}

/** Opens the model and the files of options. */
async function open(model: Model, given: NodeOptions, signal?: AbortSignal): Promise<Opening> {
  signal?.throwIfAborted();
  const { extensions, worker = true, distUrl, wasmUrl, wasmModule, wasmBinary, workerUrl, ...options } = checkedOptions(given);
  setPlaces({ distUrl, wasmUrl, wasmModule, wasmBinary, workerUrl });
  const roots = readExtensions(extensions);
  const source = await openSource(model, signal);
  const sides: [name: string, source: Source][] = [];
  try {
    const here = !worker || staysHere(source);
    if (here && roots.length > 0) throw badOption(msg`extensions need a worker`, 'leave out worker: false, and give the model without a reader');
    const { named, rest } = byName(options, source.kind === 'files' ? source.files : []);
    for (const [name, file] of sideFiles(rest)) sides.push([name, await openSideFile(file, signal)]);
    const paths = new Map(sides.flatMap(([name, side]): [string, string][] => (side.kind === 'path' ? [[name, side.path]] : [])));
    const texts = optionText(rest, mainFile(source)).map(([name, value]): [string, string] => [name, paths.get(value) ?? value]);
    // A text is their path, or their name among the model's files.
    for (const [name, value] of named) texts.push([name, source.kind === 'files' ? value : resolve(value)]);
    return new Opening({ source, sides, options: texts, isNamed: 'model_name' in rest, extensions: roots }, here);
  } catch (error) {
    for (const opened of [source, ...sides.map(([, side]) => side)]) closeSource(opened);
    throw error;
  }
}
