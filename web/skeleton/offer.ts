import { offer } from '../save/offer.js';
import { zipOf } from '../save/zip.js';
import type { Packed } from './packed.js';
import type { PackedSkeleton, Skeleton } from './types.js';

const inZip = (content: Uint8Array | Packed) => (content instanceof Uint8Array ? { download: { content: new Blob([content as BlobPart]) } } : { download: content, packed: content });

/** Saves a skeleton; one that is a folder, or has been packed, as a zip archive. */
export async function offerSkeleton(skeleton: Skeleton<Uint8Array | Packed> | PackedSkeleton): Promise<void> {
  if ('content' in skeleton) {
    offer(new Blob([skeleton.content as BlobPart], { type: 'application/octet-stream' }), skeleton.name);
    return;
  }
  const files = 'packed' in skeleton ? [{ path: skeleton.name, download: skeleton.packed, packed: skeleton.packed }]
    : skeleton.files.map(({ path, content }) => ({ path: `skeleton/${path}`, ...inZip(content) }));
  offer(await zipOf(files, { signal: new AbortController().signal, onBytes: () => undefined }), 'skeleton.zip');
}
