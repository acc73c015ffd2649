import { MoError, noModel, sentence, unreadable } from '../shared/messages.js';
import { bytesOf, gather, isModelFiles, isReader, notModel, type Bytes, type Gathered, type Model } from '../shared/model.js';
import { pieces } from '../shared/waiting.js';
import { msg } from '../shared/msg.js';

const NAMELESS = 'model.onnx';
const WANTED = 'give a File, a Blob, bytes, a stream, { main, files } or { name, size, read }';

/** Pieces of a stream become a Blob when they have this many bytes. The browser may keep Blobs on its disk. */
const GATHERED = 16 << 20;

/**
 * The files of a model. A stream is copied to a Blob.
 *
 * @throws {MoError} when `model` is no model, or when its content cannot be read.
 */
export async function gatherFiles(model: Model, signal?: AbortSignal): Promise<Gathered> {
  if (typeof model === 'string' || model instanceof URL) throw noModel(msg`"${String(model)}" is a path, and pages have none`, WANTED);
  if (typeof model !== 'object' || model === null) throw notModel(model, WANTED);
  const bytes = bytesOf(model);
  if (bytes) return nameless(asBlob(bytes));
  if (model instanceof Blob) return model instanceof File ? gather({ main: model, files: [] }) : nameless(model);
  if (isReader(model)) return gather({ main: model, files: [] });
  if (isModelFiles(model)) return gather(model);
  if (!('getReader' in model) && !(Symbol.asyncIterator in model)) throw notModel(model, WANTED);
  return nameless(await copied(model, signal));
}

/** Bytes in memory are copied, so that their owner may change them. */
export function asBlob(content: Blob | Bytes | string): Blob {
  if (content instanceof Blob || typeof content === 'string') return content instanceof Blob ? content : new Blob([content]);
  const bytes = bytesOf(content)!;
  // Blob() refuses memory that threads share.
  return new Blob([bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice()]);
}

function nameless(file: Blob): Gathered {
  return gather({ main: { path: NAMELESS, file }, files: [] });
}

async function copied(stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>, signal: AbortSignal | undefined): Promise<Blob> {
  const done: Blob[] = [];
  let parts: BlobPart[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces(stream, signal)) {
      parts.push(piece as Uint8Array<ArrayBuffer>);
      if ((bytes += piece.length) < GATHERED) continue;
      done.push(new Blob(parts));
      [parts, bytes] = [[], 0];
    }
  } catch (error) {
    if (error instanceof MoError || (signal?.aborted && error === signal.reason)) throw error;
    throw unreadable(msg`the stream: ${sentence(error)}`, error);
  }
  return new Blob([...done, ...parts]);
}
