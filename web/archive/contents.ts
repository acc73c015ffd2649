/** What is in an archive, as a worker lists it. */
import type { FileWithPath } from '@mo/wasm';
import text from 'virtual:archive-worker';

import { trustedUrl } from '../page/trusted.js';
import { rowAt, type LeftOutRow, type ListReply, type ListRequest, type PackedRow } from './listing.js';
import { PackedBlob, StoredBlob, type UnpackControls } from './packed.js';
import { inflated, type ZipPlace } from './zip-file.js';
import { msg } from '@mo/wasm/msg';
import { Reason } from '../../wasm/library/shared/reason.js';

/** Files that can be read, and the first of the others with the reason why not; `leftOut` is the number of all of these. */
export interface Contents {
  files: FileWithPath[];
  named: readonly LeftOutRow[];
  leftOut: number;
}

/** `name` is the archive's, and `folder` is put before the paths of its files. Rejects with an error that says why it has no list that can be read. */
export async function contentsOf(archive: Blob, kind: ListRequest['kind'], name: string, folder: string, { signal, onFound }: UnpackControls & { onFound?: (count: number) => void }): Promise<Contents> {
  signal?.throwIfAborted();
  const contents: Contents = { files: [], named: [], leftOut: 0 };
  const place: ZipPlace = { begin: 0, directory: 0 };
  const packed = (row: PackedRow): PackedBlob => new PackedBlob(row.size, (controls) => inflated(archive, place, row, name, controls));
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const worker = new Worker(trustedUrl(url));
  try {
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      worker.addEventListener('error', ({ message }) => reject(new Reason(message ? msg`${message}` : msg`the worker that reads it does not start`)));
      worker.addEventListener('messageerror', () => reject(new Reason(msg`the list of its files cannot be read`)));
      worker.addEventListener('message', ({ data }: MessageEvent<ListReply>) => {
        if (data.kind === 'found') onFound?.(data.count);
        else if (data.kind === 'failed') reject(new Reason(data.reason));
        else if (data.kind === 'rows') {
          for (const [index, path] of data.paths.split('\0').entries()) {
            const row = rowAt(path, data.numbers, index);
            contents.files.push({ path: `${folder}/${path}`, file: 'packed' in row ? packed(row) : new StoredBlob(archive, row.at, row.size) });
          }
        } else {
          Object.assign(place, { begin: data.begin, directory: data.directory });
          Object.assign(contents, { named: data.named, leftOut: data.leftOut });
          resolve();
        }
      });
      worker.postMessage({ archive, kind } satisfies ListRequest);
    });
    return contents;
  } finally {
    worker.terminate();
    URL.revokeObjectURL(url);
  }
}
