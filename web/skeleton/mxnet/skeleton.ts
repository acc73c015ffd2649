/**
 * A symbol of MXNet without weights and names: operators, their settings and shapes stay. Nodes have other names, and arrays numbers that say
 * nothing.
 */
import { MoError } from '@mo/wasm';
import { msg } from '@mo/wasm/msg';

import type { Anonymous } from '../../report/anonymous.js';
import { NoGraph } from '../../report/codes.js';
import { pageMessage } from '../../report/page-message.js';
import type { Failed, Skeleton } from '../types.js';
import { readArrays, writeArrays } from './arrays.js';

/** A symbol has no weights: a longer text is none. */
const LONGEST = 1 << 26;
/** Numbers, truths and lists of them. */
const NUMBERS = /^[-\d.,eEL ()[\]]{0,256}$|^(?:True|False|None|true|false)$/;
/** Settings that are words: modes, layouts, types. */
const WORD = /^[A-Za-z_]\w{0,31}$/;
const KEY = /^\w{1,64}$/;
/** What a variable says of itself; other keys of this form are the user's. */
const OF_VARIABLES: ReadonlySet<string> = new Set(['__shape__', '__dtype__']);

interface Node {
  readonly op?: unknown;
  readonly name?: unknown;
  readonly attrs?: unknown;
  readonly attr?: unknown;
  readonly param?: unknown;
  readonly inputs?: unknown;
  readonly subgraphs?: unknown;
}
interface Graph {
  readonly nodes?: unknown;
  readonly heads?: unknown;
  readonly attrs?: { readonly mxnet_version?: unknown };
}

/** @throws {MoError} when there is no symbol. */
export async function mxnetSkeleton({ main, files }: Failed, names: Anonymous): Promise<Skeleton> {
  const all = 'file' in main ? [main, ...files] : files;
  const graph = await symbolAmong(all.map(({ file }) => file as Blob));
  if (graph === undefined) throw new MoError([pageMessage(NoGraph, msg`the files have no symbol`, 'drop the -symbol.json, too')]);
  const content = new TextEncoder().encode(JSON.stringify(new Rewriter(names).graph(graph), null, 1));
  const arrays = (await Promise.all(all.map(({ file }) => readArrays(file as Blob)))).find((found) => found.length > 0) ?? [];
  if (arrays.length === 0) return { name: 'skeleton-symbol.json', content };
  const renamed = arrays.map((array) => {
    const [, prefix, name] = /^((?:arg|aux):|)([^]*)$/.exec(array.name)!;
    return { ...array, name: `${prefix}${names.name(name!, 't')}` };
  });
  return { files: [{ path: 'skeleton-0000.params', content: writeArrays(renamed) }, { path: 'skeleton-symbol.json', content }] };
}

async function symbolAmong(files: readonly Blob[]): Promise<Graph | undefined> {
  for (const file of files) {
    if (file.size > LONGEST || !/^\s*\{/.test(await file.slice(0, 64).text())) continue;
    try {
      const graph = JSON.parse(await file.text()) as Graph;
      if (Array.isArray(graph.nodes)) return graph;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

class Rewriter {
  constructor(private readonly names: Anonymous) {}

  graph({ nodes, heads, attrs }: Graph): object {
    const own = (Array.isArray(nodes) ? nodes : []).map((node) => this.#node(node as Node));
    const variables = own.flatMap((node, at) => (node['op'] === 'null' ? [at] : []));
    return { nodes: own, arg_nodes: variables, heads: entries(heads), ...(attrs?.mxnet_version !== undefined && { attrs: { mxnet_version: attrs.mxnet_version } }) };
  }

  #node({ op, name, attrs, attr, param, inputs, subgraphs }: Node): Record<string, unknown> {
    const isVariable = op === 'null', isCustom = op === 'Custom';
    const settings = Object.entries({ ...fields(param), ...fields(attr), ...fields(attrs) }).flatMap(([key, value]) => {
      const isKnown = KEY.test(key) && (isVariable ? OF_VARIABLES.has(key) : !key.startsWith('__'));
      return isKnown ? [[key, this.#setting(String(value), isCustom && key !== 'op_type')] as const] : [];
    });
    return {
      op: String(op), name: this.names.name(String(name), 't'), ...(settings.length > 0 && { attrs: Object.fromEntries(settings) }), inputs: entries(inputs),
      ...(Array.isArray(subgraphs) && { subgraphs: subgraphs.map((one) => this.graph(one as Graph)) }),
    };
  }

  /** What a custom operation calls its settings and their words is its author's. */
  #setting(value: string, isHidden: boolean): string {
    return NUMBERS.test(value) || (!isHidden && WORD.test(value)) ? value : 'text';
  }
}

const fields = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {});
const entries = (value: unknown): number[][] => (Array.isArray(value) ? value.map((one) => (Array.isArray(one) ? one.filter((part) => typeof part === 'number') : [])) : []);
