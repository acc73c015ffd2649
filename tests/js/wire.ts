/** Writes messages of protobuf. */

/** A field of a protobuf message: a number, a text, a message or bytes. */
export type Field = [number: number, value: number | string | Uint8Array];

/** The bytes of a message: numbers are varints, texts and bytes have their length before them. */
export function message(fields: Field[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number << 3), varint(value)];
      const content = typeof value === 'string' ? Buffer.from(value) : value;
      return [varint((number << 3) | 2), varint(content.length), content];
    }),
  );
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}
