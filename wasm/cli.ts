#!/usr/bin/env node
/** The command `mo`: options, output and exit codes of the native one, in one thread. */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

import { startCore, type CommandLine, type Core } from './core.js';
import { openModel, Writer } from './host.js';
import { messagesOf, MoError, type Message } from './messages.js';
import { Plan } from './plan.js';

const WARNINGS_FROM = ['WARN', 'WARNING', 'INFO', 'DEBUG', 'NOTSET'];
const EXIT = { help: 0, version: 0, refused: 2, failed: 1 } as const;

function run(core: Core, args: string[]): number {
  const line = core.parseCommandLine('mo', args);
  if (line.action !== 'convert') {
    const code = EXIT[line.action];
    (code === 0 ? process.stdout : process.stderr).write(line.text);
    return code;
  }
  try {
    convert(core, line);
    return 0;
  } catch (error) {
    print(core, messagesOf(error));
    return 1;
  }
}

function convert(core: Core, line: CommandLine): void {
  const { files, main } = openModel(core, line.model);
  const outcome = core.convert(files, main, line.options, line.progress ? showProgress : () => {});
  const wanted = WARNINGS_FROM.includes(line.logLevel) ? outcome.messages : outcome.messages.filter(isError);
  if (!outcome.ok) throw new MoError(wanted);
  print(core, wanted);
  const name = line.options.find(([option]) => option === 'model_name')![1];
  const writer = new Writer(core, files, new Plan(core, files, outcome));
  const written = writer.savePair(line.outputDir, name, outcome.xml);
  process.stdout.write('[ SUCCESS ] Generated IR version 11 model.\n');
  process.stdout.write(`[ SUCCESS ] XML file: ${written.xml}\n[ SUCCESS ] BIN file: ${written.bin}\n`);
}

function showProgress(_phase: string, _transform: string, index: number, count: number): void {
  if (count === 0) return;
  const part = index / count;
  const bar = '.'.repeat(Math.floor(part * 20)).padEnd(20);
  process.stdout.write(`\rProgress: [${bar}]${(part * 100).toFixed(2).padStart(7)}% done${index === count ? '\n' : ''}`);
}

function print(core: Core, messages: readonly Message[]): void {
  for (const message of messages) process.stderr.write(`${core.formatMessage(message)}\n`);
}

function isError({ severity }: Message): boolean {
  return severity === 'error';
}

// A conversion is over before optimised code pays: without this half of the processor's time goes into making it.
setFlagsFromString('--wasm-tiering-budget=200000000');
const core = await startCore(new WebAssembly.Module(readFileSync(new URL('./core.wasm', import.meta.url))));
process.exitCode = run(core, process.argv.slice(2));
