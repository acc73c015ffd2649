/** The worker of the Node library: one conversion, then the pieces of its `.bin` for as long as they are wanted. */
import { parentPort } from 'node:worker_threads';

import type { Progress, Report } from '../shared/api.js';
import { startCore, type Core } from '../shared/core.js';
import type { ExtensionRoot } from '../../extension/loader.js';
import { loadFor } from '../shared/extensions.js';
import { FsFiles, memoryFiles, type NodeFiles } from './fs-files.js';
import { openModel, Writer } from './host.js';
import { messagesOf, MoError, type Message } from '../shared/messages.js';
import { Meter } from '../shared/meter.js';
import { Plan } from './plan.js';
import type { Source } from './source.js';

export type Request =
  | {
      kind: 'convert';
      module: WebAssembly.Module;
      source: Source;
      options: [name: string, value: string][];
      extensions: readonly ExtensionRoot[];
    }
  | { kind: 'write'; path: string }
  | { kind: 'read'; offset: number; size: number };

/** The answers to each kind of request. */
export interface Answers {
  convert: { xml: string; size: number; report: Report; warnings: Message[]; config: string };
  write: undefined;
  read: Uint8Array<ArrayBuffer>;
}

export type Reply =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'done'; answer: Answers[keyof Answers] }
  | { kind: 'failed'; messages: readonly Message[] };

let open: { plan: Plan; writer: Writer };

function openFiles(core: Core, source: Source): { files: NodeFiles; main: string } {
  if (source.kind === 'path') return openModel(core, source.path);
  if (source.kind === 'bytes') return { files: memoryFiles(source.name, source.bytes), main: source.name };
  const files = new FsFiles('');
  files.adopt(source.name, source.descriptor);
  return { files, main: source.name };
}

async function convert(request: Request & { kind: 'convert' }): Promise<Answers['convert']> {
  const core = await startCore(request.module);
  const { files, main } = openFiles(core, request.source);
  const meter = new Meter((progress) => send({ kind: 'progress', progress }));
  const extensions = await loadFor(core, request.extensions);
  const outcome = core.convert(meter.watch(files), main, request.options, meter.step, extensions?.host);
  if (!outcome.ok) throw new MoError(outcome.messages);
  const plan = new Plan(core, files, outcome);
  open = { plan, writer: new Writer(core, files, plan) };
  const xml = new TextDecoder().decode(outcome.xml);
  return { xml, size: plan.size, report: JSON.parse(outcome.report) as Report, warnings: [...(extensions?.warnings ?? []), ...outcome.messages], config: outcome.config };
}

function answer(request: Request): Promise<Answers['convert']> | Answers['write' | 'read'] {
  switch (request.kind) {
    case 'convert':
      return convert(request);
    case 'write':
      return open.writer.saveBin(request.path) as undefined;
    case 'read': {
      const piece = new Uint8Array(request.size);
      open.plan.read(request.offset, piece);
      return piece;
    }
  }
}

function send(reply: Reply, transfer: ArrayBuffer[] = []): void {
  parentPort!.postMessage(reply, transfer);
}

parentPort!.on('message', async (request: Request) => {
  try {
    const result = await answer(request);
    send({ kind: 'done', answer: result }, result instanceof Uint8Array ? [result.buffer] : []);
  } catch (error) {
    send({ kind: 'failed', messages: messagesOf(error) });
  }
});
