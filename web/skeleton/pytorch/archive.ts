/** The programs in an archive of torch.export.save, or in the folder that it was unpacked to. */
import type { Failed } from '../types.js';

/** A longer JSON is none that a skeleton is made of. */
const LONGEST = 1 << 26;
const [CENTRAL, END, END64, LOCATOR64] = [0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50];
const END_LENGTH = 22, LOCATOR_LENGTH = 20, LONGEST_COMMENT = 1 << 16, MOST_ENTRIES = 1 << 16, LONGEST_DIRECTORY = 1 << 25;

export interface NamedText {
  /** The program's name in the archive. */
  readonly name: string;
  readonly text: string;
}

/** models/NAME.json of PyTorch 2.8 and newer, and the one program of 2.6 and 2.7. */
function programOf(path: string): string | undefined {
  return /(?:^|\/)models\/([^/]+)\.json$/.exec(path)?.[1] ?? (/(?:^|\/)serialized_exported_program\.json$/.test(path) ? 'model' : undefined);
}

const view = async (blob: Blob, begin: number, end: number) => new DataView(await blob.slice(Math.max(0, begin), end).arrayBuffer());

/** Where the directory begins, and how many bytes it has. */
async function directoryOf(archive: Blob): Promise<readonly [number, number] | undefined> {
  const begin = Math.max(0, archive.size - END_LENGTH - LONGEST_COMMENT - LOCATOR_LENGTH);
  const tail = await view(archive, begin, archive.size);
  for (let at = tail.byteLength - END_LENGTH; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END) continue;
    const locator = at - LOCATOR_LENGTH;
    if (locator >= 0 && tail.getUint32(locator, true) === LOCATOR64) {
      const place = Number(tail.getBigUint64(locator + 8, true));
      const end = await view(archive, place, place + 56);
      if (end.byteLength === 56 && end.getUint32(0, true) === END64) return [Number(end.getBigUint64(48, true)), Number(end.getBigUint64(40, true))];
    }
    return [tail.getUint32(at + 16, true), tail.getUint32(at + 12, true)];
  }
  return undefined;
}

/** The files of an archive that are not compressed: those that PyTorch writes. */
async function storedFiles(archive: Blob): Promise<{ path: string; file: Blob }[]> {
  const found = await directoryOf(archive);
  if (!found || found[1] > LONGEST_DIRECTORY) return [];
  const rows = await view(archive, found[0], found[0] + found[1]);
  const files: { path: string; file: Blob }[] = [];
  for (let at = 0; at + 46 <= rows.byteLength && rows.getUint32(at, true) === CENTRAL && files.length < MOST_ENTRIES;) {
    const [name, extra, comment] = [28, 30, 32].map((field) => rows.getUint16(at + field, true)) as [number, number, number];
    const [method, size, start] = [rows.getUint16(at + 10, true), rows.getUint32(at + 24, true), rows.getUint32(at + 42, true)];
    if (at + 46 + name > rows.byteLength) break;
    const path = new TextDecoder().decode(new Uint8Array(rows.buffer, rows.byteOffset + at + 46, name));
    if (method === 0 && programOf(path) !== undefined) {
      const head = await view(archive, start, start + 30);
      if (head.byteLength === 30) {
        const content = start + 30 + head.getUint16(26, true) + head.getUint16(28, true);
        files.push({ path, file: archive.slice(content, content + size) });
      }
    }
    at += 46 + name + extra + comment;
  }
  return files;
}

/** None if there are no programs. */
export async function programsOf({ main, files }: Failed): Promise<NamedText[]> {
  const inside = 'file' in main ? await storedFiles(main.file as Blob) : files.filter(({ path }) => path.startsWith(`${main.path}/`)).map(({ path, file }) => ({ path, file: file as Blob }));
  const programs: NamedText[] = [];
  for (const { path, file } of inside) {
    const name = programOf(path);
    if (name !== undefined && file.size <= LONGEST) programs.push({ name, text: await file.text() });
  }
  return programs;
}
