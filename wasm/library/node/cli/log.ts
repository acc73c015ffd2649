import process from 'node:process';

import type { LogLine } from '../../shared/api.js';
import { BAD_OPTION_VALUE, INPUT_WITHOUT_RANK, RANK_NOT_KNOWN, RANKS_OF_BRANCHES_DIFFER } from '../../shared/codes.js';
import type { CommandLine, Core, ModelArgument } from '../../shared/core.js';
import { MoError, type Message } from '../../shared/messages.js';
import { printable } from '../../shared/printable.js';
import { barOf, ProgressBar, type BarKind } from './progress-bar.js';
import { eraseDrawn, isSilent, lineOf, say, tell } from './say.js';
import { msg } from '../../shared/msg.js';

const NONE = 5;
const RANKS: Readonly<Record<string, number>> = { NOTSET: 0, DEBUG: 1, INFO: 2, WARN: 3, WARNING: 3, CRITICAL: NONE };
const WARNING = '[ WARNING ]  ';
const ERROR = '[ ERROR ]  ';
/** Of more warnings of one code, only the number is said, unless all is. */
const MOST_OF_CODE = 20;

/** Whether the warning is about options, or about an IR that OpenVINO reads only if more options are given. */
const asksForOptions = ({ code }: Message): boolean => code.startsWith('MO6') || [RANKS_OF_BRANCHES_DIFFER, RANK_NOT_KNOWN, INPUT_WITHOUT_RANK].some((number) => code === `MO${number}`);

/** What others do with the models of the same command line. */
export interface Company {
  /** How many models the command line means. */
  models: number;
  /** How many of them have been converted or have failed before, and how many have been converted. */
  ended: number;
  converted: number;
  /** Takes a warning, so that equal ones of several models are one line. */
  warn: (line: string) => void;
}

/** What the command prints besides its result: messages, phases and progress, all on the standard error. */
export class Log {
  /** The rank of the lowest level that is shown. */
  readonly #least: number;
  readonly #kind: BarKind;
  readonly #bar: ProgressBar;
  readonly #pattern: RegExp | undefined;
  /** Warnings, and how often they came. */
  readonly #waiting = new Map<string, number>();
  readonly #said = new Set<string>();
  /** The code of the first error. */
  #error = '';
  #ended: number;
  #phase = '';
  #transform = '';

  /**
   * `pattern` is the value of MO_LOG_PATTERN: a regular expression. Warnings and lines of lower levels that do not match it are not shown. With
   * `isJob`, a process that converts other models, too, prints what this one says.
   */
  constructor(
    private readonly core: Core,
    private readonly line: CommandLine,
    pattern: string | undefined,
    private readonly isJob: boolean,
    private readonly company?: Company,
  ) {
    this.#least = isSilent(line) ? NONE : (RANKS[line.logLevel] ?? 4);
    this.#kind = barOf(line, isJob);
    this.#bar = new ProgressBar(this.#kind);
    this.#ended = company?.ended ?? 0;
    try {
      if (pattern) this.#pattern = new RegExp(pattern);
    } catch {
      throw new MoError([core.hostMessage(BAD_OPTION_VALUE, msg`MO_LOG_PATTERN is "${pattern}", want a regular expression`, '')]);
    }
  }

  /** Whether the command line means a single model. */
  get isAboutOneModel(): boolean {
    return !this.isJob && this.#models < 2;
  }

  get #models(): number {
    return this.company?.models ?? this.line.models.length;
  }

  get #printsOfOne(): boolean {
    return this.isJob || this.#models < 2;
  }

  /**
   * Shows errors always. At the level WARNING or a lower one it shows all warnings; at ERROR without --silent, those that ask for options.
   * Warnings wait, so that equal ones are one line.
   */
  show(message: Message): void {
    const text = lineOf(this.core, message);
    if (message.severity !== 'warning') {
      this.settle();
      this.#error ||= message.code;
      return this.writeLine(text);
    }
    if (this.#least > 3 && (!asksForOptions(message) || this.#least > 4)) return;
    if (this.#pattern && !this.#pattern.test(message.text)) return;
    // Who prints what a job says counts its lines.
    if (this.isJob) this.writeLine(text);
    else if (this.company && this.#models > 1) this.company.warn(text);
    else this.wait(text);
  }

  /** Keeps a warning until all are known that are equal. */
  wait(text: string): void {
    this.#waiting.set(text, (this.#waiting.get(text) ?? 0) + 1);
  }

  /** Writes the warnings that wait, unless further models may have the same. */
  settle(): void {
    if (this.#printsOfOne) this.#writeWaiting();
  }

  readonly extension = ({ level, text }: LogLine): void => this.#write(level, text);

  readonly progress = (phase: string, transform: string, index: number, count: number): void => {
    if (phase !== this.#phase) this.#write('info', `phase ${(this.#phase = phase)}`);
    if (transform !== this.#transform && (this.#transform = transform) !== '') this.#write('debug', transform);
    if (count > 0) this.#showProgress(index / count);
  };

  /** Writes a line as it is. */
  writeLine(text: string): void {
    eraseDrawn();
    tell(`${text}\n`);
  }

  /** say() for a text that is the same for each model. */
  sayOnce(text: string): void {
    if (this.#said.has(text) || (this.company?.converted ?? 0) > 0) return;
    this.#said.add(text);
    say(this.core, text);
  }

  /** What the process of a model has printed. */
  passOn(output: string, errors: string): void {
    for (const line of linesOf(errors)) {
      if (line.startsWith(WARNING) && line.endsWith('\n')) this.wait(line.slice(0, -1));
      else {
        if (line.startsWith(ERROR)) this.#error ||= line.slice(ERROR.length).split(' ')[0]!;
        eraseDrawn();
        tell(line);
      }
    }
    if (this.line.json) return say(this.core, output);
    for (const line of linesOf(output)) {
      if (line.startsWith('[ INFO ] ')) this.sayOnce(line);
      else say(this.core, line);
    }
  }

  /** The code of the first error since the last call; empty if there was none. */
  takeError(): string {
    const error = this.#error;
    this.#error = '';
    return error;
  }

  /** All of the model is said; that of the last one, and finish() follows. */
  endOfModel({ path }: ModelArgument): void {
    this.#ended++;
    this.#phase = this.#transform = '';
    this.#bar.begin();
    if (this.#printsOfOne || this.#kind === 'none' || this.#kind === 'steps') return;
    this.#bar.showLine(this.#ended / this.#models, `${this.#ended} of ${this.#models}: ${printable(path)}`);
  }

  finish(): void {
    this.#writeWaiting();
    eraseDrawn();
  }

  #showProgress(part: number): void {
    if (this.#kind === 'steps' || (this.#kind !== 'none' && this.#printsOfOne)) return this.#bar.show(part);
    if (this.#kind !== 'drawn') return;
    const { path } = this.line.models[this.#ended - (this.company?.ended ?? 0)]!;
    this.#bar.show((this.#ended + part) / this.#models, `${this.#ended + 1} of ${this.#models}: ${printable(path)}`);
  }

  #writeWaiting(): void {
    const codes = new Map<string, { lines: number; more: number }>();
    for (const [text, count] of this.#waiting) {
      const code = text.slice(WARNING.length).split(' ', 1)[0]!;
      const ofCode = codes.get(code) ?? { lines: 0, more: 0 };
      codes.set(code, ofCode);
      if (++ofCode.lines <= MOST_OF_CODE || this.#least < RANKS['INFO']!) this.writeLine(count > 1 ? `${text} (${count} times)` : text);
      else ofCode.more += count;
    }
    for (const code of [...codes.keys()].sort()) {
      const { more } = codes.get(code)!;
      if (more > 0) this.writeLine(`${WARNING}and ${more} more of ${code}: --log_level DEBUG shows all`);
    }
    this.#waiting.clear();
  }

  #write(level: 'info' | 'debug', text: string): void {
    if ((level === 'info' ? 2 : 1) < this.#least || (this.#pattern && !this.#pattern.test(text))) return;
    this.writeLine(`[ ${level.toUpperCase()} ]  ${printable(text)}`);
  }
}

/** With their ends. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/).filter((line) => line !== '');
}

/** `job`: the model of this process, if it is one of several. */
export const logOf = (core: Core, line: CommandLine, job: ModelArgument | undefined, company?: Company): Log =>
  new Log(core, line, process.env['MO_LOG_PATTERN'], job !== undefined, company);
