import { convert, MoError, type BrowserOptions, type BrowserResult, type Message, type Progress, type ResultFile } from '@mo/wasm';

import { withModel } from '../archive/ready.js';
import { lackedBy, optionsFor, withNamed } from '../bring/companions.js';
import { baseName, type Chosen } from '../bring/chosen.js';
import { missingFiles } from '../report/missing.js';
import { pageMessage } from '../report/page-message.js';
import type { Given } from '../options/options.js';
import type { Download } from '../save/out-file.js';
import { Unexpected } from '../report/codes.js';
import { msg } from '@mo/wasm/msg';

/** What a conversion was asked for. */
export interface Asked {
  readonly options: BrowserOptions;
  /** Those that differ from the defaults. */
  readonly given: readonly Given[];
  /** Options and extensions as one text: where it is another one, the result may be another one. */
  readonly text: string;
}

/** Milliseconds. What takes less is done again without being asked for. */
const QUICK = 1000;

/** The result of a conversion. */
export interface Done extends Omit<BrowserResult, 'xml' | 'bin' | 'sideFiles' | ResultFile['kind']> {
  /** The script of the check, which each conversion of the page has. */
  readonly check: ResultFile;
  readonly downloads: readonly Download[];
  readonly milliseconds: number;
  /** As the user gave them. */
  readonly options: BrowserOptions;
  readonly asked: Asked;
  /** Converts the model once more in the same way, with a trace. */
  trace(signal: AbortSignal, onStep: (step: Step) => void): Promise<BrowserResult>;
}

/** Progress of a conversion, or of unpacking files of an archive before it. */
export interface Step extends Omit<Progress, 'phase'> {
  readonly phase: Progress['phase'] | 'unpack';
}

/** The part of the work that is done, from 0 to 1; half of the work is writing. undefined if it is not known. */
export function partOf({ phase, index, count, bytes, totalBytes }: Step): number | undefined {
  if (phase === 'unpack') return undefined;
  if (phase === 'write') return totalBytes === 0 ? 1 : (1 + bytes / totalBytes) / 2;
  return count === 0 ? undefined : index / count / 2;
}

/** One conversion of one model, from waiting for its turn to its result. */
export class Task {
  state: 'ready' | 'waiting' | 'working' | 'done' | 'failed' | 'cancelled';
  done: Done | undefined;
  messages: readonly Message[] = [];
  /** How long its conversion took. */
  milliseconds = 0;
  asked: Asked | undefined;
  readonly #control = new AbortController();
  readonly #discarded = new AbortController();
  #progressed = false;

  /** A task that is `ready` waits for the user. Another task then converts its model. `byItself`: the page has begun it, not the user. */
  constructor(readonly chosen: Chosen, state: 'ready' | 'waiting' = 'waiting', readonly byItself = false) {
    this.state = state;
  }

  get path(): string {
    return this.chosen.main.path;
  }

  /** Its path, with its name where a file has several models. */
  get place(): string {
    const { main, model } = this.chosen;
    return model === undefined ? main.path : `${main.path}/${model}`;
  }

  get name(): string {
    const { main, model } = this.chosen;
    return model === undefined ? baseName(main.path) : `${baseName(main.path)}/${model}`;
  }

  get waits(): boolean {
    return this.state === 'waiting';
  }

  /** Whether its conversion is waiting or at work. */
  get busy(): boolean {
    return this.state === 'waiting' || this.state === 'working';
  }

  /** Whether it has a result, or an end that the page came to by itself, of other options than these. */
  isStale(asked: string): boolean {
    return (this.state === 'done' || (this.state === 'failed' && this.byItself)) && this.asked?.text !== asked;
  }

  get isQuick(): boolean {
    return this.milliseconds < QUICK;
  }

  /** Whether it failed because side files are missing: those that the model names, or that its format needs. */
  get lacksFiles(): boolean {
    return missingFiles(this.messages).length > 0 || lackedBy(this.chosen, this.messages).length > 0;
  }

  /**
   * Resolves when the conversion ends, or at once when it is cancelled; `state` says how. Performance marks say when it begins and when it
   * first progresses.
   */
  async run(asked: Asked, onStep: (step: Step) => void): Promise<void> {
    const { options } = asked;
    const start = performance.now();
    this.asked = asked;
    const { signal } = this.#control;
    this.state = 'working';
    performance.mark('mo-begin');
    const onProgress = (progress: Progress) => {
      if (!this.#progressed) performance.mark('mo-progress');
      this.#progressed = true;
      onStep(progress);
    };
    try {
      const result = await convertChosen(this.chosen, { ...options, emit_check: true }, signal, onStep, onProgress);
      if (signal.aborted) return;
      const { xml, bin, sideFiles, report, warnings, files } = result;
      const check = sideFiles.find(({ kind }) => kind === 'check')!;
      const wanted = options.emit_check ? sideFiles : sideFiles.filter((file) => file !== check);
      this.done = {
        report,
        warnings,
        files,
        check,
        options,
        asked,
        downloads: downloadsOf(report.name, xml, bin, wanted),
        milliseconds: (this.milliseconds = performance.now() - start),
        trace: (signal, onStep) => convertChosen(this.chosen, { ...options, trace: true }, eitherOf(signal, this.#discarded.signal), onStep),
      };
      this.state = 'done';
    } catch (error) {
      if (signal.aborted) return;
      this.milliseconds = performance.now() - start;
      this.fail(messagesOf(error));
    }
  }

  /** Marks the task as failed. */
  fail(messages: readonly Message[]): void {
    this.messages = messages;
    this.state = 'failed';
  }

  cancel(): void {
    if (!this.busy) return;
    this.state = 'cancelled';
    this.#control.abort();
  }

  /** Cancels the task if it is busy, and revokes the URLs of its downloads. */
  discard(): void {
    this.cancel();
    this.#discarded.abort();
    for (const { url } of this.done?.downloads ?? []) URL.revokeObjectURL(url);
  }
}

function eitherOf(...signals: readonly AbortSignal[]): AbortSignal {
  const control = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) control.abort(signal.reason);
    else signal.addEventListener('abort', () => control.abort(signal.reason));
  }
  return control.signal;
}

/** Rejects at once when `signal` is aborted. */
async function convertChosen(
  given: Chosen, asked: BrowserOptions, signal: AbortSignal, onStep: (step: Step) => void, onProgress: (progress: Progress) => void = onStep,
): Promise<BrowserResult> {
  const { chosen, options } = await withNamed(given, asked);
  signal.throwIfAborted();
  const cancelled = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const onBytes = (bytes: number, totalBytes: number) => onStep({ phase: 'unpack', transform: '', index: 0, count: 0, bytes, totalBytes });
  const work = withModel(chosen, { signal, onBytes }, (model) => convert(model, optionsFor(chosen, options), { signal, onProgress }));
  return Promise.race([work, cancelled]);
}

const MEDIA_TYPES: Readonly<Record<ResultFile['kind'], string>> = { mapping: 'text/xml', check: 'text/x-python', trace: 'application/json' };

/** The pair first, then the files beside it. */
function downloadsOf(name: string, xml: string, bin: Blob, sideFiles: readonly ResultFile[]): Download[] {
  const download = (name: string, content: Blob) => ({ name, size: content.size, content, url: URL.createObjectURL(content) });
  return [
    download(`${name}.xml`, new Blob([xml], { type: 'text/xml' })),
    download(`${name}.bin`, bin),
    ...sideFiles.map(({ kind, name, text }) => download(name, new Blob([text], { type: MEDIA_TYPES[kind] }))),
  ];
}

/** The messages of anything that was thrown. */
export function messagesOf(error: unknown): readonly Message[] {
  return error instanceof MoError ? error.messages : [pageMessage(Unexpected, msg`${String(error)}`, 'load the page again')];
}
