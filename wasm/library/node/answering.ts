import type { Watcher } from '../../extension/core/failure.js';
import type { ExtensionRoot } from '../../extension/load/loader.js';
import type { Comparison, FirstFacts, Inspection, LogLine, Progress, Report, ResultFile } from '../shared/api.js';
import { XmlText, type Core, type FoundModels } from '../shared/core.js';
import { loadFor } from '../shared/extensions.js';
import { found } from '../shared/found.js';
import { readInspection } from '../shared/inspection.js';
import { MoError, type Message } from '../shared/messages.js';
import { Meter } from '../shared/meter.js';
import { listed } from '../shared/place-list.js';
import { textFiles } from '../shared/side-files.js';
import { compareOpen, readVerification, type SentVerification } from '../shared/verification.js';
import type { FsFiles } from './fs-files.js';
import { modelsBelow, openFiles } from './open-model.js';
import { Plan } from './plan.js';
import type { SecondThread } from './second-thread.js';
import { mainFile, type Source } from './source.js';
import { refuseChanged, Writer } from './writer.js';
import { typeScript } from './type-script.js';

/** What is to be converted, and how. */
export interface Conversion {
  source: Source;
  /** Files that options name, by these names. */
  sides: [name: string, source: Source][];
  options: [name: string, value: string][];
  /** The user has named the model. */
  isNamed?: boolean;
  extensions: readonly ExtensionRoot[];
  /** `verify`: what the graph is, too. */
  graph?: boolean;
  /** `compare`: the other IR, and whether the contents of constants are compared. */
  other?: Source;
  contents?: boolean;
}

export type Request =
  | ({ kind: 'convert' | Look } & Conversion)
  | { kind: 'write'; path: string }
  | { kind: 'read'; offset: number; size: number }
  | { kind: 'release' };

/** What is only looked at, and not converted. */
export type Look = 'inspect' | 'places' | 'find' | 'verify' | 'compare';

/** The answers to each kind of request. */
export interface Answers {
  convert: { xml: string; size: number; sideFiles: readonly ResultFile[]; report: Report; warnings: Message[]; config: string };
  inspect: Inspection;
  places: Uint8Array<ArrayBuffer>;
  find: FoundModels;
  verify: SentVerification;
  compare: Comparison;
  write: undefined;
  read: Uint8Array<ArrayBuffer>;
  release: undefined;
}

export type Event =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'log'; line: LogLine }
  | { kind: 'facts'; facts: FirstFacts };

/** Carries out one conversion at a time, and then gives pieces of its `.bin` as long as they are requested. */
export class Answering {
  /** The last request. A request begins when all before it have ended. */
  #last: Promise<unknown> = Promise.resolve();
  #open: { files: FsFiles; plan?: Plan; writer?: Writer; id?: number } | undefined;

  /** `stopped` says whether the work has to end; the core's state is undefined after that. `second` helps to write. */
  constructor(
    private readonly core: Core,
    private readonly send: (event: Event) => void,
    private readonly watcher?: Watcher,
    private readonly stopped?: () => boolean,
    private readonly second?: SecondThread,
  ) {}

  answer(request: Request): Promise<Answers[Request['kind']]> {
    return this.#inTurn(() => this.#carryOut(request));
  }

  /** Forgets the conversion and closes its files. */
  release(): Promise<void> {
    return this.#inTurn(() => this.#forget());
  }

  #inTurn<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #carryOut(request: Request): Answers[Request['kind']] | Promise<Answers[Request['kind']]> {
    switch (request.kind) {
      case 'convert':
        return this.#convert(request);
      case 'inspect':
        return this.#inspect(request);
      case 'places':
        return this.#places(request);
      case 'find':
        return this.#find(request);
      case 'verify':
        return this.#verify(request);
      case 'compare':
        return this.#compare(request);
      case 'write':
        return this.#write(request.path);
      case 'read': {
        const piece = new Uint8Array(request.size);
        const { files, plan } = this.#open!;
        plan!.read(request.offset, piece);
        if (request.offset + request.size >= plan!.size) refuseChanged(this.core, files);
        return piece;
      }
      case 'release':
        return this.#forget();
    }
  }

  async #write(path: string): Promise<undefined> {
    try {
      await this.#open!.writer!.saveBin(path);
    } finally {
      this.second?.end();
    }
  }

  #forget(): undefined {
    if (this.#open?.id !== undefined) this.core.release(this.#open.id);
    this.#open?.files.close();
    this.#open = undefined;
  }

  async #convert(conversion: Conversion): Promise<Answers['convert']> {
    const { files, extensions, job, isInArchive } = await this.#begin(conversion);
    const xml = new XmlText();
    const outcome = this.core.convert(...job, xml.add);
    if (!outcome.ok) throw new MoError([...(extensions?.warnings ?? []), ...outcome.messages]);
    refuseChanged(this.core, files);
    const plan = new Plan(this.core, files, outcome);
    const { source } = conversion;
    this.#open = { files, plan, writer: new Writer(this.core, files, plan, this.second), id: outcome.id };
    return {
      xml: xml.text,
      size: plan.size,
      sideFiles: textFiles(outcome.sideFiles, isInArchive ? '-' : source.kind === 'path' ? source.path : source.name),
      report: JSON.parse(outcome.report) as Report,
      warnings: [...(extensions?.warnings ?? []), ...outcome.messages],
      config: outcome.config,
    };
  }

  async #inspect(conversion: Conversion): Promise<Inspection> {
    const { files, extensions, job } = await this.#begin(conversion);
    const found = this.core.inspect(...job, (facts) => this.send({ kind: 'facts', facts: JSON.parse(facts) as FirstFacts }));
    if (found.ok) this.#open = { files, id: found.id };
    return readInspection(found, extensions);
  }

  async #places(conversion: Conversion): Promise<Answers['places']> {
    const { job: [files, main, options, step] } = await this.#begin(conversion);
    return listed(this.core.listPlaces(files, main, options, step));
  }

  #find({ source }: Conversion): FoundModels {
    this.#forget();
    if (source.kind === 'path') {
      const { files, find } = modelsBelow(this.core, source.path);
      this.#open = { files };
      return find();
    }
    const { files } = openFiles(this.core, source, []);
    this.#open = { files };
    return found(this.core.findModels(files, ''));
  }

  #verify({ source, graph }: Conversion): SentVerification {
    this.#forget();
    const { files, main } = openFiles(this.core, source, []);
    this.#open = { files };
    return readVerification(this.core.verifyIr(files, main, graph === true));
  }

  #compare({ source, other, contents }: Conversion): Comparison {
    this.#forget();
    const a = openFiles(this.core, source, []);
    this.#open = { files: a.files };
    const b = openFiles(this.core, other!, []);
    try {
      return compareOpen(this.core, a, b, contents === true);
    } finally {
      b.files.close();
    }
  }

  /** Opens the files and loads the extensions; `job` has the first arguments of the core's functions. */
  async #begin({ source, sides, options: given, isNamed, extensions: roots }: Conversion) {
    this.#forget();
    const { files, main, name, archive } = openFiles(this.core, source, sides);
    this.#open = { files };
    const found = name ?? (archive && this.core.defaultModelName(mainFile(source)));
    const options = isNamed || found === undefined ? given : given.map(([option, value]): [string, string] => [option, option === 'model_name' ? found : value]);
    const meter = new Meter((progress) => this.send({ kind: 'progress', progress }), this.stopped);
    const extensions = await loadFor(this.core, roots, typeScript, (line) => this.send({ kind: 'log', line }), undefined, this.watcher);
    return { files, extensions, isInArchive: archive !== undefined, job: [meter.watch(files), main, options, meter.step, extensions?.callbacks] as const };
  }
}
