#!/usr/bin/env node
/** The command `mo`: options, output and exit codes of the native one, in one thread. */
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { CONFIG_UPDATE, type LogLine } from '../shared/api.js';
import { WRITE_FAILED } from '../shared/codes.js';
import { startCore, type CommandLine, type Core } from '../shared/core.js';
import { loadFor, type LoadedExtensions } from '../shared/extensions.js';
import { messagesOf, MoError, type Message } from '../shared/messages.js';
import { readExtensions } from './extension-folder.js';
import { reason } from './fs-files.js';
import { openModel } from './open-model.js';
import { Plan } from './plan.js';
import { Writer } from './writer.js';

const WARNINGS_FROM = ['WARN', 'WARNING', 'INFO', 'DEBUG', 'NOTSET'];
const LOGS_FROM: Readonly<Record<string, readonly string[]>> = { INFO: ['info'], DEBUG: ['info', 'debug'], NOTSET: ['info', 'debug'] };
const EXIT = { convert: 0, list_transforms: 0, help: 0, version: 0, refused: 2, failed: 1 } as const;

async function run(core: Core, args: string[]): Promise<number> {
  const line = core.parseCommandLine('mo', args);
  try {
    if (line.action === 'refused' || line.action === 'failed') process.stderr.write(line.text);
    else if (line.action === 'help' || line.action === 'version') say(core, line.text);
    else work(core, line, await loadFor(core, readExtensions(line.extensions), showFrom(line.logLevel)));
    return EXIT[line.action];
  } catch (error) {
    print(core, messagesOf(error));
    return 1;
  }
}

function work(core: Core, line: CommandLine, extensions: LoadedExtensions | undefined): void {
  if (line.action === 'convert') convert(core, line, extensions);
  else list(core, line, extensions);
}

function list(core: Core, line: CommandLine, extensions: LoadedExtensions | undefined): void {
  const table = core.listTransforms(optionsOf(line), extensions?.callbacks);
  if (typeof table !== 'string') throw new MoError(table.messages);
  say(core, table);
}

function convert(core: Core, line: CommandLine, extensions: LoadedExtensions | undefined): void {
  const { files, main } = openModel(core, line.model);
  const outcome = core.convert(files, main, optionsOf(line), progressOf(line), extensions?.callbacks);
  const messages = [...(extensions?.warnings ?? []), ...outcome.messages];
  const wanted = WARNINGS_FROM.includes(line.logLevel) ? messages : messages.filter(isError);
  if (!outcome.ok) throw new MoError(wanted);
  print(core, wanted);
  if (outcome.config !== '') {
    const target = line.options.find(([option]) => option === CONFIG_UPDATE)![1];
    writeText(core, target, outcome.config);
    say(core, `[ SUCCESS ] The configuration has the model's inputs and outputs now: ${target}\n`);
    return;
  }
  const name = line.options.find(([option]) => option === 'model_name')![1];
  const writer = new Writer(core, files, new Plan(core, files, outcome));
  const written = writer.savePair(line.outputDir, name, outcome.xml);
  say(core, `[ SUCCESS ] Generated IR version 11 model.\n[ SUCCESS ] XML file: ${written.xml}\n[ SUCCESS ] BIN file: ${written.bin}\n`);
}

/** The options with absolute paths, and the switches from the environment. */
function optionsOf(line: CommandLine): [name: string, value: string][] {
  const switches = [['enabled_transforms', 'MO_ENABLED_TRANSFORMS'], ['disabled_transforms', 'MO_DISABLED_TRANSFORMS']] as const;
  const switched = switches.flatMap(([name, variable]): [string, string][] =>
    process.env[variable] === undefined ? [] : [[name, process.env[variable]]]);
  const given = line.options.map(([name, value]): [string, string] =>
    [name, line.paths.includes(name) ? absolute(value) : value]);
  return [...switched.reverse(), ...given];
}

/** As in the native command, which leaves `..` to the system. */
function absolute(path: string): string {
  return path === '' || isAbsolute(path) ? path : `${process.cwd()}${sep}${path}`;
}

function writeText(core: Core, path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new MoError([core.hostMessage(WRITE_FAILED, reason(error), path)]);
  }
}

/** Shows log lines of extensions from the given level on. */
function showFrom(logLevel: string): (line: LogLine) => void {
  const shown = LOGS_FROM[logLevel] ?? [];
  return ({ level, text }) => void (shown.includes(level) && process.stderr.write(`[ ${level.toUpperCase()} ]  ${text}\n`));
}

/** Draws a bar over the last one, or writes a line for each step. */
function progressOf({ progress, streamOutput }: CommandLine): (phase: string, transform: string, index: number, count: number) => void {
  if (!progress || !(streamOutput || process.stderr.isTTY)) return () => {};
  return (_phase, _transform, index, count) => {
    if (count === 0) return;
    const part = index / count;
    const bar = `Progress: [${'.'.repeat(Math.floor(part * 20)).padEnd(20)}]${(part * 100).toFixed(2).padStart(7)}% done`;
    process.stderr.write(streamOutput ? `${bar}\n` : `\r${bar}${index === count ? '\n' : ''}`);
  };
}

/** What the user asked for. Where it cannot be written the command has failed. */
function say(core: Core, text: string): void {
  const bytes = Buffer.from(text);
  try {
    for (let done = 0; done < bytes.length; ) done += write(bytes.subarray(done));
  } catch (error) {
    // Who reads no more, as `head`, has what it wants.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw new MoError([core.hostMessage(WRITE_FAILED, reason(error), 'stdout')]);
  }
}

/** Some bytes of `part`; a pipe that is full is waited for. */
function write(part: Uint8Array): number {
  try {
    return writeSync(process.stdout.fd, part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}

function print(core: Core, messages: readonly Message[]): void {
  for (const message of messages) process.stderr.write(`${core.formatMessage(message)}\n`);
}

function isError({ severity }: Message): boolean {
  return severity === 'error';
}

// A conversion is too short for optimised code: without this, half of the processor's time is spent on compiling it.
setFlagsFromString('--wasm-tiering-budget=200000000');
const core = await startCore(new WebAssembly.Module(readFileSync(new URL('../shared/core.wasm', import.meta.url))));
process.exitCode = await run(core, process.argv.slice(2));
