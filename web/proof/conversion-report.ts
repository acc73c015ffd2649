/** The report of a conversion, made from its trace: loaded when the page is idle. */
import type { BrowserOptions, Message, Report } from '@mo/wasm';
import { jsonOf as json } from '@mo/wasm/printable';
import { makeReport, reportBody, reportHtml, Times, type ConversionReport, type ReportPart, type TimedStep, type Trace } from '@mo/wasm/report';

export type { ConversionReport, ReportPart };
export { reportBody, Times };

/** What the report is about. */
export interface About {
  readonly trace: Trace;
  readonly report: Report;
  readonly times: readonly TimedStep[];
  readonly version: string;
  readonly options: BrowserOptions;
  readonly warnings: readonly Message[];
}

export function reportOf({ version, options, trace, report, warnings, times }: About): ConversionReport {
  return makeReport({ version, options: optionTexts(options), trace, result: report, messages: warnings, times });
}

/** As the command line's report is written. */
export const jsonOf = (report: ConversionReport): string => `${json(report, 1)}\n`;
export const htmlOf = reportHtml;

/** As the command line has them; for a file, its name. */
function optionTexts(options: BrowserOptions): Record<string, string> {
  const rest = Object.entries(options as Readonly<Record<string, unknown>>).filter(([name]) => name !== 'extensions');
  return Object.fromEntries(rest.map(([name, value]) => [name, value instanceof File ? value.name : value === true ? 'True' : String(value)]));
}
