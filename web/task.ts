import { convert, MoError, type BrowserOptions, type BrowserResult, type Message, type Progress } from '@mo/wasm';

import { withModel } from './archive/ready.js';
import { baseName, type Chosen } from './chosen.js';
import { missingFiles } from './failed.js';
import { pageMessage } from './messages.js';

/** A file to be saved. */
export interface Download {
  readonly name: string;
  readonly size: number;
  readonly content: Blob;
  readonly url: string;
}

/** What came of a conversion. */
export interface Done extends Omit<BrowserResult, 'xml' | 'bin' | 'mapping'> {
  readonly downloads: readonly Download[];
  readonly milliseconds: number;
}

/** Progress of a conversion, before which files of an archive may be unpacked. */
export interface Step extends Omit<Progress, 'phase'> {
  readonly phase: Progress['phase'] | 'unpack';
}

/** How much of the work is over, from 0 to 1: half of it is writing. undefined where that is not known. */
export function partOf({ phase, index, count, bytes, totalBytes }: Step): number | undefined {
  if (phase === 'unpack') return undefined;
  if (phase === 'write') return totalBytes === 0 ? 1 : (1 + bytes / totalBytes) / 2;
  return count === 0 ? undefined : index / count / 2;
}

/** The conversion of one model, once: from its turn in the row to what comes of it. */
export class Task {
  state: 'ready' | 'waiting' | 'working' | 'done' | 'failed' | 'cancelled';
  done: Done | undefined;
  messages: readonly Message[] = [];
  /** Those it was converted with. */
  options: BrowserOptions = {};
  readonly #control = new AbortController();
  #progressed = false;

  /** One that is only `ready` waits for the user, and is converted by another task then. */
  constructor(readonly chosen: Chosen, state: 'ready' | 'waiting' = 'waiting') {
    this.state = state;
  }

  get path(): string {
    return this.chosen.main.path;
  }

  get name(): string {
    return baseName(this.path);
  }

  get waits(): boolean {
    return this.state === 'waiting';
  }

  /** Whether its conversion is still to end. */
  get busy(): boolean {
    return this.state === 'waiting' || this.state === 'working';
  }

  /** Whether side files would mend it. */
  get lacksFiles(): boolean {
    return missingFiles(this.messages).length > 0;
  }

  /** Ends when the conversion does, or at once when it is cancelled; `state` says how. Marks in the browser's record say when it begins and first progresses. */
  async run(options: BrowserOptions, onStep: (step: Step) => void): Promise<void> {
    const start = performance.now();
    const { signal } = this.#control;
    this.state = 'working';
    this.options = options;
    performance.mark('mo-begin');
    const onProgress = (progress: Progress) => {
      if (!this.#progressed) performance.mark('mo-progress');
      this.#progressed = true;
      onStep(progress);
    };
    try {
      const cancelled = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      const onBytes = (bytes: number, totalBytes: number) => onStep({ phase: 'unpack', transform: '', index: 0, count: 0, bytes, totalBytes });
      const work = withModel(this.chosen, { signal, onBytes }, (model) => convert(model, options, { signal, onProgress }));
      const { xml, bin, mapping, ...rest } = await Promise.race([work, cancelled]);
      if (signal.aborted) return;
      this.done = { ...rest, downloads: downloadsOf(rest.report.name, xml, bin, mapping), milliseconds: performance.now() - start };
      this.state = 'done';
    } catch (error) {
      if (signal.aborted) return;
      this.fail(messagesOf(error));
    }
  }

  /** Nothing can come of it. */
  fail(messages: readonly Message[]): void {
    this.messages = messages;
    this.state = 'failed';
  }

  cancel(): void {
    if (!this.busy) return;
    this.state = 'cancelled';
    this.#control.abort();
  }

  /** Ends it if it runs, and gives back what its links hold. */
  discard(): void {
    this.cancel();
    for (const { url } of this.done?.downloads ?? []) URL.revokeObjectURL(url);
  }
}

function downloadsOf(name: string, xml: string, bin: Blob, mapping: string): Download[] {
  const download = (ending: string, content: Blob) => ({ name: `${name}${ending}`, size: content.size, content, url: URL.createObjectURL(content) });
  const pair = [download('.xml', new Blob([xml], { type: 'text/xml' })), download('.bin', bin)];
  return mapping === '' ? pair : [...pair, download('.mapping', new Blob([mapping], { type: 'text/xml' }))];
}

/** The messages of anything that was thrown. */
export function messagesOf(error: unknown): readonly Message[] {
  return error instanceof MoError ? error.messages : [pageMessage('MO7004', String(error), 'load the page again')];
}
