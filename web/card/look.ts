/** What is found out about one model before it is converted: as it is, and as the options change it. */
import { inspect, listPlaces, MoError, OPTION_ROWS, type BrowserOptions, type FirstFacts, type Inspection, type Message, type PlaceNode, type WeightSizes } from '@mo/wasm';

import { withModel } from '../archive/ready.js';
import { optionsFor, withNamed } from '../bring/companions.js';
import type { Chosen } from '../bring/chosen.js';
import { messagesOf } from '../convert/task.js';
import { UnsupportedOp } from '../report/codes.js';
import { Places } from './places.js';

/** The options that choose one of the graphs that a file holds, or what belongs to it. */
const CHOOSE = [
  'saved_model_tags', 'saved_model_signature', 'input_weights', 'caffe_stages',
  ...OPTION_ROWS.filter(({ kind, group }) => kind === 'Files' || group === 'Caffe').map(({ name }) => name as keyof BrowserOptions),
] as const;
/** The options that change what a model is. */
const CHANGE = [
  'input', 'output', 'input_shape', 'batch', 'freeze_placeholder_with_value', 'mean_values', 'scale_values', 'scale', 'layout', 'source_layout',
  'target_layout', 'transformations_config', 'tensorflow_use_custom_operations_config', 'enabled_transforms', 'disabled_transforms',
] as const;

export class Look {
  /** The model as it is: what is known first, and all. */
  first: FirstFacts | undefined;
  own: Inspection | undefined;
  /** The model as the options change it; undefined if they do not, or if they are refused. */
  changed: Inspection | undefined;
  /** The errors of the model itself, of which nothing else is known then, and the errors of the options. */
  failed: readonly Message[] = [];
  refused: readonly Message[] = [];
  #ownKey: string | undefined;
  #changedKey: string | undefined;
  /** The key of the options for which an inspection is under way. */
  #wanted = '';
  #work: AbortController | undefined;
  #sizes: { readonly key: string; readonly sizes: WeightSizes | undefined } | undefined;
  #listing: { readonly key: string; readonly places: Promise<Places>; readonly control: AbortController } | undefined;

  /** Dispatches `news` after each part of what is found. */
  readonly news = new EventTarget();

  constructor(private readonly chosen: Chosen) {}

  /** The inspection with the changes by options, or else that of the model as it is. */
  get found(): Inspection | undefined {
    return this.changed ?? this.own;
  }

  get busy(): boolean {
    return this.#work !== undefined;
  }

  /** Inspects what is not known yet; `onNews` is called after each part of it. An inspection that is under way for other options ends. */
  async see(options: BrowserOptions, onNews: () => void): Promise<void> {
    const tell = () => {
      onNews();
      this.news.dispatchEvent(new Event('news'));
    };
    const { extensions = [] } = options;
    const chosen = pick(options, CHOOSE);
    const all = { ...chosen, ...pick(options, CHANGE) };
    const [ownKey, changedKey] = [keyOf(chosen, extensions), keyOf(all, extensions)];
    if (ownKey === this.#ownKey && changedKey === this.#changedKey && !this.busy) return;
    if (this.busy && this.#wanted === changedKey) return;
    this.#stopLooking();
    this.#wanted = changedKey;
    const { signal } = (this.#work = new AbortController());
    try {
      if (this.#ownKey !== ownKey) {
        this.first = this.own = this.changed = this.#ownKey = this.#changedKey = undefined;
        this.failed = this.refused = [];
        tell();
        this.own = await this.#inspect({ ...chosen, extensions }, signal, (facts) => {
          this.first = facts;
          tell();
        });
        this.#ownKey = ownKey;
        tell();
      }
      await this.#seeChanged(ownKey === changedKey ? undefined : { ...all, extensions }, signal);
      this.#changedKey = changedKey;
    } catch (error) {
      if (signal.aborted) return;
      this.failed = messagesOf(error);
      [this.#ownKey, this.#changedKey] = [ownKey, changedKey];
    }
    this.#work = undefined;
    tell();
  }

  async #seeChanged(options: BrowserOptions | undefined, signal: AbortSignal): Promise<void> {
    try {
      this.changed = options && (await this.#inspect(options, signal));
      this.refused = [];
    } catch (error) {
      signal.throwIfAborted();
      this.changed = undefined;
      this.refused = messagesOf(error);
    }
  }

  /** The places at which the model can be cut. The first call lists them. */
  places(options: BrowserOptions): Promise<Places> {
    const chosen = pick(options, CHOOSE);
    const key = keyOf(chosen, []);
    if (this.#listing?.key === key) return this.#listing.places;
    this.#listing?.control.abort();
    const control = new AbortController();
    const listing = { key, control, places: this.#list(chosen, control.signal) };
    this.#listing = listing;
    listing.places.catch(() => this.#listing === listing && (this.#listing = undefined));
    return listing.places;
  }

  /** The sizes of the weights with these options; undefined if the model cannot be converted with them. */
  async sizes(options: BrowserOptions, signal: AbortSignal): Promise<WeightSizes | undefined> {
    const { extensions = [] } = options;
    // The options of integers are for this format; the sizes of the others come with it.
    const all: BrowserOptions = { ...options, weight_format: 'int4', weight_sizes: true };
    const key = keyOf(all, extensions);
    if (this.#sizes?.key !== key) {
      let found: Inspection | undefined;
      try {
        found = await this.#inspect(all, signal);
      } catch {
        signal.throwIfAborted();
      }
      this.#sizes = { key, sizes: found?.weight_sizes };
    }
    return this.#sizes.sizes;
  }

  async #list(options: BrowserOptions, signal: AbortSignal): Promise<Places> {
    let nodes: readonly PlaceNode[] = [];
    const named = await withNamed(this.chosen, options);
    await withModel(named.chosen, { signal }, async (model) => (nodes = await listPlaces(model, optionsFor(named.chosen, named.options), { signal })));
    const unsupported = (this.own?.messages ?? []).filter(({ code }) => code === UnsupportedOp).map(({ node }) => node);
    return new Places(nodes, new Set(unsupported));
  }

  /** Ends what is under way. Returns whether an inspection was under way. */
  stop(): boolean {
    if (this.#listing) this.#listing.control.abort();
    return this.#stopLooking();
  }

  #stopLooking(): boolean {
    const { busy } = this;
    this.#work?.abort();
    this.#work = undefined;
    return busy;
  }

  async #inspect(options: BrowserOptions, signal: AbortSignal, onFacts: (facts: FirstFacts) => void = () => undefined): Promise<Inspection> {
    let found: Inspection | undefined;
    try {
      const named = await withNamed(this.chosen, options);
      await withModel(named.chosen, { signal }, async (model) => {
        found = await inspect(model, optionsFor(named.chosen, named.options), { signal, onFacts });
        // The missing files may be packed in an archive: then withModel() unpacks them and tries again.
        if (found.missing_files.length > 0) throw new MoError(found.messages);
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!found) throw error;
    }
    signal.throwIfAborted();
    return found!;
  }
}

const looks = new WeakMap<Chosen, Look>();

/** What is known of a model that was brought. It outlives the conversions of the model. */
export function lookOf({ chosen }: { readonly chosen: Chosen }): Look {
  if (!looks.has(chosen)) looks.set(chosen, new Look(chosen));
  return looks.get(chosen)!;
}

function pick<Name extends keyof BrowserOptions>(options: BrowserOptions, names: readonly Name[]): BrowserOptions {
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

/** Files and folders of extensions are the same only if they are the same objects. */
function keyOf(options: BrowserOptions, extensions: NonNullable<BrowserOptions['extensions']>): string {
  const text = (value: unknown) => (value instanceof Blob ? `#${numberOf(value)}` : value);
  return JSON.stringify([Object.entries(options).map(([name, value]) => [name, text(value)]), Object.keys(extensions).length > 0 ? numberOf(extensions) : 0]);
}

const numbers = new WeakMap<object, number>();
let last = 0;

function numberOf(object: object): number {
  if (!numbers.has(object)) numbers.set(object, ++last);
  return numbers.get(object)!;
}
