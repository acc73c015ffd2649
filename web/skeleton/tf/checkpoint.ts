/** The checkpoint of a skeleton, for failures that are about the values of variables: its index with other names, without values. */
import { MoError, type FileWithPath } from '@mo/wasm';

import { pageMessage } from '../../report/page-message.js';
import type { Failed } from '../types.js';
import { Rewriter } from '../rewriter.js';
import { concat, field } from '../wire.js';
import { BundleEntryProto, BundleHeaderProto } from './fields.js';
import type { Names } from './names.js';
import { rewriteShape } from './tensor.js';
import { readTable, writeTable, type Entry } from './table.js';
import { MissingDataFile, SizeOverflow } from '../../report/codes.js';
import { msg } from '@mo/wasm/msg';

const LONGEST = 1 << 26;
const SHARD_OF_VERSION_1 = /^-\d{5}-of-\d{5}$/;
const NO_SHARD = '.data-00000-of-00001';
/**
 * The key of a slice of a variable begins with SLICE. A name follows, in which 0 and 255 have another byte behind them. SLICE and END close
 * it, and the slice follows.
 */
const [SLICE, END] = [0, 1];

/** The files of the checkpoint, by the endings of their names; none if the model came without a checkpoint. */
export async function checkpointOf(failed: Failed, names: Names): Promise<{ ending: string; content: Uint8Array }[]> {
  const { main, files, messages } = failed;
  const prefix = 'file' in main ? main.path.replace(/\.meta$/, '') : `${main.path}/variables/variables`;
  const isIndex = ({ path }: FileWithPath) => path === `${prefix}.index`;
  const index = files.find(isIndex) ?? ('file' in main ? files.find(({ path }) => path.endsWith('.index')) : undefined);
  if (!index) return files.some(({ path }) => path === prefix || (path.startsWith(prefix) && SHARD_OF_VERSION_1.test(path.slice(prefix.length)))) ? [{ ending: '.index', content: writeTable([HEADER]) }] : [];
  const file = index.file as Blob;
  if (file.size > LONGEST) throw new MoError([pageMessage(SizeOverflow, msg`the index of the checkpoint is too large for a skeleton`, 'freeze the model', index.path)]);
  const entries = readTable(new Uint8Array(await file.arrayBuffer()));
  const content = writeTable(await Promise.all(entries.map((entry) => rewritten(entry, names))));
  return [{ ending: '.index', content }, ...(messages.some(({ code }) => code === MissingDataFile) ? [] : [{ ending: NO_SHARD, content: new Uint8Array() }])];
}

const ONE_SHARD = field(BundleHeaderProto.num_shards, 1);
const HEADER: Entry = [new Uint8Array(), ONE_SHARD];

async function rewritten([key, value]: Entry, names: Names): Promise<Entry> {
  const rewriter = new Rewriter(new Blob([value as BlobPart]));
  // The header has an empty key. It says that there is one shard, and the order of bytes.
  if (key.length === 0) return [key, concat([ONE_SHARD, await rewriter.rewrite(rewriter.wire.whole, BundleHeaderProto, { endianness: 'keep' })])];
  return [renamed(key, names), await rewriter.rewrite(rewriter.wire.whole, BundleEntryProto, {
    dtype: 'keep', shape: (shape) => rewriteShape(rewriter, shape), offset: 'keep', size: 'keep', slices: 'keep',
  })];
}

function renamed(key: Uint8Array, names: Names): Uint8Array {
  const rename = (name: Uint8Array) => new TextEncoder().encode(names.name(new TextDecoder().decode(name)));
  if (key[0] !== SLICE) return rename(key);
  const end = key.findIndex((byte, at) => at > 0 && byte === SLICE && key[at + 1] === END);
  return end < 0 ? rename(key.subarray(1)) : concat([key.subarray(0, 1), rename(key.subarray(1, end)), key.subarray(end)]);
}
