import { isatty } from 'node:tty';

import type { CommandLine } from '../../shared/core.js';
import { drawLine, ERRORS, isSilent, tell } from './say.js';

/** One line that is drawn over the last one; a line for each tenth; a line for each step. */
export type BarKind = 'none' | 'drawn' | 'tenths' | 'steps';

/** A longer line would be two, which are not drawn over. */
const COLUMNS = 79;

/** `isJob`: the process of one of several models. */
export function barOf(line: CommandLine, isJob: boolean): BarKind {
  if (!line.progress || isSilent(line)) return 'none';
  if (line.streamOutput) return 'steps';
  if (isJob) return 'none';
  return isatty(ERRORS) ? 'drawn' : 'tenths';
}

/** How far the command has come, on the standard error. */
export class ProgressBar {
  #tenths = 0;

  constructor(private readonly kind: BarKind) {}

  /** `part` is from 0 to 1; `what` stands behind it. */
  show(part: number, what = ''): void {
    if (this.kind === 'drawn') return draw(part, what);
    if (this.kind === 'steps') return writeLine(part, what);
    const tenths = Math.floor(part * 10);
    if (tenths > this.#tenths) writeLine((this.#tenths = tenths) / 10, what);
  }

  /** Shows it as a line of its own if it is not drawn. */
  showLine(part: number, what: string): void {
    if (this.kind === 'drawn') draw(part, what);
    else writeLine(part, what);
  }

  /** The next model begins. */
  begin(): void {
    this.#tenths = 0;
  }
}

function draw(part: number, what: string): void {
  const bar = textOf(part);
  drawLine(what === '' ? bar : `${bar}, ${fitting(what, COLUMNS - bar.length - 2)}`, part === 1 && what === '');
}

function writeLine(part: number, what: string): void {
  tell(`${textOf(part)}${what === '' ? '' : ', '}${what}\n`);
}

/** The end of `text`, with dots in place of what does not fit. */
function fitting(text: string, columns: number): string {
  const characters = [...text];
  return characters.length <= columns ? text : `...${characters.slice(3 - columns).join('')}`;
}

function textOf(part: number): string {
  return `Progress: [${'.'.repeat(Math.floor(part * 20)).padEnd(20)}]${(part * 100).toFixed(2).padStart(7)}% done`;
}
