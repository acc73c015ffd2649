/** `@mo/wasm/cli`: the command `mo` from JavaScript. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

import { onAbort } from '../shared/aborting.js';
import { requireNames } from '../shared/given.js';
import { processEnded, sentence, unreadable } from '../shared/messages.js';
import { typed } from '../shared/typed.js';
import { packageFile } from './package-file.js';
import { msg } from '../shared/msg.js';

export { MoError, type Message } from '../shared/messages.js';

/** Where the command runs, and where its output goes. */
export interface CommandOptions {
  /** The folder that relative paths begin at; by default that of this process. */
  cwd?: string | URL;
  /** Variables, besides those of this process. */
  env?: Readonly<Record<string, string>>;
  /** The content of the model `-`; by default the standard input of this process. */
  input?: Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Gets what the command prints, in pieces; by default that goes where this process prints. */
  onOutput?: (text: string) => void;
  /** The same for messages and progress. */
  onErrors?: (text: string) => void;
  /** Ends the command; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

const NAMES: readonly string[] = ['cwd', 'env', 'input', 'onOutput', 'onErrors', 'signal'] satisfies (keyof CommandOptions)[];

/**
 * Runs `mo` in a process of its own. `args` are the words after `mo`, as a shell would give them. Returns the exit code of the command: 0,
 * 1 for a model that cannot be converted, 2 for errors found before a model is opened.
 *
 * @throws {MoError} when the command cannot be started, or is ended by something else.
 *
 * @example
 * ```js
 * import { run } from '@mo/wasm/cli';
 *
 * process.exitCode = await run(['model.onnx', '--output_dir', 'ir']);
 * ```
 */
export async function run(args: readonly string[], given: CommandOptions = {}): Promise<number> {
  return typed(given, async (options) => {
    requireNames(options, NAMES, 'it has cwd, env, input, onOutput, onErrors and signal');
    options.signal?.throwIfAborted();
    const child = start(args, options);
    const forget = onAbort(options.signal, () => void child.kill());
    try {
      return await outcome(child, options);
    } finally {
      forget();
    }
  }, false);
}

function start(args: readonly string[], { cwd, env, input, onOutput, onErrors }: CommandOptions): ChildProcess {
  return spawn(process.execPath, [packageFile('node/cli.js'), ...args.map(String)], {
    cwd: cwd instanceof URL ? fileURLToPath(cwd) : cwd,
    // The program of an app that is built with Electron runs as Node only if this variable is set.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...env },
    stdio: [input === undefined ? 'inherit' : 'pipe', onOutput ? 'pipe' : 'inherit', onErrors ? 'pipe' : 'inherit'],
  });
}

async function outcome(child: ChildProcess, { input, onOutput, onErrors, signal }: CommandOptions): Promise<number> {
  let failed: { error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failed ??= { error };
    child.kill();
  };
  const show = (from: Readable | null, to: ((text: string) => void) | undefined): void => {
    from?.setEncoding('utf8').on('data', (text: string) => {
      try {
        to?.(text);
      } catch (error) {
        fail(error);
      }
    });
  };
  show(child.stdout, onOutput);
  show(child.stderr, onErrors);
  const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>;
  if (input !== undefined) void feed(child, input).catch(fail);
  const [code, by] = await ended;
  signal?.throwIfAborted();
  if (failed) throw failed.error;
  if (code === null) throw processEnded(msg`${String(by)}`);
  return code;
}

/** Writes the input to the command. It is no error if the command ends before it has read all of it. */
async function feed(child: ChildProcess, input: NonNullable<CommandOptions['input']>): Promise<void> {
  const pieces = input instanceof Uint8Array ? [input] : input instanceof Blob ? input.stream() : input;
  let broken: { error: unknown } | undefined;
  const source = Readable.from(pieces as AsyncIterable<Uint8Array>).on('error', (error) => (broken = { error }));
  await pipeline(source, child.stdin!).catch(() => undefined);
  if (broken && child.exitCode === null) throw unreadable(msg`the standard input: ${sentence(broken.error)}`, broken.error);
}
