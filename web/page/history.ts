/**
 * The browser's history: what lies over the page, as the view of a graph, has an entry of its own, so that Back closes it. The address
 * of an entry that the page has made follows the form; at an address of the user's the form follows.
 */

/** What the page notes at its entries. */
interface Entry {
  readonly mo: true;
  /** How many layers lie over the page. */
  readonly depth: number;
  /** The models for which the options in the address were given. */
  readonly owner?: string | undefined;
}

/** How each layer is closed, the topmost last. */
const layers: (() => void)[] = [];
/** Steps back that the page has asked for, and that have not been made yet. */
let going = 0;
/** Layers that wait for these steps. */
let owed = 0;

const entry = (): Entry | undefined => ((history.state as Entry | null)?.mo ? (history.state as Entry) : undefined);

/** Whether the page has made this entry, and so its address. */
export const isOwnEntry = (): boolean => entry() !== undefined;

/** The models for which the options in the address were given; undefined if it does not say. */
export const ownerOfAddress = (): string | undefined => entry()?.owner;

/** Sets the part of the address behind `#`. */
export function setAddress(fragment: string, owner: string | undefined): void {
  const url = fragment === '' ? location.pathname + location.search : `#${fragment}`;
  history.replaceState({ mo: true, depth: entry()?.depth ?? 0, owner } satisfies Entry, '', url);
}

/** Something lies over the page now: Back calls `close`. The result is to be called when it is closed in another way; more calls do nothing. */
export function openLayer(close: () => void): () => void {
  layers.push(close);
  if (going > 0) owed++;
  else push();
  return () => {
    const at = layers.lastIndexOf(close);
    if (at < 0) return;
    layers.splice(at, 1);
    if (owed > 0) owed--;
    else {
      going++;
      history.back();
    }
  };
}

function push(): void {
  const below = entry();
  if (!below) history.replaceState({ mo: true, depth: 0 } satisfies Entry, '');
  history.pushState({ mo: true, depth: (below?.depth ?? 0) + 1, owner: below?.owner } satisfies Entry, '');
}

addEventListener('popstate', () => {
  if (going > 0) {
    if (--going === 0) for (; owed > 0; owed--) push();
    return;
  }
  const depth = entry()?.depth;
  if (depth !== undefined) while (layers.length > depth) layers.pop()!();
});
