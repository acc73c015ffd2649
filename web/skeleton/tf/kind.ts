/** Recognises the kind of a TensorFlow file as the core does. */
import type { Field, Range, Wire } from '../wire.js';
import { GraphDef, MetaGraphDef_MetaInfoDef, NodeDef, OpDef, OpList, SavedModel } from './fields.js';

export type Kind = 'graph' | 'metaGraph' | 'savedModel';

const HEAD = 4096;
const IS_TEXT = /^[\t\n\r\x20-\x7e\x80-\uffff]*$/;
const TOKEN = /#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\w+(?=\s*[:{<])|[{}<>]/g;
/** Fields at the top level of a text that only one kind has. */
const TEXT_FIELDS: ReadonlyMap<string, Kind> = new Map([
  ...['node', 'library', 'versions'].map((name) => [name, 'graph'] as const),
  ...['meta_info_def', 'graph_def', 'saver_def', 'collection_def', 'signature_def', 'asset_file_def', 'object_graph_def'].map((name) => [name, 'metaGraph'] as const),
  ...['saved_model_schema_version', 'meta_graphs'].map((name) => [name, 'savedModel'] as const),
]);

/** The kind of a text; undefined for a binary file. */
export async function textKindOf(file: Blob): Promise<Kind | undefined> {
  const head = await file.slice(0, HEAD).text();
  if (!IS_TEXT.test(head)) return undefined;
  let depth = 0;
  for (const [token] of head.matchAll(TOKEN)) {
    const kind = depth === 0 ? TEXT_FIELDS.get(token) : undefined;
    if (kind) return kind;
    if ('{<'.includes(token)) depth++;
    else if ('}>'.includes(token)) depth--;
  }
  return undefined;
}

/** The kind of a binary file; undefined if it is none of them. */
export async function kindOf(wire: Wire): Promise<Kind | undefined> {
  let hasVersion = false;
  for (const one of await wire.fields(wire.whole)) {
    if (hasVersion) return one.number === SavedModel.meta_graphs ? 'savedModel' : undefined;
    if (one.number === GraphDef.node && one.wire === 2) return (await isNode(wire, one)) ? 'graph' : (await isMetaInfo(wire, one)) ? 'metaGraph' : undefined;
    if (one.number > GraphDef.versions) return undefined;
    hasVersion = one.number === SavedModel.saved_model_schema_version;
  }
  return undefined;
}

/** A NodeDef begins with its name or operation. */
async function isNode(wire: Wire, range: Range): Promise<boolean> {
  const one = await first(wire, range);
  return one !== undefined && (one.number === NodeDef.name || one.number === NodeDef.op) && one.wire === 2 && isName(await wire.bytes({ begin: one.begin, end: Math.min(one.end, one.begin + HEAD) }));
}

/** A MetaInfoDef begins with its list of operations, which have names. */
async function isMetaInfo(wire: Wire, range: Range): Promise<boolean> {
  const list = await first(wire, range);
  const operation = list?.number === MetaGraphDef_MetaInfoDef.stripped_op_list && list.wire === 2 ? await first(wire, list) : undefined;
  const name = operation?.number === OpList.op && operation.wire === 2 ? await first(wire, operation) : undefined;
  return name?.number === OpDef.name && name.wire === 2;
}

async function first(wire: Wire, range: Range): Promise<Field | undefined> {
  for (const one of await wire.fields(range)) return one;
  return undefined;
}

function isName(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20);
}
