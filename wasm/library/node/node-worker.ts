/** The worker of the Node library: one conversion, then the pieces of its `.bin` as long as they are requested. */
import { parentPort, workerData } from 'node:worker_threads';

import type { ExtensionRoot } from '../../extension/load/loader.js';
import type { Inspection, LogLine, Progress, Report } from '../shared/api.js';
import { startCore, type Core } from '../shared/core.js';
import { readInspection } from '../shared/inspection.js';
import { loadFor } from '../shared/extensions.js';
import { messagesOf, MoError, type Message } from '../shared/messages.js';
import { Meter } from '../shared/meter.js';
import { FsFiles } from './fs-files.js';
import { lockDown } from './lock-down.js';
import { openModel } from './open-model.js';
import { Plan } from './plan.js';
import type { Source } from './source.js';
import { reportCalls, type CallMessage } from './watch.js';
import { Writer } from './writer.js';

/** What is to be converted, and how. */
export interface Conversion {
  source: Source;
  /** Files that options name, by these names. */
  sides: [name: string, source: Source][];
  options: [name: string, value: string][];
  extensions: readonly ExtensionRoot[];
}

export type Request =
  | ({ kind: 'convert' | 'inspect'; module: WebAssembly.Module } & Conversion)
  | { kind: 'write'; path: string }
  | { kind: 'read'; offset: number; size: number };

/** The answers to each kind of request. */
export interface Answers {
  convert: { xml: string; size: number; mapping: string; trace: string; report: Report; warnings: Message[]; config: string };
  inspect: Inspection;
  write: undefined;
  read: Uint8Array<ArrayBuffer>;
}

export type Reply =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'log'; line: LogLine }
  | CallMessage
  | { kind: 'done'; answer: Answers[keyof Answers] }
  | { kind: 'failed'; messages: readonly Message[] };

let open: { plan: Plan; writer: Writer };

function openFiles(core: Core, { source, sides }: Conversion): { files: FsFiles; main: string } {
  const opened = source.kind === 'path' ? openModel(core, source.path) : { files: new FsFiles(), main: source.name };
  give(opened.files, opened.main, source);
  for (const [name, side] of sides) give(opened.files, name, side);
  return opened;
}

/** A file with a path is opened on demand. */
function give(files: FsFiles, name: string, source: Source): void {
  if (source.kind !== 'path') files.give(name, source.kind === 'bytes' ? source.bytes : source.descriptor);
}

/** What the core takes, for a conversion or an inspection. */
async function start(request: Request & { kind: 'convert' | 'inspect' }) {
  const core = await startCore(request.module);
  const { files, main } = openFiles(core, request);
  const meter = new Meter((progress) => send({ kind: 'progress', progress }));
  if (request.extensions.length > 0) lockDown();
  const watcher = reportCalls(workerData as Int32Array, send);
  const extensions = await loadFor(core, request.extensions, (line) => send({ kind: 'log', line }), undefined, watcher);
  return { core, files, extensions, job: [meter.watch(files), main, request.options, meter.step, extensions?.callbacks] as const };
}

async function inspect(request: Request & { kind: 'convert' | 'inspect' }): Promise<Inspection> {
  const { core, extensions, job } = await start(request);
  return readInspection(core.inspect(...job), extensions);
}

async function convert(request: Request & { kind: 'convert' | 'inspect' }): Promise<Answers['convert']> {
  const { core, files, extensions, job } = await start(request);
  const outcome = core.convert(...job);
  if (!outcome.ok) throw new MoError(outcome.messages);
  const plan = new Plan(core, files, outcome);
  open = { plan, writer: new Writer(core, files, plan) };
  const xml = new TextDecoder().decode(outcome.xml);
  return { xml, size: plan.size, mapping: outcome.mapping, trace: new TextDecoder().decode(outcome.trace), report: JSON.parse(outcome.report) as Report, warnings: [...(extensions?.warnings ?? []), ...outcome.messages], config: outcome.config };
}

function answer(request: Request): Promise<Answers['convert' | 'inspect']> | Answers['write' | 'read'] {
  switch (request.kind) {
    case 'convert':
      return convert(request);
    case 'inspect':
      return inspect(request);
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
