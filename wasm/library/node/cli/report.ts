import { statSync } from 'node:fs';
import { basename } from 'node:path';

import type { Progress, Report } from '../../shared/api.js';
import type { CommandLine, Converted, Core } from '../../shared/core.js';
import { jsonOf } from '../../shared/printable.js';
import { textFiles } from '../../shared/side-files.js';
import { textsOf } from '../../shared/texts-by-kind.js';
import { makeReport, reportHtml, Times, type Trace } from '../../shared/report/report.js';
import type { FsFiles } from '../fs-files.js';
import { refuseOwn, writeText } from '../writer.js';
import { hashOf } from './record.js';

/** The report that --report asks for. */
export class CommandReport {
  readonly #times = new Times();

  constructor(
    private readonly core: Core,
    private readonly line: CommandLine,
  ) {}

  /** A callback for the core that calls `show`, too. */
  progress(show: (phase: string, transform: string, index: number, count: number) => void): typeof show {
    return (phase, transform, index, count) => {
      this.#times.note({ phase: phase as Progress['phase'], transform, index, count, bytes: 0, totalBytes: 0 });
      show(phase, transform, index, count);
    };
  }

  /** The core is done: what follows is writing, unless the report would take the place of one of the model's `files`. */
  converted(files: FsFiles): void {
    refuseOwn(this.core, files, this.line.report, 'choose another path for --report');
    this.#times.note({ phase: 'write', transform: '', index: 0, count: 0, bytes: 0, totalBytes: 0 });
  }

  /** Writes the report about the IR with these paths. */
  write(outcome: Converted, paths: readonly string[]): void {
    const times = this.#times.finish();
    const report = makeReport({
      version: this.core.version(),
      options: Object.fromEntries(this.line.options),
      trace: JSON.parse(textsOf(textFiles(outcome.sideFiles, '')).trace) as Trace,
      result: JSON.parse(outcome.report) as Report,
      messages: outcome.messages,
      times,
      files: paths.map((path) => ({ name: basename(path), bytes: statSync(path).size, sha256: hashOf(path) })),
    });
    writeText(this.core, this.line.report, this.line.report.endsWith('.html') ? reportHtml(report) : `${jsonOf(report, 1)}\n`, this.line.fsync);
  }
}
