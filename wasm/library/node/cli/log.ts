import { isatty } from 'node:tty';

import type { LogLine } from '../../shared/api.js';
import { BAD_OPTION_VALUE, INPUT_WITHOUT_RANK, RANK_NOT_KNOWN, RANKS_OF_BRANCHES_DIFFER } from '../../shared/codes.js';
import type { CommandLine, Core } from '../../shared/core.js';
import { MoError, type Message } from '../../shared/messages.js';
import { printable } from '../../shared/printable.js';
import { ERRORS, lineOf, tell } from './say.js';
import { msg } from '../../shared/msg.js';

const RANKS: Readonly<Record<string, number>> = { NOTSET: 0, DEBUG: 1, INFO: 2, WARN: 3, WARNING: 3, CRITICAL: 5 };

/** Whether the warning is about options, or about an IR that OpenVINO reads only if more options are given. */
const asksForOptions = ({ code }: Message): boolean => code.startsWith('MO6') || [RANKS_OF_BRANCHES_DIFFER, RANK_NOT_KNOWN, INPUT_WITHOUT_RANK].some((number) => code === `MO${number}`);

/** What the command prints besides its result: messages, phases and progress, all on the standard error. */
export class Log {
  /** The rank of the lowest level that is shown. */
  readonly #least: number;
  readonly #bar: boolean;
  readonly #pattern: RegExp | undefined;
  #phase = '';
  #transform = '';

  /**
   * `pattern` is the value of MO_LOG_PATTERN: a regular expression. Warnings and lines of lower levels that do not match it are not shown.
   */
  constructor(
    private readonly core: Core,
    private readonly line: CommandLine,
    pattern: string | undefined,
  ) {
    this.#least = RANKS[line.logLevel] ?? 4;
    this.#bar = line.progress && (line.streamOutput || isatty(ERRORS));
    try {
      if (pattern) this.#pattern = new RegExp(pattern);
    } catch {
      throw new MoError([core.hostMessage(BAD_OPTION_VALUE, msg`MO_LOG_PATTERN is "${pattern}", want a regular expression`, '')]);
    }
  }

  /**
   * Shows errors always. At the level WARNING or a lower one it shows all warnings; at ERROR without --silent, those that ask for options.
   */
  show(message: Message): void {
    if (message.severity === 'warning') {
      if (this.#least > 3 && (this.line.silent || !asksForOptions(message) || this.#least > 4)) return;
      if (this.#pattern && !this.#pattern.test(message.text)) return;
    }
    tell(`${lineOf(this.core, message)}\n`);
  }

  readonly extension = ({ level, text }: LogLine): void => this.#write(level, text);

  readonly progress = (phase: string, transform: string, index: number, count: number): void => {
    if (phase !== this.#phase) this.#write('info', `phase ${(this.#phase = phase)}`);
    if (transform !== this.#transform && (this.#transform = transform) !== '') this.#write('debug', transform);
    if (this.#bar && count > 0) this.#drawBar(index, count);
  };

  #write(level: 'info' | 'debug', text: string): void {
    if ((level === 'info' ? 2 : 1) < this.#least || (this.#pattern && !this.#pattern.test(text))) return;
    tell(`[ ${level.toUpperCase()} ]  ${printable(text)}\n`);
  }

  /** Draws the bar over the last one, or writes a line for each step. */
  #drawBar(index: number, count: number): void {
    const part = index / count;
    const bar = `Progress: [${'.'.repeat(Math.floor(part * 20)).padEnd(20)}]${(part * 100).toFixed(2).padStart(7)}% done`;
    tell(this.line.streamOutput ? `${bar}\n` : `\r${bar}${index === count ? '\n' : ''}`);
  }
}
