/** The core that the extension code of this thread uses, and the only object for each of its graphs. */
import { TABLE_VERSION, PENDING, PORTS, type CoreTable } from './core-table.js';
import { CoreError, MoError } from './error.js';

let table: CoreTable | undefined;
let graphs: object[] = [];
let window: Float64Array = new Float64Array();
let entries = 0;
let texts: string[] = [];

/** From here on extension code works on the core's current conversion. */
export function attach(core: CoreTable): void {
  if (core.extensionTable() !== TABLE_VERSION) throw new Error('core.wasm and the package are of different versions');
  table = core;
  graphs = [];
  window = new Float64Array();
  texts = [];
}

/** The number of calls of extensions by the core so far. During a call the phase does not change. */
export function entry(): number {
  return entries;
}

/** The core calls extensions. */
export function enter(): void {
  entries++;
}

export function core(): CoreTable {
  if (!table) throw new MoError('there is no conversion under way: graphs and nodes live only as long as theirs');
  return table;
}

/** The only object for graph `g`, created by `make` at first use. */
export function cachedGraph<Graph extends object>(g: number, make: (g: number) => Graph): Graph {
  return (graphs[g] ??= make(g)) as Graph;
}

/** Returns the result of a function of the table, or throws its error. */
export function checked<T>(result: T | undefined): T {
  if (result === undefined || result === (PENDING as T) || result !== result) throw pending();
  return result;
}

function pending(): CoreError {
  const message = core().takeError();
  return new CoreError(message.text, message);
}

/** The result of the core's shape(): a view of its heap, recreated when the heap has grown. */
export function dimensions(): Float64Array {
  if (window.length === 0) window = core().dimensions();
  return window;
}

/** The text for a number of nodeOp or elementType; each text is fetched once. */
export function textOf(id: number): string {
  return (texts[id] ??= core().textOf(id));
}

export function splitPort(port: number): [n: number, index: number] {
  const n = Math.floor(port / PORTS);
  return [n, port - n * PORTS];
}

export function joinPort(n: number, index: number): number {
  return n * PORTS + index;
}
