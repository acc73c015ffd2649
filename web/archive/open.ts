/** Archives among what the user brought become the files that are in them. */
import type { FileWithPath, Message } from '@mo/wasm';

import type { Brought } from '../bring/brought.js';
import { pageMessage } from '../report/page-message.js';
import { pauses } from '../page/pauses.js';
import { archiveKind, HEAD, type ArchiveKind } from '../../wasm/library/shared/archive/kind.js';
import { archiveError, bounded } from './bounds.js';
import { contentsOf, type Contents } from './contents.js';
import { folderFor, isArchive, isOtherArchive, mayBeArchive } from './names.js';
import { PackedBlob, StoredBlob, type UnpackControls } from './packed.js';
import { spool } from './spool.js';
import { HostReadFailed } from '../report/codes.js';
import { msg, withDetail, type Template } from '@mo/wasm/msg';

export interface OpenControls extends UnpackControls {
  /** Gets the number of files that have been found in an archive up to now. */
  onFound?: (count: number) => void;
}

/**
 * Returns what was brought, with archives replaced by the files in them. An archive in a folder or in an archive stays as it is. The errors
 * name the files that cannot be read. Rejects only when it is aborted.
 */
export async function openArchives({ files, errors, ...rest }: Brought, controls: OpenControls): Promise<Brought> {
  const packed = new Set<FileWithPath>();
  const pause = pauses();
  const opened: Brought = { ...rest, files: [], errors: [...errors], packed };
  for (const { path, file } of files) {
    const outside = !path.includes('/');
    if (outside && isOtherArchive(path)) {
      opened.errors.push(...archiveError(msg`archives of this kind are not known here`, path, 'bring it as .zip, .tar or .tar.gz, or unpack it').messages);
      continue;
    }
    const kind = outside && mayBeArchive(path) ? await kindOf(file) : undefined;
    if (!outside || !(isArchive(path) || kind === 'zip' || kind === 'program')) {
      opened.files.push({ path, file });
      continue;
    }
    try {
      const contents = await open(path, file, controls);
      // A program of PyTorch is a zip, and a model's file itself.
      if (kind === 'program' && contents.files.every(({ file }) => file instanceof StoredBlob || !(file instanceof PackedBlob))) {
        opened.files.push({ path, file });
        continue;
      }
      for (const one of contents.files) {
        opened.files.push(one);
        packed.add(one);
        await pause();
      }
      for (const { path: inner, reason } of contents.named) opened.errors.push(leftOut(`${path}/${inner}`, reason));
      const more = contents.leftOut - contents.named.length;
      if (more > 0) opened.errors.push(...archiveError(msg`${more} more files in it were left out`, path).messages);
      if (contents.files.length + contents.leftOut === 0) opened.errors.push(...archiveError(msg`it is empty`, path, 'bring an archive with a model').messages);
    } catch (error) {
      controls.signal?.throwIfAborted();
      // The core says what is wrong with it.
      if (kind === 'program') {
        opened.files.push({ path, file });
        continue;
      }
      opened.errors.push(...archiveError(error, path).messages);
    }
  }
  return opened;
}

/** By its bytes. */
async function kindOf(file: Blob): Promise<ArchiveKind | undefined> {
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  return archiveKind(head, () => new Uint8Array());
}

async function open(path: string, file: Blob, controls: OpenControls): Promise<Contents> {
  const folder = folderFor(path);
  if (/\.(?:zip|mar|model|pt2)$/i.test(path)) return contentsOf(file, 'zip', path, folder, controls);
  return contentsOf(/\.tar$/i.test(path) ? file : await gunzipped(path, file, controls), 'tar', path, folder, controls);
}

/** The names of files are spread over a whole tar archive, so a compressed one is unpacked as a whole. */
async function gunzipped(path: string, file: Blob, { onBytes, signal }: UnpackControls): Promise<Blob> {
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      onBytes?.(bytes, file.size);
      controller.enqueue(chunk);
    },
  });
  const unpacked = file.stream().pipeThrough(counted).pipeThrough(new DecompressionStream('gzip') as TransformStream<Uint8Array, Uint8Array>);
  return spool(unpacked.pipeThrough(bounded(file.size, path)), path, signal);
}

function leftOut(path: string, reason: Template): Message {
  return pageMessage(HostReadFailed, withDetail('a file in an archive was left out', reason), 'if the model needs it, unpack the archive yourself and drop the folder', path);
}
