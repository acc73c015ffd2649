import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';

import { onAbort } from '../shared/aborting.js';
import type { Controls, InspectControls } from '../shared/api.js';
import { failure, MoError } from '../shared/messages.js';
import { Turns } from '../shared/waiting.js';
import type { Answers, Conversion } from './answering.js';
import { LocalSession } from './local-session.js';
import { Session, type Answerer } from './session.js';
import { giveBack, takeSession } from './sessions.js';
import { closeSource } from './source.js';

/**
 * Conversions whose `.bin` has not been read yet, the oldest first. At most UNUSED of them keep their session, which can write the `.bin`.
 */
const UNUSED = 8;
const unused: Opening[] = [];

const turns = new Turns(Math.max(2, availableParallelism()));

/**
 * One conversion. Its session, mostly a worker, lives until the `.bin` has been read once, or until too many sessions are open. A later
 * read of the `.bin` converts again, which gives the same bytes. So a program that converts a thousand models holds a few workers and not a
 * thousand.
 */
export class Opening {
  #session: Promise<Answerer> | undefined;
  #users = 0;
  /** The digest of the `.xml`. */
  #xml = '';
  #closed = false;

  /** `here`: on this thread, without a worker. */
  constructor(
    private readonly conversion: Conversion,
    private readonly here: boolean,
  ) {}

  /** The first conversion. A failure closes everything. */
  async convert(controls: Controls): Promise<Answers['convert']> {
    try {
      const { session, answer } = await this.#start(controls);
      this.#xml = digest(answer.xml);
      this.#session = Promise.resolve(session);
      unused.push(this);
      if (unused.length > UNUSED) await unused.shift()!.#end();
      return answer;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Only inspects the model, lists its places or finds the models, and then closes everything. */
  async look<Kind extends 'inspect' | 'places' | 'find'>(kind: Kind, controls: InspectControls): Promise<Answers[Kind]> {
    try {
      const { session, answer } = await this.#start(controls, kind);
      await end(session);
      return answer;
    } finally {
      await this.close();
    }
  }

  /** The session. It stays open until there have been as many calls of `leave` as of `enter`. */
  async enter(): Promise<Answerer> {
    if (this.#closed) throw new MoError([failure('the .bin was closed; convert again')]);
    this.#users++;
    this.#forget();
    try {
      this.#session ??= this.#again();
      return await this.#session;
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** Converts again. Files that have changed since give a `.bin` only if it fits the `.xml`. */
  async #again(): Promise<Answerer> {
    const { session, answer } = await this.#start({});
    if (digest(answer.xml) === this.#xml) return session;
    await end(session);
    throw new MoError([failure('the files of the model have changed since it was converted; convert again')]);
  }

  leave(): void {
    if (--this.#users === 0) void this.#end();
  }

  async use<Answer>(work: (session: Answerer) => Promise<Answer>): Promise<Answer> {
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
    this.#forget();
    await this.#end(true);
    closeSource(this.conversion.source);
    for (const [, side] of this.conversion.sides) closeSource(side);
  }

  #start<Kind extends 'convert' | 'inspect' | 'places' | 'find' = 'convert'>(
    controls: InspectControls,
    kind = 'convert' as Kind,
  ): Promise<{ session: Answerer; answer: Answers[Kind] }> {
    const { signal } = controls;
    return turns.take(async () => {
      const session = this.here ? new LocalSession(controls) : await takeSession(controls);
      const forget = onAbort(signal, () => void session.close(signal!.reason));
      try {
        signal?.throwIfAborted();
        return { session, answer: await session.request({ kind, ...this.conversion }) };
      } catch (error) {
        await end(session);
        throw error;
      } finally {
        forget();
      }
    }, signal);
  }

  #forget(): void {
    const index = unused.indexOf(this);
    if (index >= 0) unused.splice(index, 1);
  }

  /** `atOnce`: even while the `.bin` is read; the reader gets an error then. */
  async #end(atOnce = false): Promise<void> {
    const ending = this.#session;
    const session = await ending?.catch(() => undefined);
    // Meanwhile another user may have entered, or the session may have ended.
    if (ending !== this.#session || (this.#users > 0 && !atOnce)) return;
    this.#session = undefined;
    if (session) await end(session, atOnce && this.#users > 0);
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Keeps a worker for the next conversion, unless it is `busy` with a request. */
async function end(session: Answerer, busy = false): Promise<void> {
  if (busy || !(session instanceof Session)) await session.close();
  else await giveBack(session);
}
