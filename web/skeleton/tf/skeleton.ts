/**
 * A TensorFlow model without weights and names, in which a failure can be looked for: a graph, a MetaGraph or a SavedModel, binary or as
 * text. Operations, attributes, types and shapes stay. Nodes, functions, signatures and texts have other names, and weights are one half.
 * Variables become constants, as in a frozen graph, except for those whose values the failure is about.
 */
import { MoError } from '@mo/wasm';

import type { Anonymous } from '../../report/anonymous.js';
import { pageMessage } from '../../report/page-message.js';
import type { Failed, Skeleton } from '../types.js';
import { Rewriter } from '../rewriter.js';
import { Wire } from '../wire.js';
import { checkpointOf } from './checkpoint.js';
import { MetaGraphDef, SavedModel } from './fields.js';
import { Graphs } from './graph.js';
import { kindOf, textKindOf, type Kind } from './kind.js';
import { Names } from './names.js';
import { inMetaGraph, MetaGraphs } from './saved.js';
import { readText, writeText } from './text.js';
import { NoVariable, SizeOverflow, UnknownFormat } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

/** The most bytes of a text, which is read as a whole. */
const LONGEST_TEXT = 1 << 25;
const MESSAGES = { graph: 'GraphDef', metaGraph: 'MetaGraphDef', savedModel: 'SavedModel' } as const;

export async function tfSkeleton(failed: Failed, report: Anonymous): Promise<Skeleton> {
  const file = modelFile(failed);
  const text = await textKindOf(file);
  const kind = text ?? (await kindOf(new Wire(file)));
  if (!kind) throw new MoError([pageMessage(UnknownFormat, msg`the file is not a model of TensorFlow`, 'choose the model file itself')]);
  const names = new Names(report);
  const failing = new Set(failed.messages.map(({ node }) => node));
  const binary = text ? new Blob([(await readText(await textOf(file), MESSAGES[text])) as BlobPart]) : file;
  const made = await rewritten(binary, kind, names, failing);
  for (const { node, tensor } of failed.messages) for (const name of [node, tensor]) names.known(name);
  // A graph whose variables came from a checkpoint becomes a MetaGraph, which is read with its checkpoint without an option.
  const hadNone = kind === 'graph' && failed.messages.some(({ code }) => code === NoVariable);
  const isMetaGraph = kind === 'metaGraph' || (kind === 'graph' && (made.frozen || (made.keepsVariables && !hadNone)));
  const content = isMetaGraph && kind === 'graph' ? inMetaGraph(made.content) : made.content;
  const isText = text !== undefined && content === made.content;
  const written = isText ? new TextEncoder().encode(await writeText(content, MESSAGES[kind])) : content;
  const ending = isText ? '.pbtxt' : isMetaGraph ? '.meta' : '.pb';
  const checkpoint = made.keepsVariables && !hadNone ? await checkpointOf(failed, names) : [];
  if (checkpoint.length === 0) return { name: `skeleton${ending}`, content: written };
  const [model, variables] = kind === 'savedModel' ? ['saved_model', 'variables/variables'] : ['skeleton', 'skeleton'];
  return { files: [{ path: model + ending, content: written }, ...checkpoint.map(({ ending, content }) => ({ path: variables + ending, content }))] };
}

async function rewritten(file: Blob, kind: Kind, names: Names, failing: ReadonlySet<string>): Promise<{ content: Uint8Array; frozen: boolean; keepsVariables: boolean }> {
  const rewriter = new Rewriter(file);
  const { wire } = rewriter;
  const graphs = new Graphs(rewriter, names, failing);
  const metaGraphs = new MetaGraphs(rewriter, names, graphs);
  if (kind === 'graph') await graphs.read(wire.whole);
  for (const one of await wire.fields(wire.whole)) {
    if (kind === 'metaGraph' && one.number === MetaGraphDef.graph_def) await graphs.read(one);
    if (kind !== 'savedModel' || one.number !== SavedModel.meta_graphs) continue;
    for (const inner of await wire.fields(one)) if (inner.number === MetaGraphDef.graph_def) await graphs.read(inner);
  }
  const content = kind === 'graph' ? await graphs.rewrite(wire.whole) : kind === 'metaGraph' ? await metaGraphs.metaGraph(wire.whole) : await metaGraphs.savedModel(wire.whole);
  return { content, frozen: graphs.frozen > 0, keepsVariables: graphs.kept > 0 };
}

function modelFile({ main, files }: Failed): Blob {
  if ('file' in main) return main.file as Blob;
  const found = ['.pb', '.pbtxt'].map((ending) => files.find(({ path }) => path === `${main.path}/saved_model${ending}`)).find(Boolean);
  if (!found) throw new MoError([pageMessage(UnknownFormat, msg`the folder has no saved_model.pb`, 'choose the model file itself')]);
  return found.file as Blob;
}

async function textOf(file: Blob): Promise<string> {
  if (file.size > LONGEST_TEXT) throw new MoError([pageMessage(SizeOverflow, msg`the text is too large for a skeleton`, 'write the model as .pb')]);
  return file.text();
}
