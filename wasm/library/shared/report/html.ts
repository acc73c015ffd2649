import type { ConversionReport, FoldedWeight, ReportNode, ReportStep } from './conversion-report.js';

/** Gives an English text in the language of the report. `{name}` in the text is a place for a value, which may be HTML. */
export type Say = (english: string, values?: Readonly<Record<string, string | number>>) => string;

/** Longer lists are cut: the JSON has them whole. */
const LONGEST = 200;

const STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; overflow-wrap: anywhere; }
details { border-bottom: 1px solid #8884; padding: .3rem 0; } summary { cursor: pointer; } ul { margin: .3rem 0; padding-left: 1.2rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; } th, .n { white-space: nowrap; } td:first-child { min-width: 9ch; } .n { font-variant-numeric: tabular-nums; } .quiet { opacity: .7; }`;

/** The report as one page that needs nothing else: no script, no file, no network. */
export function reportHtml(report: ConversionReport): string {
  return `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n` +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n` +
    `<title>${escape(titleOf(report, inEnglish))}</title>\n<style>${STYLE}\n</style>\n</head>\n<body>\n${reportBody(report)}\n</body>\n</html>\n`;
}

const inEnglish: Say = (english, values = {}) => english.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

function titleOf({ result }: ConversionReport, say: Say): string {
  return say('{name}: conversion report', { name: result.name });
}

/** The body of that page, for a page with styles of its own, in English or in another language. */
export function reportBody(report: ConversionReport, say: Say = inEnglish): string {
  const { result, version, files, options, messages, steps, names, weights, times } = report;
  return [
    `<h1>${escape(titleOf(report, say))}</h1><p class="quiet">${version && `${say('Made by mo {version}.', { version: escape(version) })} `}${say('The IR needs OpenVINO {version} or newer.', { version: escape(result.runtime) })}</p>`,
    section(say('Model'), table(say, [say('kind'), say('name'), say('shape'), say('type')], [
      ...result.inputs.map((port) => [say('input'), code(port.name), code(port.shape), code(port.type)]),
      ...result.outputs.map((port) => [say('output'), code(port.name), code(port.shape), code(port.type)]),
    ])),
    section(say('Files'), table(say, [say('name'), say('bytes'), 'SHA-256'], files.map(({ name, bytes, sha256 = '' }) => [code(name), number(bytes), code(sha256)]))),
    section(say('Options'), table(say, [say('option'), say('value')], Object.entries(options).map(([name, value]) => [code(name), code(value)]))),
    section(say('Messages'), list(say, messages.map(({ severity, code: number, text, node }) => `${escape(severity)} ${code(number)} ${escape(text)}${node && ` (${say('node')} ${code(node)})`}`))),
    section(say('Operations of the IR'), table(say, [say('type'), say('count')], Object.entries(result.operations).map(([type, count]) => [code(type), number(count)]))),
    section(say('Transformations'), steps.map((step) => stepHtml(step, say)).join('')),
    section(say('Weights that were folded'), list(say, weights.map((weight) => weightHtml(weight, say)))),
    section(say('Names'), namesHtml(names, say)),
    section(say('Time'), table(say, [say('phase'), say('milliseconds')], phases(times).map(([phase, time]) => [escape(phase), number(Math.round(time))]))),
  ].filter(Boolean).join('\n');
}

function stepHtml({ phase, transform, before, after, changed }: ReportStep, say: Say): string {
  const counts = [
    before.length > 0 ? say('{n} removed', { n: before.length }) : '',
    after.length > 0 ? say('{n} added', { n: after.length }) : '',
    changed.length > 0 ? say('{n} changed', { n: changed.length }) : '',
  ].filter(Boolean).join(', ');
  const part = (title: string, nodes: readonly ReportNode[]) => (nodes.length > 0 ? `<p>${title}</p>${list(say, nodes.map((node) => nodeHtml(node, say)))}` : '');
  return `<details><summary>${code(transform)} <span class="quiet">${escape(phase)}: ${counts}</span></summary>` +
    `${part(say('Removed'), before)}${part(say('Added'), after)}${part(say('Changed'), changed)}</details>\n`;
}

function weightHtml({ name, value, transform, into }: FoldedWeight, say: Say): string {
  const what = `${code(name)} <span class="quiet">${escape(value)}, ${escape(transform)}</span>`;
  return into.length > 0 ? `${what}<br>${say('folded into {nodes}', { nodes: cut(say, into.map((node) => nodeHtml(node, say))).join(', ') })}` : `${what}<br>${say('not needed')}`;
}

function namesHtml({ inputs, outputs, tensorsKept, tensorsGone }: ConversionReport['names'], say: Say): string {
  const rows = (kind: string, all: typeof inputs) => all.map(({ from, to }) => [kind, code(from), to === from ? say('kept') : to === '' ? say('gone') : code(to)]);
  return table(say, [say('kind'), say('in the model'), say('in the IR')], [...rows(say('input'), inputs), ...rows(say('output'), outputs)]) +
    `<p>${say('Tensor names kept: {kept}. Gone: {gone}.', { kept: tensorsKept, gone: tensorsGone.length })}</p>` +
    (tensorsGone.length > 0 ? `<details><summary>${say('Names of tensors that the IR does not have')}</summary>${list(say, tensorsGone.map(code))}</details>` : '');
}

/** The time of each phase, in the order of their first steps. */
function phases(times: ConversionReport['times']): [phase: string, milliseconds: number][] {
  const sums = new Map<string, number>();
  for (const { phase, milliseconds } of times) sums.set(phase, (sums.get(phase) ?? 0) + milliseconds);
  return [...sums];
}

function nodeHtml({ graph, name, op }: ReportNode, say: Say): string {
  return `${code(name)} <span class="quiet">${escape(op)}${graph && ` ${say('in {graph}', { graph: escape(graph) })}`}</span>`;
}

function section(title: string, content: string): string {
  return content && `<h2>${title}</h2>\n${content}`;
}

function table(say: Say, head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${line(head, 'th')}</thead><tbody>\n${cut(say, rows.map((row) => line(row, 'td')), (more) => line([more], 'td')).join('\n')}\n</tbody></table>`;
}

function list(say: Say, items: readonly string[]): string {
  return items.length > 0 ? `<ul>${cut(say, items).map((item) => `<li>${item}</li>`).join('')}</ul>` : '';
}

function cut(say: Say, items: readonly string[], wrap = (more: string) => more): readonly string[] {
  return items.length <= LONGEST ? items : [...items.slice(0, LONGEST), wrap(say('and {n} more', { n: items.length - LONGEST }))];
}

function number(value: number): string {
  return `<span class="n">${value.toLocaleString('en')}</span>`;
}

function code(text: string): string {
  return text && `<code>${escape(text)}</code>`;
}

function escape(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
