/** Lists an archive for the page, which would stand still meanwhile. */
import { Gathering } from '../../wasm/library/shared/archive/gathering.js';
import { saidOf } from '../../wasm/library/shared/reason.js';
import type { FileRow } from '../../wasm/library/shared/archive/row.js';
import { tarRows } from '../../wasm/library/shared/archive/tar-rows.js';
import { Window } from '../../wasm/library/shared/archive/window.js';
import { directoryOf, storedRow, zipRows } from '../../wasm/library/shared/archive/zip-rows.js';
import { numbersOf, type LeftOutRow, type ListReply, type ListRequest, type PackedRow, type StoredRow } from '../archive/listing.js';
import { byPath, keyOf } from '../archive/paths.js';

const scope = self as unknown as DedicatedWorkerGlobalScope;

/** Files that cannot be read are named, but not all of very many. */
const MOST_NAMED = 100;
const ROWS_AT_ONCE = 1000;
const TOLD_EACH = 2000;

const reply = (message: ListReply): void => scope.postMessage(message);

scope.addEventListener('message', ({ data }: MessageEvent<ListRequest>) => {
  try {
    list(data);
  } catch (error) {
    reply({ kind: 'failed', reason: saidOf(error) });
  }
});

/** Reads without waiting. */
function windowOf(archive: Blob): Window {
  const reader = new FileReaderSync();
  return new Window(archive.size, (at, length) => new Uint8Array(reader.readAsArrayBuffer(archive.slice(at, at + length))));
}

function list({ archive, kind }: ListRequest): void {
  const file = windowOf(archive);
  const directory = kind === 'zip' ? directoryOf(file) : undefined;
  const gathering = new Gathering();
  for (const row of directory ? zipRows(file, directory) : tarRows(file))
    if (gathering.add(row) && gathering.count % TOLD_EACH === 0) reply({ kind: 'found', count: gathering.count });
  const { files, leftOut } = gathering.finish();
  const records = windowOf(archive);
  const rows = sorted(files.flatMap((row) => listed(file, records, row, leftOut)));
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    const numbers = numbersOf(some);
    scope.postMessage({ kind: 'rows', paths: some.map(({ path }) => path).join('\0'), numbers } satisfies ListReply, [numbers.buffer]);
  }
  reply({ kind: 'end', begin: directory?.begin ?? 0, directory: directory?.at ?? 0, leftOut: leftOut.length, named: leftOut.slice(0, MOST_NAMED) });
}

/** Of files that are not compressed the place is needed: where the header contradicts the directory, there is none. */
function listed(file: Window, records: Window, row: FileRow, leftOut: LeftOutRow[]): (StoredRow | PackedRow)[] {
  if (!('packed' in row) || row.isPacked) return [row];
  try {
    return [storedRow(file, row, records)];
  } catch (error) {
    leftOut.push({ path: row.path, reason: saidOf(error) });
    return [];
  }
}

/** First by keys, which takes little time: then most are in their order already. */
function sorted<Row extends { readonly path: string }>(rows: readonly Row[]): Row[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row.path) })).sort(({ key: a }, { key: b }) => (a < b ? -1 : a > b ? 1 : 0));
  return keyed.map(({ row }) => row).sort(byPath);
}
