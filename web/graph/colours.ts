/** The kind of an operation, and the colours with which it is drawn. */
import { t } from '../language/texts.js';

const KINDS: readonly [kind: Kind, operations: RegExp][] = [
  ['ends', /^(parameter|result|placeholder|assign|readvalue)/],
  ['constants', /^(const|constant)$/],
  ['products', /conv|matmul|gemm|einsum|lstm|gru|rnn|deconv|fullyconnected|attention/],
  ['activations', /relu|sigmoid|tanh|elu|gelu|swish|softmax|softplus|hardswish|mish|clamp|clip|erf/],
  ['pools', /pool|norm|reduce|mvn|lrn|topk|argmax|argmin|mean$/],
  ['shapes', /reshape|transpose|squeeze|concat|split|slice|gather|shape|tile|broadcast|pad|flatten|expand|scatter|tospace|todepth|reverse|pack|identity|interpolate|resize/],
  ['bodies', /^(if|loop|tensoriterator|scan|while|case|statelessif|statelesswhile)$/],
];

export const KIND_TITLES = {
  ends: t('Inputs and outputs'), constants: t('Constants'), products: t('Convolutions, products'), activations: t('Activations'),
  pools: t('Pooling, normalization, reduction'), shapes: t('Shapes and order'), bodies: t('With bodies'), others: t('Others'),
};

export type Kind = keyof typeof KIND_TITLES;

export function kindOf(operation: string): Kind {
  const name = operation.toLowerCase();
  return KINDS.find(([, operations]) => operations.test(name))?.[0] ?? 'others';
}

const NAMES = ['paper', 'card', 'ink', 'soft', 'edge', 'focus', 'accent', 'added', 'removed', 'changed', 'wrong'] as const;

export interface Palette extends Readonly<Record<(typeof NAMES)[number], string>> {
  readonly kinds: Readonly<Record<Kind, { readonly edge: string; readonly fill: string }>>;
}

/** The colours as the styles have them at the moment: they differ by scheme, contrast and forced colours. */
export function readPalette(within: HTMLElement): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  within.append(probe);
  const read = (variable: string) => {
    probe.style.color = `var(--${variable})`;
    return getComputedStyle(probe).color;
  };
  const colours = Object.fromEntries(NAMES.map((name) => [name, read(name)])) as Record<(typeof NAMES)[number], string>;
  const kinds = Object.fromEntries(Object.keys(KIND_TITLES).map((kind) => [kind, { edge: read(`kind-${kind}`), fill: read(`fill-${kind}`) }]));
  probe.remove();
  return { ...colours, kinds: kinds as Palette['kinds'] };
}

/** Calls back whenever the palette may be another one. */
export function followPalette(signal: AbortSignal, onChange: () => void): void {
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)'])
    matchMedia(query).addEventListener('change', onChange, { signal });
}
