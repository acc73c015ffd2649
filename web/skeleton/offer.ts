import { offer } from '../save/offer.js';
import { zipOf } from '../save/zip.js';
import type { Skeleton } from './types.js';

/** Saves a skeleton; one that is a folder, as a zip archive. */
export async function offerSkeleton(skeleton: Skeleton): Promise<void> {
  if ('content' in skeleton) {
    offer(new Blob([skeleton.content as BlobPart], { type: 'application/octet-stream' }), skeleton.name);
    return;
  }
  const files = skeleton.files.map(({ path, content }) => ({ path: `skeleton/${path}`, download: { content: new Blob([content as BlobPart]) } }));
  offer(await zipOf(files, { signal: new AbortController().signal, onBytes: () => undefined }), 'skeleton.zip');
}
