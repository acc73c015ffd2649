/**
 * A model of Caffe without weights and names, in which a failure can be looked for: the network, and beside it a .caffemodel with the shapes
 * of the blobs. One of the two alone stays alone.
 */
import { MoError, type FileWithPath } from '@mo/wasm';

import type { Anonymous } from '../../report/anonymous.js';
import { pageMessage } from '../../report/page-message.js';
import type { Failed, Skeleton } from '../types.js';
import { mappingOf } from './mapping.js';
import { Network } from './network.js';
import { readFields, writeFields } from './text.js';
import { Weights } from './weights.js';
import { SizeOverflow, UnknownFormat } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

const NETWORK = /\.(?:prototxt(?:\.txt)?|pt)$/i;
const WEIGHTS = /\.caffemodel$/i;
const MAPPING = /(?:^|\/)CustomLayersMapping\.xml$/;
/** Of texts with these endings, solvers have no layers and no inputs. */
const LAYERS = /(?:^|[^\w])(?:layers?\s*:?\s*[{<]|input\s*:)/;
/** The most bytes of a text, which is read as a whole. */
const LONGEST_TEXT = 1 << 25;

export async function caffeSkeleton(failed: Failed, names: Anonymous): Promise<Skeleton> {
  const { main, files } = failed;
  if (!('file' in main)) throw new MoError([pageMessage(UnknownFormat, msg`the file is not a model of Caffe`, 'choose the model file itself')]);
  const [text, weights] = WEIGHTS.test(main.path) ? [await networkOf(failed, main), main] : [main, weightsOf(main, files)];
  const made: { path: string; content: Uint8Array }[] = [];
  if (text) {
    const network = new Network(names);
    const fields = network.rewrite(readFields(await textOf(text)));
    made.push({ path: 'skeleton.prototxt', content: new TextEncoder().encode(writeFields(fields)) });
    const mapping = files.find(({ path }) => MAPPING.test(path));
    if (mapping) made.push({ path: 'CustomLayersMapping.xml', content: new TextEncoder().encode(mappingOf(await textOf(mapping), network.types)) });
  }
  if (weights) made.push({ path: 'skeleton.caffemodel', content: await new Weights(weights.file as Blob, names).make() });
  return made.length > 1 ? { files: made } : { name: made[0]!.path, content: made[0]!.content };
}

/** The network of weights: one that a message names, one of their name, deploy.prototxt, or the only one. */
async function networkOf({ files, messages }: Failed, weights: FileWithPath): Promise<FileWithPath | undefined> {
  const found: FileWithPath[] = [];
  for (const file of files) if (NETWORK.test(file.path) && LAYERS.test(await (file.file as Blob).slice(0, LONGEST_TEXT).text())) found.push(file);
  const named = new Set(messages.map(({ file }) => file));
  return found.find(({ path }) => named.has(path)) ?? found.find(({ path }) => stemOf(path) === stemOf(weights.path))
    ?? found.find(({ path }) => /(?:^|\/)deploy$/.test(stemOf(path))) ?? (found.length === 1 ? found[0] : undefined);
}

function weightsOf(network: FileWithPath, files: readonly FileWithPath[]): FileWithPath | undefined {
  const found = files.filter(({ path }) => WEIGHTS.test(path));
  return found.find(({ path }) => stemOf(path) === stemOf(network.path)) ?? (found.length === 1 ? found[0] : undefined);
}

const stemOf = (path: string) => path.replace(NETWORK, '').replace(WEIGHTS, '');

async function textOf({ file }: FileWithPath): Promise<string> {
  if (file.size > LONGEST_TEXT) throw new MoError([pageMessage(SizeOverflow, msg`the text is too large for a skeleton`, 'save the weights as a .caffemodel')]);
  return (file as Blob).text();
}
