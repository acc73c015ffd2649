/**
 * A network of Kaldi without weights and names: components, their settings and the sizes of their arrays stay. Arrays are as long as they
 * were, of one number each, so the file is written as it is read, and packed.
 */
import { MoError, type FileWithPath } from '@mo/wasm';
import { msg } from '@mo/wasm/msg';

import type { Anonymous } from '../../report/anonymous.js';
import { UnknownFormat } from '../../report/codes.js';
import { pageMessage } from '../../report/page-message.js';
import { packed } from '../packed.js';
import type { Failed, PackedSkeleton } from '../types.js';
import { binarySkeleton, MARK } from './binary.js';
import { textSkeleton } from './text.js';

/** Where Vosk's folders have the network. */
const IN_FOLDERS = ['am/final.mdl', 'final.mdl'];

/** @throws {MoError} when there is no network. */
export async function kaldiSkeleton({ main, files }: Failed, names: Anonymous): Promise<PackedSkeleton> {
  const found = 'file' in main ? main : IN_FOLDERS.map((path) => files.find((file) => file.path === `${main.path}/${path}`)).find((file) => file !== undefined);
  if (!found || !(await isNetwork(found))) throw new MoError([pageMessage(UnknownFormat, msg`the file is not a network of Kaldi`, 'choose the model file itself')]);
  const file = found.file as Blob;
  const pieces = (await file.slice(0, MARK.length).text()) === MARK ? binarySkeleton(file, names) : textSkeleton(file, names);
  return { name: `skeleton${/\.(?:nnet|mdl|raw)$/i.exec(found.path)?.[0] ?? '.raw'}`, packed: await packed(pieces) };
}

async function isNetwork({ file }: FileWithPath): Promise<boolean> {
  return /^(?:\0B)?\s*<\w/.test(await (file as Blob).slice(0, 64).text());
}
