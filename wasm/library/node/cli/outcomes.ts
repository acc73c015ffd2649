import type { CommandLine, Core, ModelArgument } from '../../shared/core.js';
import { printable } from '../../shared/printable.js';
import { UNCHANGED } from './job-variable.js';
import type { Log } from './log.js';
import { isSilent, say } from './say.js';

/** What has become of the models of a command line: the last lines of the command, and its exit code. */
export class Outcomes {
  #converted = 0;
  #unchanged = 0;
  /** Paths, and codes of errors. */
  readonly #failed: string[] = [];
  #code = 0;

  constructor(
    private readonly core: Core,
    private readonly line: CommandLine,
    private readonly log: Log,
  ) {}

  /** How many models have been added, and how many of them have been converted. */
  get soFar(): { ended: number; converted: number } {
    return { ended: this.#converted + this.#unchanged + this.#failed.length, converted: this.#converted };
  }

  /** `code` is what convertModel() has given, `error` the code of the first error. */
  add(model: ModelArgument, code: number, error = this.log.takeError()): void {
    this.log.endOfModel(model);
    if (code === UNCHANGED) return void this.#unchanged++;
    this.#code = Math.max(this.#code, code);
    if (code === 0) this.#converted++;
    else this.#failed.push(`${printable(model.path)}${error === '' ? '' : ` (${error})`}`);
  }

  /** Prints what waits; of several models, how many have failed, and which. Returns the exit code of the command: the highest. */
  finish(): number {
    this.log.finish();
    const { models, info, json } = this.line;
    if (models.length < 2 || info) return this.#code;
    if (this.#failed.length === 0) {
      if (!json && !isSilent(this.line)) say(this.core, `[ SUCCESS ] ${this.#counts()}\n`);
      return this.#code;
    }
    this.log.writeLine(`[ ERROR ]  ${this.#counts()}:`);
    for (const model of this.#failed) this.log.writeLine(`  ${model}`);
    return this.#code;
  }

  #counts(): string {
    const parts = [];
    if (this.#converted > 0 || this.#unchanged === 0) parts.push(`${this.#converted} converted`);
    if (this.#unchanged > 0) parts.push(`${this.#unchanged} unchanged`);
    if (this.#failed.length > 0) parts.push(`${this.#failed.length} failed`);
    return parts.join(', ');
  }
}
