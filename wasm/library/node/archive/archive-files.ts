/** The files of an archive. What is only stored is a place in the archive; what is compressed is unpacked into a temporary file when it is needed. */
import { DAMAGED, DAMAGED_OR_CUT, HINT_TOO_MUCH, isTooMuch, OTHER_BYTES, OTHER_SIZE, TOO_MUCH } from '../../shared/archive/bounds.js';
import { crc32 } from '../../shared/archive/crc32.js';
import { Gathering } from '../../shared/archive/gathering.js';
import { archiveKind, HEAD, type ArchiveKind } from '../../shared/archive/kind.js';
import { insidePath } from '../../shared/archive/paths.js';
import { Reason } from '../../shared/reason.js';
import type { FileRow, LeftOutRow, ZipRow } from '../../shared/archive/row.js';
import { tarRows } from '../../shared/archive/tar-rows.js';
import { Window } from '../../shared/archive/window.js';
import { directoryOf, zipFacts, zipRows } from '../../shared/archive/zip-rows.js';
import { msg, type Template } from '../../shared/msg.js';
import { printable } from '../../shared/printable.js';
import { reason } from '../reason.js';
import { readPlace, type Place } from './bytes.js';
import { Damaged, gunzip, gunzipHead, inflate, type Source } from './inflate.js';
import { Refusal } from './refusal.js';
import { Unpacked } from './unpacked.js';

/** So much of a compressed file is looked at without unpacking it: to recognise a file no more is needed. */
const LOOKED_AT = 64 << 10;
const PIECE = 64 << 10;

/** What kind of archive a file is, if any. Who reads it says why it cannot be read. */
export function kindOf(archive: Place): ArchiveKind | undefined {
  const head = new Uint8Array(Math.min(HEAD, archive.size));
  try {
    readPlace(archive, 0, head);
  } catch {
    return undefined;
  }
  return archiveKind(head, gunzipHead);
}

export class ArchiveFiles {
  readonly isZip: boolean;
  readonly #entries = new Map<string, FileRow | LeftOutRow>();
  readonly #folders = new Map<string, Set<string>>();
  readonly #leftOut: readonly LeftOutRow[];
  readonly #window: Window;
  readonly #unpacked = new Unpacked();
  readonly #members = new Map<string, Member>();
  /** Where the bytes of a tar archive are. */
  readonly #plain: Place;

  /**
   * `archive` is of a kind that kindOf() knows.
   *
   * @throws {Refusal} when it cannot be read.
   */
  constructor(
    private readonly archive: Place,
    private readonly name: string,
  ) {
    const head = new Uint8Array(Math.min(HEAD, archive.size));
    try {
      this.#plain = archive;
      this.#read(archive, 0, head);
      const kind = archiveKind(head, gunzipHead);
      if (kind === 'tar.gz') this.#plain = this.#gunzipped();
      this.isZip = kind === 'zip' || kind === 'program';
      this.#window = new Window(this.#plain.size, (at, length) => {
        const part = new Uint8Array(length);
        this.#read(this.#plain, at, part);
        return part;
      });
      const gathering = new Gathering();
      for (const row of this.isZip ? zipRows(this.#window, directoryOf(this.#window)) : tarRows(this.#window)) gathering.add(row);
      const { files, leftOut } = gathering.finish();
      this.#leftOut = leftOut;
      for (const row of [...leftOut, ...files]) this.#add(row);
    } catch (error) {
      this.#unpacked.close();
      throw error instanceof Refusal ? error : new Refusal(name, error);
    }
  }

  /** How many files there are, whether they can be read or not. */
  get count(): number {
    return this.#entries.size;
  }

  /** Whether one of them is compressed. */
  get hasPacked(): boolean {
    return [...this.#entries.values()].some((row) => 'isPacked' in row && row.isPacked);
  }

  /** A file that cannot be read, with the reason. */
  get leftOut(): Template | undefined {
    const [first] = this.#leftOut;
    return first && msg`${printable(first.path)}: ${first.reason}`;
  }

  /** @throws {Refusal} for a file that cannot be read. */
  open(name: string): Member | undefined {
    const path = insidePath(name);
    const known = path === undefined ? undefined : this.#members.get(path);
    const row = path === undefined || known ? undefined : this.#entries.get(path);
    if (path === undefined || !row) return known;
    const shown = `${this.name}/${path}`;
    if ('reason' in row) throw new Refusal(shown, row.reason);
    const member = this.#member(row, shown);
    this.#members.set(path, member);
    return member;
  }

  /** The names in a folder, without files that cannot be read. */
  list(folder: string): string[] {
    const path = insidePath(folder);
    return path === undefined && folder !== '' ? [] : [...(this.#folders.get(path ?? '') ?? [])];
  }

  close(): void {
    this.#unpacked.close();
  }

  #member(row: FileRow, shown: string): Member {
    if (!('packed' in row)) return new Member(row.size, { ...this.#plain, begin: this.#plain.begin + row.at, size: row.size });
    const facts = (): { start: number; crc: number } => {
      try {
        return zipFacts(this.#window, row);
      } catch (error) {
        throw error instanceof Refusal ? error : new Refusal(shown, error);
      }
    };
    if (!row.isPacked) return new Member(row.size, { ...this.archive, begin: this.archive.begin + facts().start, size: row.size });
    return new Member(row.size, undefined, {
      head: () => {
        const head = new Uint8Array(Math.min(LOOKED_AT, row.size));
        let done = 0;
        this.#unpack(row, shown, facts(), head.length, (bytes) => {
          head.set(bytes, done);
          done += bytes.length;
        });
        return head;
      },
      whole: () => {
        const begin = this.#unpacked.end;
        this.#unpack(row, shown, facts(), row.size, (bytes) => this.#unpacked.append(bytes));
        return this.#unpacked.placeFrom(begin);
      },
    });
  }

  /** Gives the first `most` bytes of a compressed file to `sink`; if these are all, their checksum is right. */
  #unpack({ size, packed }: ZipRow, shown: string, { start, crc }: { start: number; crc: number }, most: number, sink: (bytes: Uint8Array) => void): void {
    if (isTooMuch(size, packed)) throw new Refusal(shown, TOO_MUCH, HINT_TOO_MUCH);
    let [done, sum] = [0, 0];
    try {
      inflate(this.#source(start, packed), (bytes) => {
        const some = bytes.subarray(0, most - done);
        sum = crc32(some, sum);
        done += some.length;
        sink(some);
        return done < most;
      });
    } catch (error) {
      throw error instanceof Damaged ? new Refusal(shown, DAMAGED) : error;
    }
    if (done < most) throw new Refusal(shown, OTHER_SIZE);
    if (most === size && sum !== crc) throw new Refusal(shown, OTHER_BYTES);
  }

  /** The archive's bytes from `at` on, in pieces. */
  #source(at: number, size: number): Source {
    const piece = new Uint8Array(Math.min(PIECE, size));
    const end = at + size;
    return () => {
      const part = piece.subarray(0, Math.min(piece.length, end - at));
      this.#read(this.archive, at, part);
      at += part.length;
      return part;
    };
  }

  #gunzipped(): Place {
    const { size } = this.archive;
    let count = 0;
    try {
      gunzip(this.#source(0, size), (bytes) => {
        if (isTooMuch((count += bytes.length), size)) throw new Refusal(this.name, TOO_MUCH, HINT_TOO_MUCH);
        this.#unpacked.append(bytes);
        return true;
      });
    } catch (error) {
      throw error instanceof Damaged ? new Refusal(this.name, DAMAGED_OR_CUT) : error;
    }
    return this.#unpacked.placeFrom(0);
  }

  #read(place: Place, at: number, out: Uint8Array): void {
    try {
      readPlace(place, at, out);
    } catch (error) {
      throw new Refusal(this.name, error instanceof Reason ? error : reason(error), '');
    }
  }

  /** Paths that lead out of the archive are in no folder, and files that cannot be read are not listed. */
  #add(row: FileRow | LeftOutRow): void {
    const { path } = row;
    if (insidePath(path) !== path) return;
    this.#entries.set(path, row);
    for (let slash = path.lastIndexOf('/'), name = nameOf(row, slash); ; ) {
      const folder = path.slice(0, Math.max(0, slash));
      const names = this.#folders.get(folder);
      if (names?.has(name)) return;
      if (!names) this.#folders.set(folder, new Set(name === '' ? [] : [name]));
      else if (name !== '') names.add(name);
      if (slash < 0) return;
      slash = folder.lastIndexOf('/');
      name = `${folder.slice(slash + 1)}/`;
    }
  }
}

interface Packed {
  /** Its beginning. */
  head(): Uint8Array;
  /** All of it, unpacked. */
  whole(): Place;
}

/** The packed file whose beginning was looked at last: those of all others need no memory. */
let lookedAt: { member: Member; head: Uint8Array } | undefined;

/** A file of an archive. If it is compressed, its beginning can be looked at once; who wants more gets all of it unpacked. */
export class Member {
  #hasLooked = false;

  constructor(
    readonly size: number,
    private unpacked: Place | undefined,
    private readonly packed?: Packed,
  ) {}

  /** Where its bytes are; undefined while they are packed. */
  get place(): Place | undefined {
    return this.unpacked;
  }

  /** Throws a Refusal, or the system's error. */
  read(offset: number, out: Uint8Array): void {
    const head = this.unpacked || offset + out.length > LOOKED_AT ? undefined : this.#head();
    if (head) out.set(head.subarray(offset, offset + out.length));
    else readPlace((this.unpacked ??= this.packed!.whole()), offset, out);
  }

  #head(): Uint8Array | undefined {
    if (lookedAt?.member === this) return lookedAt.head;
    if (this.#hasLooked) return undefined;
    this.#hasLooked = true;
    lookedAt = undefined;
    lookedAt = { member: this, head: this.packed!.head() };
    return lookedAt.head;
  }
}

const nameOf = (row: FileRow | LeftOutRow, slash: number): string => ('reason' in row ? '' : row.path.slice(slash + 1));
