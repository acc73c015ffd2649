/** Lays graphs out for the view of a graph, and finds which layers a node became. */
import { makeReport } from '@mo/wasm/report';

import type { Reply, Request } from '../graph/protocol.js';
import { placedPieces } from '../graph/stack.js';

const scope = self as unknown as DedicatedWorkerGlobalScope;
let newest = 0;

scope.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  if (data.kind === 'layout') void layOut(data);
  else reply({ kind: 'origins', origins: makeReport(data).provenance.map(({ graph, id, layers }) => [graph, id, layers]) });
});

/** It waits between pieces, so that another request can end this one. */
async function layOut({ id, widths, edges, height }: Extract<Request, { kind: 'layout' }>): Promise<void> {
  newest = id;
  for (const piece of placedPieces(widths, edges, height)) {
    if (newest !== id) return;
    reply({ kind: 'piece', id, piece });
    await new Promise((resolve) => setTimeout(resolve));
  }
  reply({ kind: 'end', id });
}

function reply(message: Reply): void {
  scope.postMessage(message);
}
