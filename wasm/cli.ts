#!/usr/bin/env node
/** The command `mo`: options, output and exit codes of the native one, in one thread. */
import { readFileSync } from 'node:fs';

import { startCore, type CommandLine, type Core } from './core.js';
import { checkFolder, openModel, savePair } from './host.js';
import { messagesOf, MoError, type Message } from './messages.js';
import { Plan } from './plan.js';

const DONE = 0;
const FAILED = 1;
const REFUSED = 2;

function run(core: Core, args: string[]): number {
  const line = core.parseCommandLine('mo', args);
  if (line.action === 'refused') {
    process.stderr.write(line.text);
    return REFUSED;
  }
  if (line.action !== 'convert') {
    process.stdout.write(line.text);
    return DONE;
  }
  try {
    convert(core, line);
    return DONE;
  } catch (error) {
    print(core, messagesOf(error));
    return FAILED;
  }
}

function convert(core: Core, line: CommandLine): void {
  checkFolder(core, line.outputDir);
  const { files, main } = openModel(core, line.model);
  const outcome = core.convert(files, main, line.options, line.progress ? showProgress : () => {});
  if (line.progress) process.stdout.write('\n');
  if (!outcome.ok) throw new MoError(outcome.messages);
  print(core, outcome.messages);
  const name = line.options.find(([option]) => option === 'model_name')![1];
  const written = savePair(core, files, line.outputDir, name, outcome.xml, new Plan(core, files, outcome));
  process.stdout.write('[ SUCCESS ] Generated IR version 11 model.\n');
  process.stdout.write(`[ SUCCESS ] XML file: ${written.xml}\n[ SUCCESS ] BIN file: ${written.bin}\n`);
}

function showProgress(_phase: string, _transform: string, index: number, count: number): void {
  const part = index / count;
  const bar = '.'.repeat(Math.round(part * 20)).padEnd(20);
  process.stdout.write(`\rProgress: [${bar}]${(part * 100).toFixed(2).padStart(7)}% done`);
}

function print(core: Core, messages: readonly Message[]): void {
  for (const message of messages) process.stderr.write(`${core.formatMessage(message)}\n`);
}

const core = await startCore(new WebAssembly.Module(readFileSync(new URL('./core.wasm', import.meta.url))));
process.exitCode = run(core, process.argv.slice(2));
