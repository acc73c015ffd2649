/** Archives among what the user brought become the files that are in them. */
import type { FileWithPath, Message } from '@mo/wasm';

import type { Brought } from '../brought.js';
import { pageMessage } from '../page-message.js';
import { archiveError, bounded } from './bounds.js';
import type { Contents } from './contents.js';
import { folderFor, isArchive, isOtherArchive } from './names.js';
import type { UnpackControls } from './packed.js';
import { spool } from './spool.js';
import { tarFiles } from './tar-files.js';
import { zipFiles } from './zip-files.js';

/**
 * Returns what was brought, with archives replaced by the files in them. An archive in a folder or in an archive stays as it is. The errors
 * name the files that cannot be read. Rejects only when it is aborted.
 */
export async function openArchives({ files, errors, ...rest }: Brought, controls: UnpackControls): Promise<Brought> {
  const packed = new Set<FileWithPath>();
  const opened: Brought = { ...rest, files: [], errors: [...errors], packed };
  for (const { path, file } of files) {
    const outside = !path.includes('/');
    if (outside && isOtherArchive(path)) {
      opened.errors.push(...archiveError('archives of this kind are not known here', path, 'bring it as .zip, .tar or .tar.gz, or unpack it').messages);
      continue;
    }
    if (!outside || !isArchive(path)) {
      opened.files.push({ path, file });
      continue;
    }
    try {
      const contents = await open(path, file, controls);
      for (const one of contents.files) {
        opened.files.push(one);
        packed.add(one);
      }
      opened.errors.push(...contents.leftOut.map(({ path: inner, reason }) => leftOut(`${path}/${inner}`, reason)));
      if (contents.files.length + contents.leftOut.length === 0) opened.errors.push(...archiveError('it is empty', path, 'bring an archive with a model').messages);
    } catch (error) {
      controls.signal?.throwIfAborted();
      opened.errors.push(...archiveError(error, path).messages);
    }
  }
  return opened;
}

async function open(path: string, file: Blob, controls: UnpackControls): Promise<Contents> {
  const folder = folderFor(path);
  if (/\.zip$/i.test(path)) return zipFiles(file, path, folder);
  return tarFiles(/\.tar$/i.test(path) ? file : await gunzipped(path, file, controls), folder);
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

function leftOut(path: string, reason: string): Message {
  return pageMessage('MO7001', `a file in an archive was left out: ${reason}`, 'if the model needs it, unpack the archive yourself and drop the folder', path);
}
