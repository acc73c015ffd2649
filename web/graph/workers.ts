/** The view's workers: one for each pane lays out its graph, and one finds what became of the model's nodes. */
import type { Report } from '@mo/wasm';
import type { Trace } from '@mo/wasm/report';
import text from 'virtual:graph-worker';

import { trustedUrl } from '../page/trusted.js';
import { HEIGHT, type Drawing } from './boxes.js';
import type { Origin, Placed, Reply, Request } from './protocol.js';

function start(): Worker {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const worker = new Worker(trustedUrl(url));
  URL.revokeObjectURL(url);
  return worker;
}

export class Layouts {
  readonly #worker = start();
  #id = 0;
  #onPiece: (piece: Placed | undefined) => void = () => {};

  /** The worker ends with the signal. */
  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => this.#worker.terminate(), { once: true });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      if (data.kind !== 'origins' && data.id === this.#id) this.#onPiece(data.kind === 'piece' ? data.piece : undefined);
    });
  }

  /** Calls `onPiece` with each piece from the top, and with undefined at the end. A former layout that is under way ends. */
  begin({ boxes, edges }: Drawing, onPiece: (piece: Placed | undefined) => void): void {
    this.#onPiece = onPiece;
    const widths = Int32Array.from(boxes, ({ width }) => width);
    this.#worker.postMessage({ kind: 'layout', id: ++this.#id, widths, edges, height: HEIGHT } satisfies Request);
  }
}

/** Finds the layers that the nodes of the model became. It never resolves if the signal is aborted first. */
export function findOrigins(trace: Trace, result: Report, signal: AbortSignal): Promise<readonly Origin[]> {
  const worker = start();
  signal.addEventListener('abort', () => worker.terminate(), { once: true });
  return new Promise((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      if (data.kind === 'origins') resolve(data.origins);
      worker.terminate();
    });
    worker.postMessage({ kind: 'origins', trace, result } satisfies Request);
  });
}
