/** Where the bytes of tensors are: in a buffer, behind the FlatBuffer, or in a file beside the model. */
import type { FileWithPath } from '@mo/wasm';

import { numberOf, type FlatFile, type FlatTable } from './flat.js';
import type { Names } from './names.js';
import type { Content } from './numbers.js';
import type { Fields } from './writer.js';

const [BUFFERS, GROUPS, EXTERNAL_BUFFERS] = [4, 8, 9];
/** If an offset is larger than this, the bytes are behind the FlatBuffer. */
const NONE = 1;

interface External {
  readonly fields: Fields;
  /** undefined if the file is missing, or packed in a way that is not known: then the failure may be about that. */
  readonly content: Content | undefined;
}

export class Contents {
  readonly #external = new Map<number, External>();
  #groups: Fields[] = [];
  #keepsExternal = false;

  private constructor(private readonly flat: FlatFile, private readonly model: FlatTable, private readonly buffers: { readonly begin: number; readonly count: number }) {}

  /** `beside` are the files in the folder of the model, by their paths from there. */
  static async of(flat: FlatFile, model: FlatTable, beside: ReadonlyMap<string, FileWithPath>, names: Names): Promise<Contents> {
    const contents = new Contents(flat, model, await model.vector(BUFFERS, 4));
    const groups = await model.each(GROUPS, (group) => group.text(0));
    contents.#groups = groups.map((path) => ({ 0: { text: names.path(path) } }));
    await model.each(EXTERNAL_BUFFERS, async (table) => {
      const [id, packing] = [table.number(0, 4), await table.text(4)];
      const file = packing === '' ? beside.get(groups[table.number(1, 4)] ?? '')?.file : undefined;
      const fields: Fields = { 0: table.raw(0, 4), 1: table.raw(1, 4), 2: table.raw(2, 8), 3: table.raw(3, 8), 4: packing === '' ? undefined : { text: names.name(packing) } };
      if (!contents.#external.has(id)) contents.#external.set(id, { fields, content: file && { file: file as Blob, begin: table.number(2, 8), length: table.number(3, 8) } });
    });
    return contents;
  }

  has(buffer: number): boolean {
    return buffer < Math.max(1, this.buffers.count);
  }

  /** undefined if the buffer has no bytes, 'external' if they are in a file that cannot be read. */
  async find(buffer: number, external: number): Promise<Content | 'external' | undefined> {
    if (external !== 0) {
      const found = this.#external.get(external)?.content;
      this.#keepsExternal ||= found === undefined;
      return found ?? 'external';
    }
    if (buffer === 0 || !this.has(buffer)) return undefined;
    const table = await this.flat.table(await this.flat.follow(this.buffers.begin + 4 * buffer));
    const begin = numberOf(table.raw(1, 8) ?? new Uint8Array());
    if (begin > NONE) return { file: this.flat.file, begin, length: table.number(2, 8) };
    const { begin: at, count } = await table.vector(0, 1);
    return count === 0 ? undefined : { file: this.flat.file, begin: at, length: count };
  }

  /** The model's tables of files beside it, where a skeleton needs them. */
  get fields(): Fields {
    if (!this.#keepsExternal) return {};
    const external = Array.from(this.#external.values(), ({ fields }) => fields);
    return { [GROUPS]: this.model.has(GROUPS) ? { tables: this.#groups } : undefined, [EXTERNAL_BUFFERS]: this.model.has(EXTERNAL_BUFFERS) ? { tables: external } : undefined };
  }
}
