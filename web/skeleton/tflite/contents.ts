/** Where the bytes of tensors are: in a buffer, behind the FlatBuffer, or in a file beside the model. */
import type { FileWithPath } from '@mo/wasm';

import { Buffer, ExternalBuffer, ExternalBufferGroup, Model } from './fields.js';
import { numberOf, type FlatFile, type FlatTable } from './flat.js';
import type { Names } from './names.js';
import type { Content } from './numbers.js';
import type { Fields } from './writer.js';

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
    const contents = new Contents(flat, model, await model.vector(Model.buffers, 4));
    const groups = await model.each(Model.external_buffer_groups, (group) => group.text(ExternalBufferGroup.name));
    contents.#groups = groups.map((path) => ({ [ExternalBufferGroup.name]: { text: names.path(path) } }));
    await model.each(Model.external_buffers, async (table) => {
      const { id, group, offset, length, packing } = ExternalBuffer;
      const [number, packed] = [table.number(id, 4), await table.text(packing)];
      const file = packed === '' ? beside.get(groups[table.number(group, 4)] ?? '')?.file : undefined;
      const fields: Fields = {
        [id]: table.raw(id, 4), [group]: table.raw(group, 4), [offset]: table.raw(offset, 8), [length]: table.raw(length, 8),
        [packing]: packed === '' ? undefined : { text: names.name(packed) },
      };
      if (!contents.#external.has(number)) contents.#external.set(number, { fields, content: file && { file: file as Blob, begin: table.number(offset, 8), length: table.number(length, 8) } });
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
    const begin = numberOf(table.raw(Buffer.offset, 8) ?? new Uint8Array());
    if (begin > NONE) return { file: this.flat.file, begin, length: table.number(Buffer.size, 8) };
    const { begin: at, count } = await table.vector(Buffer.data, 1);
    return count === 0 ? undefined : { file: this.flat.file, begin: at, length: count };
  }

  /** The model's tables of files beside it, where a skeleton needs them. */
  get fields(): Fields {
    if (!this.#keepsExternal) return {};
    const external = Array.from(this.#external.values(), ({ fields }) => fields);
    const { external_buffer_groups: groups, external_buffers: buffers } = Model;
    return { [groups]: this.model.has(groups) ? { tables: this.#groups } : undefined, [buffers]: this.model.has(buffers) ? { tables: external } : undefined };
  }
}
