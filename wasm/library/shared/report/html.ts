import type { ConversionReport, FoldedWeight, ReportNode, ReportStep } from './conversion-report.js';

/** Longer lists are cut: the JSON has them whole. */
const LONGEST = 200;

const STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
details { border-bottom: 1px solid #8884; padding: .3rem 0; } summary { cursor: pointer; } ul { margin: .3rem 0; padding-left: 1.2rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; } .n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; } .quiet { opacity: .7; }`;

/** The report as one page that needs nothing else: no script, no file, no network. */
export function reportHtml(report: ConversionReport): string {
  return `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n` +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n` +
    `<title>${escape(titleOf(report))}</title>\n<style>${STYLE}\n</style>\n</head>\n<body>\n${reportBody(report)}\n</body>\n</html>\n`;
}

function titleOf({ result }: ConversionReport): string {
  return `${result.name}: conversion report`;
}

/** What is in that page, for a page with styles of its own. */
export function reportBody(report: ConversionReport): string {
  const { result, version, files, options, messages, steps, names, weights, times } = report;
  return [
    `<h1>${escape(titleOf(report))}</h1><p class="quiet">${version && `Made by mo ${escape(version)}. `}The IR needs OpenVINO ${escape(result.runtime)} or newer.</p>`,
    section('Model', table(['kind', 'name', 'shape', 'type'], [
      ...result.inputs.map((port) => ['input', code(port.name), code(port.shape), code(port.type)]),
      ...result.outputs.map((port) => ['output', code(port.name), code(port.shape), code(port.type)]),
    ])),
    section('Files', table(['name', 'bytes', 'SHA-256'], files.map(({ name, bytes, sha256 = '' }) => [code(name), number(bytes), code(sha256)]))),
    section('Options', table(['option', 'value'], Object.entries(options).map(([name, value]) => [code(name), code(value)]))),
    section('Messages', list(messages.map(({ severity, code: number, text, node }) => `${escape(severity)} ${code(number)} ${escape(text)}${node && ` (node ${code(node)})`}`))),
    section('Operations of the IR', table(['type', 'count'], Object.entries(result.operations).map(([type, count]) => [code(type), number(count)]))),
    section('Transformations', steps.map(stepHtml).join('')),
    section('Weights that were folded', list(weights.map(weightHtml))),
    section('Names', namesHtml(names)),
    section('Time', table(['phase', 'milliseconds'], phases(times).map(([phase, time]) => [escape(phase), number(Math.round(time))]))),
  ].filter(Boolean).join('\n');
}

function stepHtml({ phase, transform, before, after, changed }: ReportStep): string {
  const counts = [
    before.length > 0 ? `${before.length} removed` : '',
    after.length > 0 ? `${after.length} added` : '',
    changed.length > 0 ? `${changed.length} changed` : '',
  ].filter(Boolean).join(', ');
  const part = (title: string, nodes: readonly ReportNode[]) => (nodes.length > 0 ? `<p>${title}</p>${list(nodes.map(nodeHtml))}` : '');
  return `<details><summary>${code(transform)} <span class="quiet">${escape(phase)}: ${counts}</span></summary>` +
    `${part('Removed', before)}${part('Added', after)}${part('Changed', changed)}</details>\n`;
}

function weightHtml({ name, value, transform, into }: FoldedWeight): string {
  const what = `${code(name)} <span class="quiet">${escape(value)}, ${escape(transform)}</span>`;
  return into.length > 0 ? `${what}<br>folded into ${cut(into.map(nodeHtml)).join(', ')}` : `${what}<br>not needed`;
}

function namesHtml({ inputs, outputs, tensorsKept, tensorsGone }: ConversionReport['names']): string {
  const rows = (kind: string, all: typeof inputs) => all.map(({ from, to }) => [kind, code(from), to === from ? 'kept' : to === '' ? 'gone' : code(to)]);
  return table(['kind', 'in the model', 'in the IR'], [...rows('input', inputs), ...rows('output', outputs)]) +
    `<p>Tensor names kept: ${tensorsKept}. Gone: ${tensorsGone.length}.</p>` +
    (tensorsGone.length > 0 ? `<details><summary>Names of tensors that the IR does not have</summary>${list(tensorsGone.map(code))}</details>` : '');
}

/** The time of each phase, in the order of their first steps. */
function phases(times: ConversionReport['times']): [phase: string, milliseconds: number][] {
  const sums = new Map<string, number>();
  for (const { phase, milliseconds } of times) sums.set(phase, (sums.get(phase) ?? 0) + milliseconds);
  return [...sums];
}

function nodeHtml({ graph, name, op }: ReportNode): string {
  return `${code(name)} <span class="quiet">${escape(op)}${graph && ` in ${escape(graph)}`}</span>`;
}

function section(title: string, content: string): string {
  return content && `<h2>${title}</h2>\n${content}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${line(head, 'th')}</thead><tbody>\n${cut(rows.map((row) => line(row, 'td')), (more) => line([more], 'td')).join('\n')}\n</tbody></table>`;
}

function list(items: readonly string[]): string {
  return items.length > 0 ? `<ul>${cut(items).map((item) => `<li>${item}</li>`).join('')}</ul>` : '';
}

function cut(items: readonly string[], wrap = (more: string) => more): readonly string[] {
  return items.length <= LONGEST ? items : [...items.slice(0, LONGEST), wrap(`and ${items.length - LONGEST} more`)];
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function code(text: string): string {
  return text && `<code>${escape(text)}</code>`;
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
