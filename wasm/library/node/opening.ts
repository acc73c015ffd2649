import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';

import { onAbort } from '../shared/aborting.js';
import type { Controls, InspectControls } from '../shared/api.js';
import { failure, lacksMemory, MoError } from '../shared/messages.js';
import { Turns } from '../shared/waiting.js';
import type { Answers, Conversion, Look } from './answering.js';
import { LocalSession } from './local-session.js';
import { Session, type Answerer } from './session.js';
import { freeOne, giveBack, takeSession } from './sessions.js';
import { closeSource } from './source.js';
import { msg } from '../shared/msg.js';

/**
 * Conversions whose `.bin` has not been read yet, the oldest first. At most UNUSED of them keep their session, which can write the `.bin`.
 */
const UNUSED = 8;
const unused: Opening[] = [];

const turns = new Turns(Math.max(2, availableParallelism()));

/** Conversions, and the sessions that they use. */
const running = new Map<Promise<unknown>, Answerer>();

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
      if (unused.length > UNUSED) await unused.shift()!.giveUp();
      return answer;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Only looks at the model, or at several, and then closes everything. */
  async look<Kind extends Look>(kind: Kind, controls: InspectControls): Promise<Answers[Kind]> {
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
    if (this.#closed) throw new MoError([failure(msg`the .bin was closed; convert again`)]);
    this.#users++;
    this.#forget();
    try {
      const before = await this.#session;
      if (before?.isLost && this.#users === 1) {
        this.#session = undefined;
        await end(before);
      }
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
    throw new MoError([failure(msg`the files of the model have changed since it was converted; convert again`)]);
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

  /** Ends its session. When the `.bin` is read, it converts again. */
  async giveUp(): Promise<void> {
    await this.#end();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#forget();
    await this.#end(true);
    closeSource(this.conversion.source);
    if (this.conversion.other) closeSource(this.conversion.other);
    for (const [, side] of this.conversion.sides) closeSource(side);
  }

  #start<Kind extends 'convert' | Look = 'convert'>(
    controls: InspectControls,
    kind = 'convert' as Kind,
  ): Promise<{ session: Answerer; answer: Answers[Kind] }> {
    const { signal } = controls;
    return turns.take(async () => {
      for (;;) {
        const outcome = await this.#attempt(controls, kind);
        if ('answer' in outcome) return outcome;
        // Memory that others hold may be what it lacks.
        if (outcome.hasBegun || !lacksMemory(outcome.error) || !(await makeRoom())) throw outcome.error;
        signal?.throwIfAborted();
      }
    }, signal);
  }

  /** Never rejects. A session that has failed is ended. */
  async #attempt<Kind extends 'convert' | Look>(
    controls: InspectControls,
    kind: Kind,
  ): Promise<{ session: Answerer; answer: Answers[Kind] } | { error: unknown; hasBegun: boolean }> {
    const { signal } = controls;
    let session: Answerer | undefined;
    const forget = onAbort(signal, () => void session?.close(signal!.reason));
    try {
      session = this.here ? new LocalSession(controls) : await takeSession(controls);
      signal?.throwIfAborted();
      const answer = session.request({ kind, ...this.conversion });
      const done = answer.then(() => undefined, () => undefined).finally(() => running.delete(done));
      running.set(done, session);
      return { session, answer: await answer };
    } catch (error) {
      const hasBegun = session?.hasBegun === true;
      if (session) await end(session).catch(() => undefined);
      return { error, hasBegun };
    } finally {
      forget();
    }
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

/** Returns false if nobody has a core whose memory could be given to others. Else some is free. */
async function makeRoom(): Promise<boolean> {
  await turn(); // a conversion that has just ended is in `unused` then
  if (await freeOne()) return true;
  const oldest = unused.shift();
  if (oldest) await oldest.giveUp();
  else {
    const others = [...running].filter(([, { hasBegun }]) => hasBegun).map(([done]) => done);
    if (others.length === 0) return false;
    await Promise.race(others);
  }
  return true;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Keeps a worker for the next conversion, unless it is `busy` with a request. */
function end(session: Answerer, busy = false): Promise<void> {
  return session instanceof Session ? giveBack(session, busy) : session.close();
}
