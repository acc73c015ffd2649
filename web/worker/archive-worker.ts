/** Lists an archive for the page, which would stand still meanwhile. */
import { numbersOf, Window, type LeftOutRow, type ListReply, type ListRequest, type PackedRow, type StoredRow } from '../archive/listing.js';
import { byPath, insidePath, isLitter, keyOf } from '../archive/paths.js';
import { tarRows } from '../archive/tar-rows.js';
import { directoryOf, zipRows } from '../archive/zip-rows.js';

const scope = self as unknown as DedicatedWorkerGlobalScope;

/** No model has more files. */
const MOST_FILES = 100_000;
/** Files that cannot be read are named, but not all of very many. */
const MOST_NAMED = 100;
const ROWS_AT_ONCE = 1000;
const TOLD_EACH = 2000;

const reply = (message: ListReply): void => scope.postMessage(message);

scope.addEventListener('message', ({ data }: MessageEvent<ListRequest>) => {
  try {
    list(data);
  } catch (error) {
    reply({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
  }
});

/** Of files with the same path the last one counts. */
function list({ archive, kind }: ListRequest): void {
  const file = new Window(archive);
  const directory = kind === 'zip' ? directoryOf(file) : undefined;
  const files = new Map<string, StoredRow | PackedRow>();
  const leftOut: LeftOutRow[] = [];
  let count = 0;
  for (const row of directory ? zipRows(file, directory) : tarRows(file)) {
    if (isLitter(row.path)) continue;
    if (++count > MOST_FILES) throw new Error('it has more than 100,000 files');
    if (count % TOLD_EACH === 0) reply({ kind: 'found', count });
    const inside = insidePath(row.path);
    if (inside === undefined) leftOut.push({ path: row.path, reason: 'its path leads out of the archive' });
    else if ('reason' in row) leftOut.push(row);
    else files.set(inside, inside === row.path ? row : { ...row, path: inside });
  }
  const rows = sorted([...files.values()]);
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    const numbers = numbersOf(some);
    scope.postMessage({ kind: 'rows', paths: some.map(({ path }) => path).join('\0'), numbers } satisfies ListReply, [numbers.buffer]);
  }
  reply({ kind: 'end', begin: directory?.begin ?? 0, directory: directory?.at ?? 0, leftOut: leftOut.length, named: leftOut.slice(0, MOST_NAMED) });
}

/** First by keys, which takes little time: then most are in their order already. */
function sorted<Row extends { readonly path: string }>(rows: readonly Row[]): Row[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row.path) })).sort(({ key: a }, { key: b }) => (a < b ? -1 : a > b ? 1 : 0));
  return keyed.map(({ row }) => row).sort(byPath);
}
