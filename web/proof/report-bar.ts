/**
 * The buttons of the conversion report. It needs a trace, which doubles the time of a conversion: so the model is converted once more when
 * the report is asked for, unless the graph view has done so.
 */
import { button, fill, h } from '../page/dom.js';
import { loadHelp } from '../report/help.js';
import { t, templateOf, type LiveText, type Text } from '../language/texts.js';
import { messageList } from '../report/messages.js';
import { offer } from '../save/offer.js';
import { messagesOf, partOf, type Done, type Step } from '../convert/task.js';
import { traceOf } from '../result/trace.js';
import type { ConversionReport } from './conversion-report.js';
import { digestOf } from './digests.js';
import { loadReport } from './parts.js';
import { showReport } from './report-dialog.js';
import { steps } from './steps.js';

type Parts = Awaited<ReturnType<typeof loadReport>>;
type Act = (report: ConversionReport, parts: Parts, pressed: HTMLElement) => void;

export function reportBar(done: Done): HTMLElement {
  const { name } = done.report;
  const status = h('div', { class: 'proof-status', role: 'status' });
  let made: ConversionReport | undefined;
  let busy = false;

  const use = async (act: Act, pressed: HTMLElement) => {
    if (busy) return;
    busy = true;
    const control = new AbortController();
    const { element, at } = steps(t('Conversion with a trace'), () => {
      control.abort();
      pressed.focus();
    });
    try {
      const parts = await loadReport();
      if (!made) fill(status, element);
      made ??= await make(done, parts, control.signal, at);
      const files = await filesOf(done);
      fill(status);
      act({ ...made, files }, parts, pressed);
    } catch (error) {
      fill(status, control.signal.aborted ? t('No report was made.') : messageList(messagesOf(error)));
    }
    busy = false;
  };
  const save = (ending: string, type: string, text: string) => {
    offer(new Blob([text], { type }), `${name}.report.${ending}`);
    fill(status, t('{file} goes where downloads go.', { file: `${name}.report.${ending}` }));
  };
  const acts: [label: LiveText, act: Act][] = [
    [t('Show report'), (report, { reportBody }, pressed) => showReport(t('{name}: conversion report', { name }), reportBody(report, templateOf), pressed)],
    [t('Report (HTML)'), (report, { htmlOf }) => save('html', 'text/html', htmlOf(report))],
    [t('Report (JSON)'), (report, { jsonOf }) => save('json', 'application/json', jsonOf(report))],
  ];
  const buttons = acts.map(([label, act]) => button(label, 'quiet', (pressed) => void use(act, pressed)));
  return h('div', { class: 'proof' }, h('div', { class: 'proof-buttons' }, ...buttons), status);
}

async function make(done: Done, { reportOf }: Parts, signal: AbortSignal, at: (part: number | undefined, text: Text) => void): Promise<ConversionReport> {
  const onStep = (step: Step) => at(partOf(step), step.transform || step.phase);
  const [traced, { VERSION: version }] = await Promise.all([traceOf(done, { signal, onStep }), loadHelp()]);
  return reportOf({ ...traced, version, options: done.options, warnings: done.warnings });
}

/** The files, with the digests that are known. */
function filesOf({ downloads }: Done): Promise<ConversionReport['files']> {
  return Promise.all(downloads.slice(0, 2).map(async (download) => {
    const sha256 = await digestOf(download);
    return { name: download.name, bytes: download.size, ...(sha256 === undefined ? {} : { sha256 }) };
  }));
}
