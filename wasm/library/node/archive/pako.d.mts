/** Of pako, whose functions are those of zlib: the package contains this part of it. */
export const Z_NO_FLUSH: 0;
export const Z_OK: 0;
export const Z_STREAM_END: 1;
export const Z_BUF_ERROR: -5;

export class ZStream {
  input: Uint8Array;
  next_in: number;
  avail_in: number;
  output: Uint8Array;
  next_out: number;
  avail_out: number;
}

export function zlibInflateInit2(stream: ZStream, windowBits: number): number;
export function zlibInflate(stream: ZStream, flush: number): number;
export function zlibInflateReset(stream: ZStream): number;
