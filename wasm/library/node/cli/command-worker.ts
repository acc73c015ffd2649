/** The worker of the command with extensions. */
import { parentPort, workerData } from 'node:worker_threads';

import type { ExtensionRoot } from '../../../extension/load/loader.js';
import { startCore, type CommandLine } from '../../shared/core.js';
import { lockDown } from '../lock-down.js';
import { printBy } from '../printed.js';
import { reportCalls } from '../watch.js';
import { carryOut, orRefusal } from './run.js';
import { ERRORS, OUTPUT, writeAll } from './say.js';
import type { WorkerMessage } from './supervise.js';

interface Given {
  module: WebAssembly.Module;
  line: CommandLine;
  roots: readonly ExtensionRoot[];
  calls: Int32Array;
}

const send = (message: WorkerMessage): void => parentPort!.postMessage(message);

const { module, line, roots, calls } = workerData as Given;
const core = await startCore(module);
// Lines of extensions stay in order with those of the command.
printBy((isError, text) => writeAll(isError ? ERRORS : OUTPUT, text));
lockDown();
const watcher = reportCalls(calls, send);
const onModel = (code: number): void => send({ kind: 'model', code });
send({ kind: 'done', code: await orRefusal(core, line.json, () => carryOut(core, line, roots, watcher, onModel)) });
