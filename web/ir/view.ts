/** Shows the IRs that came: the verdict on each, and what differs between two of them. */
import { baseName, type Chosen } from '../bring/chosen.js';
import { fill, h, type Child } from '../page/dom.js';
import { plural, t } from '../language/texts.js';
import { TITLE } from './at-hand.js';
import { IrCard, saidOf } from './card.js';
import { Comparing, type ComparingPage } from './comparison.js';

export { irsIn, irsWait, irsWith, rolesBeside } from './at-hand.js';

/** The command takes any number of them. */
const MOST = 50;

export interface IrPage extends ComparingPage {
  addFiles(): void;
}

/** Fills `section`, and goes on until `signal` is aborted. */
export async function showIrs(section: HTMLElement, all: readonly Chosen[], page: IrPage, signal: AbortSignal): Promise<void> {
  const irs = all.slice(0, MOST);
  const names = namesOf(irs);
  const isPair = irs.length === 2;
  const cards = irs.map((ir, index) => new IrCard(ir, irs.length === 1 ? t('The IR') : isPair ? titled(index, names[index]!) : names[index]!, () => page.addFiles()));
  const comparing = irs.length > 1 ? new Comparing(irs, names, page, signal) : undefined;
  fill(section,
    h('p', { class: 'overline', translate: 'no' }, TITLE),
    h('h1', { id: 'ir-title', class: 'file-title', tabindex: '-1' }, irs.length === 1 ? baseName(irs[0]!.main.path) : plural(all.length, '{n} IR', '{n} IRs')),
    h('div', { class: isPair ? 'irs pair' : 'irs' }, ...cards.map(({ element }) => element)),
    all.length > irs.length && h('p', { class: 'hint' }, t('These are the first {n}. The command mo --verify takes any number.', { n: irs.length })),
    comparing?.element);
  try {
    for (const card of cards) {
      const verdict = await card.see(signal);
      if (!isPair) page.say(t('{name}: {found}', { name: baseName(card.ir.main.path), found: saidOf(verdict) }));
    }
    if (isPair) await comparing!.compare();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const titled = (index: number, name: string): Child => [h('span', { class: 'side' }, index === 0 ? 'A' : 'B'), ' ', name];

/** Their files' names; where two are equal, the paths of all. */
function namesOf(irs: readonly Chosen[]): string[] {
  const names = irs.map(({ main }) => baseName(main.path));
  return new Set(names).size === names.length ? names : irs.map(({ main }) => main.path);
}
