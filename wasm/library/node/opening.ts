import { readFile } from 'node:fs/promises';

import type { Controls } from '../shared/api.js';
import { failure, MoError } from '../shared/messages.js';
import { once } from '../shared/once.js';
import type { Answers, Conversion } from './node-worker.js';
import { packageFile } from './package-file.js';
import { Session } from './session.js';
import { closeSource } from './source.js';

/** The core's module, for all workers. */
const compileCore = once(async () => WebAssembly.compile(await readFile(packageFile('shared/core.wasm'))));

/**
 * One conversion. Its worker lives from the start to the end of the first use of its `.bin`; a later use converts again,
 * which gives the same bytes, so that a program that converts a thousand models holds one worker and not a thousand.
 */
export class Opening {
  #session: Promise<Session> | undefined;
  #users = 0;
  #closed = false;

  constructor(private readonly conversion: Conversion) {}

  /** The first conversion. A failure closes everything. */
  async convert(controls: Controls): Promise<Answers['convert']> {
    try {
      const { session, answer } = await this.#start(controls);
      this.#session = Promise.resolve(session);
      return answer;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** The first steps of a conversion, instead of one. It closes everything. */
  async inspect(controls: Controls): Promise<Answers['inspect']> {
    try {
      const { session, answer } = await this.#start(controls, 'inspect');
      await session.close();
      return answer;
    } finally {
      await this.close();
    }
  }

  /** The session; it stays open until `leave` is called as often. */
  async enter(): Promise<Session> {
    if (this.#closed) throw new MoError([failure('the .bin was closed; convert again')]);
    this.#users++;
    try {
      this.#session ??= this.#start({}).then(({ session }) => session);
      return await this.#session;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  leave(): void {
    if (--this.#users === 0) void this.#end();
  }

  async use<Answer>(work: (session: Session) => Promise<Answer>): Promise<Answer> {
    const session = await this.enter();
    try {
      return await work(session);
    } finally {
      this.leave();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#end();
    closeSource(this.conversion.source);
    for (const [, side] of this.conversion.sides) closeSource(side);
  }

  async #start<Kind extends 'convert' | 'inspect' = 'convert'>(
    controls: Controls,
    kind = 'convert' as Kind,
  ): Promise<{ session: Session; answer: Answers[Kind] }> {
    const { signal } = controls;
    const module = await compileCore();
    signal?.throwIfAborted();
    const session = new Session(controls);
    const abort = () => void session.close(signal!.reason);
    signal?.addEventListener('abort', abort);
    try {
      return { session, answer: await session.request({ kind, module, ...this.conversion }) };
    } catch (error) {
      await session.close();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await (await session?.catch(() => undefined))?.close();
  }
}
