/** The worker of the command with extensions. */
import { parentPort, workerData } from 'node:worker_threads';

import { startCore } from '../../shared/core.js';
import { lockDown } from '../lock-down.js';
import { printBy } from '../printed.js';
import { reportCalls } from '../watch.js';
import { logOf } from './log.js';
import { carryOut, orRefusal } from './run.js';
import { ERRORS, eraseDrawn, OUTPUT, writeAll } from './say.js';
import type { Given, WorkerMessage } from './supervise.js';

const send = (message: WorkerMessage): void => parentPort!.postMessage(message);

const { module, line, roots, job, company, calls } = workerData as Given;
const core = await startCore(module);
// Lines of extensions stay in order with those of the command.
printBy((isError, text) => {
  eraseDrawn();
  writeAll(isError ? ERRORS : OUTPUT, text);
});
lockDown();
const watcher = reportCalls(calls, send);
const log = logOf(core, line, job, { ...company, warn: (warning) => send({ kind: 'warning', line: warning }) });
const code = await orRefusal(core, line.json, () => carryOut(core, line, roots, log, watcher, (model, code) => {
  log.endOfModel(model);
  send({ kind: 'model', code, error: log.takeError() });
}));
log.finish();
send({ kind: 'done', code });
