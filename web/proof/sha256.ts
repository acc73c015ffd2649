/** SHA-256 of Blobs of any size. The browser's own hash needs all bytes in memory, and a secure context. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Small enough for the page to stay usable while a piece is hashed. */
const PIECE = 2 << 20;

export interface HashControls {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/** In hexadecimal. Rejects with the signal's reason, or when the Blob cannot be read any more. */
export async function sha256Of(blob: Blob, { signal, onBytes }: HashControls): Promise<string> {
  const hash = sha256.create();
  for (let done = 0; done < blob.size; done += PIECE) {
    signal.throwIfAborted();
    hash.update(new Uint8Array(await blob.slice(done, done + PIECE).arrayBuffer()));
    onBytes(Math.min(done + PIECE, blob.size));
  }
  signal.throwIfAborted();
  return bytesToHex(hash.digest());
}
