import { printable } from '../printable.js';
import { reportBody, titleOf, type ReportPart } from './body.js';
import type { ConversionReport } from './conversion-report.js';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
details { border-bottom: 1px solid #8884; padding: .3rem 0; } summary { cursor: pointer; } ul { margin: .3rem 0; padding-left: 1.2rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; } th, .n { white-space: nowrap; } td:first-child { min-width: 9ch; } .n { font-variant-numeric: tabular-nums; } .quiet { opacity: .7; }`;

/**
 * The report as one page that needs nothing else: no script, no file, no network.
 *
 * @example
 * ```js
 * import { writeFileSync } from 'node:fs';
 * import { convert } from '@mo/wasm';
 * import { makeReport, reportHtml } from '@mo/wasm/report';
 *
 * const { trace, report } = await convert('model.onnx', { trace: true });
 * writeFileSync('report.html', reportHtml(makeReport({ trace: JSON.parse(trace), result: report })));
 * ```
 */
export function reportHtml(report: ConversionReport): string {
  return `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n` +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n` +
    `<title>${escape(titleOf(report))}</title>\n<style>${STYLE}\n</style>\n</head>\n<body>\n${reportBody(report).map(htmlOf).join('\n')}\n</body>\n</html>\n`;
}

/** Elements of blocks begin a line: reports are compared, too. */
const BLOCKS = new Set(['details', 'tbody', 'tr']);

function htmlOf(part: ReportPart): string {
  if (typeof part === 'string') return escape(part);
  const { tag, look, children } = part;
  if (tag === 'br') return '<br>';
  return `${BLOCKS.has(tag) ? '\n' : ''}<${tag}${look && ` class="${look}"`}>${children.map(htmlOf).join('')}</${tag}>`;
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return printable(text).replace(/[&<>"']/g, (character) => entities[character]!);
}
