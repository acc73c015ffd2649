/**
 * The .caffemodel of a skeleton: of each layer its name and its blobs, of each blob its shape and one number for all. Of a blob whose
 * numbers do not fit its shape, a few zeros, which do not fit it, either.
 */
import type { Anonymous } from '../../report/anonymous.js';
import { Rewriter } from '../rewriter.js';
import { concat, field, fixed, type Field, type Range } from '../wire.js';
import { bytesOfFloat, weightNumber } from '../setting.js';
import { elementsOf } from '../values.js';
import { BlobProto, BlobProto_Type, BlobShape, LayerParameter, NetParameter, V0LayerParameter, V1LayerParameter } from './fields.js';

type Layer = typeof V0LayerParameter | typeof V1LayerParameter | typeof LayerParameter;
/** The fields of a NetParameter with layers. */
const LAYERS = new Map<number, Layer>([[NetParameter.layers, V1LayerParameter], [NetParameter.layer, LayerParameter]]);
const { data: FLOATS, double_data: DOUBLES, raw_data_type: RAW_TYPE, raw_data: RAW } = BlobProto;
const LEGACY: readonly number[] = [BlobProto.num, BlobProto.channels, BlobProto.height, BlobProto.width];
/** Bytes of a number of raw data by its type. */
const RAW_SIZES = new Map<number, number>([[BlobProto_Type.DOUBLE, 8], [BlobProto_Type.FLOAT, 4], [BlobProto_Type.FLOAT16, 2], [BlobProto_Type.INT, 4], [BlobProto_Type.UINT, 4]]);
/** The type of raw data that does not say it. */
const UNSAID = BlobProto_Type.FLOAT;
/** Of so many zeros a list is made that does not fit. */
const FEW = 16;

export class Weights {
  readonly #rewriter: Rewriter;
  #count = 0;

  constructor(file: Blob, private readonly names: Anonymous) {
    this.#rewriter = new Rewriter(file);
  }

  async make(): Promise<Uint8Array> {
    const { wire } = this.#rewriter;
    const parts: Uint8Array[] = [];
    for (const one of await wire.fields(wire.whole)) {
      const layer = LAYERS.get(one.number);
      if (layer) parts.push(this.#rewriter.spend(field(NetParameter.layer, await this.#layer(one, layer)), one));
    }
    return concat(parts);
  }

  /** In V1, a layer of V0 may be inside. */
  async #layer(range: Range, layer: Layer): Promise<Uint8Array> {
    const fields = await this.#rewriter.wire.fields(range);
    const [name, ...blobs] = [await this.#rewriter.textIn(fields, layer.name), ...fields.filter(({ number }) => number === layer.blobs)];
    const inner = 'layer' in layer && fields.findLast(({ number }) => number === layer.layer);
    if (blobs.length === 0 && inner) return this.#layer(inner, V0LayerParameter);
    const parts = [field(LayerParameter.name, this.names.name(name, 'n'))];
    for (const blob of blobs) parts.push(field(LayerParameter.blobs, await this.#blob(blob)));
    return concat(parts);
  }

  async #blob(range: Range): Promise<Uint8Array> {
    const { wire } = this.#rewriter;
    const fields = await wire.fields(range);
    const raw = fields.findLast(({ number }) => number === RAW);
    const type = fields.findLast(({ number }) => number === RAW_TYPE);
    const bytesOf = (wanted: number) => fields.filter(({ number }) => number === wanted).map(({ begin, end }) => end - begin);
    const [doubles, floats] = [bytesOf(DOUBLES), bytesOf(FLOATS)];
    const isRaw = sum(doubles) + sum(floats) === 0 && raw !== undefined && raw.end > raw.begin;
    const width = sum(doubles) > 0 ? 8 : isRaw ? RAW_SIZES.get(type ? await wire.number(type) : UNSAID) : 4;
    const pieces = isRaw ? [raw.end - raw.begin] : sum(doubles) > 0 ? doubles : floats;
    const typed = isRaw && type ? await this.#same(type) : new Uint8Array();
    // A type that is not known, or a list that ends inside a number.
    if (width === undefined) return concat([typed, field(RAW, new Uint8Array(8))]);
    const size = await this.#sizeOf(fields);
    const shape = concat(await Promise.all(size.kept.map((one) => this.#same(one))));
    if (pieces.some((bytes) => bytes % width !== 0)) return concat([shape, typed, field(isRaw ? RAW : FLOATS, new Uint8Array(1))]);
    const count = sum(pieces) / width;
    const isFlat = size.kept.length === 0;
    if (count === 0) return shape;
    if (!isFlat && count !== size.elements) return concat([shape, field(FLOATS, new Uint8Array(4 * unfit(count, size.elements)))]);
    return concat([
      isFlat ? field(BlobProto.shape, field(BlobShape.dim, count)) : shape, isRaw && !type ? field(RAW_TYPE, UNSAID) : typed,
      fixed(BlobProto.all, bytesOfFloat('f32', weightNumber('f32', this.#count++))),
    ]);
  }

  /** The fields with the shape, and what its dimensions multiply to. Those of old files count before those of today. */
  async #sizeOf(fields: readonly Field[]): Promise<{ kept: readonly Field[]; elements: number }> {
    const { wire } = this.#rewriter;
    const legacy = fields.filter(({ number }) => LEGACY.includes(number));
    if (legacy.length > 0) {
      const sizes = await Promise.all(LEGACY.map(async (number) => {
        const last = legacy.findLast((one) => one.number === number);
        return last ? wire.number(last) : 0;
      }));
      return { kept: legacy, elements: elementsOf(sizes) };
    }
    const kept = fields.filter(({ number }) => number === BlobProto.shape);
    const sizes: number[] = [];
    for (const shape of kept) for (const dim of await wire.fields(shape)) if (dim.number === BlobShape.dim) sizes.push(...(await wire.numbers(dim)));
    return { kept, elements: elementsOf(sizes) };
  }

  async #same(one: Field): Promise<Uint8Array> {
    return this.#rewriter.spend(await this.#rewriter.wire.bytes({ begin: one.tag, end: one.end }), one);
  }
}

/** How many zeros stand for `count` numbers that are not as many as the shape asks for. */
function unfit(count: number, wanted: number): number {
  const few = Math.min(count, FEW);
  return few === wanted ? few + 1 : few;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
