/** A transition model says nothing of the network: a skeleton has the smallest one of the same form, up to its numbers. */
import { concat } from '../wire.js';

export const BEGINS = '<TransitionModel> ';
/** Before the last array of a transition model. */
export const NUMBERS = '<LogProbs> ';

/** Forms of transition models; the newer ones have another pdf for self loops. */
interface Form {
  readonly tuples: boolean;
  readonly selfLoops: boolean;
}

/** One phone with one state, which stays or ends. */
export function binaryTransitions({ tuples, selfLoops }: Form): Uint8Array {
  const own = selfLoops ? [0] : [];
  return concat([
    text(`${BEGINS}<Topology> `), list(1), list(-1, 0), ...(selfLoops ? [int(-1)] : []), int(1), int(2),
    ...[0, ...own, 2, 0].map(int), half(), int(1), half(), ...[-1, ...(selfLoops ? [-1] : []), 0].map(int), text('</Topology> '),
    text(`<${tuples ? 'Tuples' : 'Triples'}> `), ...[1, 1, 0, 0, ...(tuples ? [0] : [])].map(int), text(`</${tuples ? 'Tuples' : 'Triples'}> ${NUMBERS}`),
  ]);
}

export function textTransitions({ tuples, selfLoops }: Form): string {
  const [pdf, word] = [selfLoops ? '<ForwardPdfClass> 0 <SelfLoopPdfClass> 0' : '<PdfClass> 0', tuples ? 'Tuples' : 'Triples'];
  return `${BEGINS}\n<Topology> \n<TopologyEntry> \n<ForPhones> \n1 \n</ForPhones> \n<State> 0 ${pdf} <Transition> 0 0.5 <Transition> 1 0.5 </State> \n<State> 1 </State> \n`
    + `</TopologyEntry> \n</Topology> \n<${word}> 1 \n1 0 0 ${tuples ? '0 ' : ''}\n</${word}> \n${NUMBERS}\n`;
}

/** The form of a binary transition model; `content` is what precedes its numbers. In it are the phones, the index of each, and a number that is -1 for newer forms. */
export function formOf(content: string): Form {
  const bytes = Uint8Array.from(content, (one) => one.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const skipped = (at: number) => at + 5 + 4 * (at + 5 <= bytes.length ? view.getInt32(at + 1, true) : 0);
  const at = skipped(skipped(content.indexOf('<Topology> ') + '<Topology> '.length));
  return { tuples: content.includes('<Tuples> '), selfLoops: at > 0 && at + 5 <= bytes.length && view.getInt32(at + 1, true) === -1 };
}

const text = (value: string) => new TextEncoder().encode(value);
const int = (value: number) => number((view) => view.setInt32(1, value, true));
const half = () => number((view) => view.setFloat32(1, 0.5, true));
const list = (...values: number[]) => concat([int(values.length), new Uint8Array(Int32Array.from(values).buffer)]);

function number(set: (view: DataView) => void): Uint8Array {
  const bytes = Uint8Array.of(4, 0, 0, 0, 0);
  set(new DataView(bytes.buffer));
  return bytes;
}
