/** Conversions in the thread that calls. */
import type { InspectControls } from '../shared/api.js';
import { guarded } from '../shared/callbacks.js';
import { isBroken, judged, refuseLack, startCore, type Core } from '../shared/core.js';
import { failure, lacksMemory, MoError } from '../shared/messages.js';
import { Answering, type Answers, type Request } from './answering.js';
import { compileCore } from './places.js';
import { CORE_ROOM, leaveRoom, noRoom, requireRoom } from './room.js';
import type { Answerer } from './session.js';
import { msg } from '../shared/msg.js';

let started: { module: WebAssembly.Module; core: Promise<Core> } | undefined;

/** One core for all conversions in this thread, until it fails. */
async function coreHere(): Promise<Core> {
  const module = await compileCore();
  if (started?.module !== module) {
    const starting = (started = { module, core: startHere(module) });
    starting.core.catch(() => started === starting && (started = undefined));
  }
  const { core } = started;
  if (!isBroken(await core)) return core;
  if (started?.core === core) started = undefined;
  return coreHere();
}

async function startHere(module: WebAssembly.Module): Promise<Core> {
  requireRoom(CORE_ROOM);
  leaveRoom();
  try {
    return await startCore(module);
  } catch (error) {
    throw lacksMemory(error) ? noRoom(error) : error;
  }
}

/** Answers requests without a worker. */
export class LocalSession implements Answerer {
  #closed: { reason: unknown } | undefined;
  #answering: Promise<Answering> | undefined;
  #core: Core | undefined;

  constructor(private readonly controls: InspectControls) {}

  get hasBegun(): boolean {
    return this.#core !== undefined;
  }

  /** Another conversion may have broken the core that this one shares with it. */
  get isLost(): boolean {
    return this.#core !== undefined && isBroken(this.#core);
  }

  async request<Kind extends Request['kind']>(request: Request & { kind: Kind }): Promise<Answers[Kind]> {
    const answering = await (this.#answering ??= this.#start());
    this.#check();
    let answer: Answers[Kind];
    try {
      answer = (await answering.answer(request)) as Answers[Kind];
      refuseLack(this.#core!);
    } catch (error) {
      const messages = judged(this.#core, error);
      if (!this.isLost) throw error;
      this.#check();
      throw new MoError(messages, { cause: error });
    }
    this.#check();
    return answer;
  }

  async close(reason: unknown = new MoError([failure(msg`the conversion was closed`)])): Promise<void> {
    this.#closed ??= { reason };
    const answering = await this.#answering?.catch(() => undefined);
    try {
      await answering?.release();
    } catch (error) {
      judged(this.#core, error);
    }
  }

  #check(): void {
    if (this.#closed) throw this.#closed.reason;
  }

  async #start(): Promise<Answering> {
    const stop = (reason: unknown): void => void (this.#closed ??= { reason });
    const { onProgress, onLog, onFacts, signal } = guarded(this.controls, stop);
    const core = (this.#core = await coreHere());
    return new Answering(
      core,
      (event) => {
        if (event.kind === 'progress') onProgress?.(event.progress);
        else if (event.kind === 'log') onLog?.(event.line);
        else onFacts?.(event.facts);
      },
      undefined,
      () => {
        if (signal?.aborted) stop(signal.reason);
        return this.#closed !== undefined;
      },
    );
  }
}
