import { READ_FAILED, OUT_OF_MEMORY } from '../shared/codes.js';
import { recipeBytes, segmentsOf, type Converted, type Core, type Segment } from '../shared/core.js';
import { MoError, sentence } from '../shared/messages.js';
import type { BlobFiles } from './blob-files.js';
import { msg } from '../shared/msg.js';

/** Several copies of a piece are in memory at once; still smaller pieces save nothing. */
const PIECE = 4 << 20;

/** A recipe that likes to give so much at once may read its whole source for each piece. Reading Blobs takes long, so it is asked for larger pieces. */
const READ_ANEW = 1 << 20;
const LARGE_PIECE = 32 << 20;

/** Smaller pieces are settled together with the complete Blob. */
const WORTH_SETTLING = 1 << 20;

/** Assembles the `.bin` from slices of the model's files, which are not copied, and pieces made in memory. */
export async function compose(
  core: Core, files: BlobFiles, conversion: Converted, onBytes: (done: number, total: number) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  const segments = segmentsOf(conversion.segments);
  const total = segments.reduce((sum, segment) => sum + segment.size, 0);
  const buffer = new Uint8Array(Math.min(PIECE, total));
  let filled = 0;
  let done = 0;
  let settling = Promise.resolve();

  /** While one piece settles, only the next one is made, so that memory use stays constant. */
  const add = async (bytes: Uint8Array<ArrayBuffer>) => {
    const piece = new Blob([bytes]);
    parts.push(piece);
    if (piece.size < WORTH_SETTLING) return;
    await settling;
    settling = settle(core, piece, OUT_OF_MEMORY);
  };
  const flush = async () => {
    const bytes = buffer.subarray(0, filled);
    filled = 0;
    if (bytes.length > 0) await add(bytes);
  };

  for (const segment of segments) {
    const slice = segment.kind === 'file' ? files.slice(conversion.files[segment.file]!, segment.offset, segment.size) : undefined;
    if (slice) {
      await flush();
      parts.push(slice);
      done += segment.size;
      continue;
    }
    if (segment.kind === 'recipe' && segment.piece >= READ_ANEW && segment.size > PIECE) {
      await flush();
      for (let offset = 0; offset < segment.size; offset += LARGE_PIECE) {
        const size = Math.min(segment.size - offset, LARGE_PIECE);
        await add(recipeBytes(core, conversion.id, segment.recipe, offset, size) as Uint8Array<ArrayBuffer>);
        onBytes((done += size), total);
      }
      continue;
    }
    for (let offset = 0; offset < segment.size; ) {
      const size = Math.min(segment.size - offset, buffer.length - filled);
      if (segment.kind === 'file') readInto(core, files, conversion.files[segment.file]!, segment.offset + offset, buffer.subarray(filled, filled + size));
      else buffer.set(bytesOf(core, conversion.id, segment, offset, size), filled);
      filled += size;
      offset += size;
      done += size;
      if (filled < buffer.length) continue;
      await flush();
      onBytes(done, total);
    }
  }
  await flush();
  onBytes(total, total);

  const whole = new Blob(parts, { type: 'application/octet-stream' });
  await settling;
  await settle(core, whole, READ_FAILED);
  return whole;
}

function bytesOf(core: Core, id: number, segment: Segment & { kind: 'bytes' | 'recipe' }, offset: number, size: number): Uint8Array {
  if (segment.kind === 'bytes') return segment.bytes.subarray(offset, offset + size);
  return recipeBytes(core, id, segment.recipe, offset, size);
}

/** A file that only the caller can read is copied. */
function readInto(core: Core, files: BlobFiles, name: string, offset: number, out: Uint8Array): void {
  const wrong = files.read(files.open(name), offset, out);
  if (wrong !== undefined) throw new MoError([core.hostMessage(READ_FAILED, wrong, name)]);
}

/** A Blob that the browser cannot hold fails only when it is read. */
async function settle(core: Core, blob: Blob, code: number): Promise<void> {
  try {
    await blob.slice(Math.max(0, blob.size - 1)).arrayBuffer();
  } catch (error) {
    throw new MoError([core.hostMessage(code, msg`${sentence(error)}`, '')]);
  }
}
