/** The files of a model on the hosts that run JavaScript: what can be opened, and what is listed. */
import { mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { convert, updateConfig, type MoError, type Options } from '@mo/wasm';
import { beforeAll, describe, expect, it } from 'vitest';

import { BlobFiles } from '../../dist/library/browser/blob-files.js';
import { gatherFiles } from '../../dist/library/browser/model-files.js';
import { FsFiles } from '../../dist/library/node/fs-files.js';
import { typesIn } from './extension_support.js';
import { writeOnnx } from './onnx_writer.js';
import { listing, runNative, runNode, temporaryFolder } from './support.js';

const folder = temporaryFolder();
const model = join(folder, 'm.onnx');
const template = JSON.stringify([{ id: 'x', match_kind: 'scope', instances: ['two'], op: 'ReLU' }]);

beforeAll(() => {
  mkdirSync(join(folder, 'saved/variables'), { recursive: true });
  for (const path of ['saved/some.pb', 'saved/variables/a.index', 'saved/.hidden']) writeFileSync(join(folder, path), 'x');
  symlinkSync(join(folder, 'saved/some.pb'), join(folder, 'saved/link'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'saved/broken'));
  writeFileSync(join(folder, 'template.json'), template);
  writeFileSync(model, writeOnnx({
    nodes: [
      { op: 'Tanh', name: 'two/tanh', inputs: ['x'], outputs: ['a'] },
      { op: 'Sigmoid', name: 'two/sigmoid', inputs: ['a'], outputs: ['y'] },
    ],
    weights: [],
    inputs: [{ name: 'x', shape: [1, 4] }],
    outputs: [{ name: 'y', shape: [1, 4] }],
  }));
});

const failure = (work: Promise<unknown>) => work.then(() => undefined, (error: unknown) => error as MoError);

describe('files in Node', () => {
  it('are listed folder by folder, links as what they lead to', () => {
    const files = new FsFiles(folder);
    expect((files.list('saved') as string[]).sort()).toEqual(['.hidden', 'link', 'some.pb', 'variables/']);
    expect(files.list('saved/variables')).toEqual(['a.index']);
    expect(files.list('')).toContain('saved/');
    for (const none of ['none', 'saved/some.pb', 'saved/some.pb/x']) expect(files.list(none)).toEqual([]);
    expect(files.open('saved/variables/a.index')).toBe(0);
  });

  it('are none but those that were given where there is no folder', () => {
    const files = new FsFiles();
    files.give('m.onnx', openSync(model, 'r'));
    expect(files.give('/bytes', Uint8Array.of(1, 2, 3))).toBe(1);
    expect([files.open('m.onnx'), files.open('/bytes'), files.open('saved/some.pb'), files.size(1)]).toEqual([0, 1, -1, 3]);
    expect([files.list(''), files.list('saved')]).toEqual([[], []]);
    const out = new Uint8Array(2);
    expect(files.read(1, 1, out)).toBeUndefined();
    expect([...out]).toEqual([2, 3]);
    expect(files.open(join(folder, 'saved'))).toEqual({ template: 'not a regular file', arguments: [] });
  });
});

describe('files of a page', () => {
  const blob = (text: string) => new Blob([text]);
  const gathered = (main: string | undefined, ...paths: string[]) => gatherFiles({
    main: main === undefined ? { path: paths[0]!, file: blob('') } : { path: main }, files: paths.map((path) => ({ path, file: blob(path) })),
  });

  beforeAll(() => {
    Object.assign(globalThis, { FileReaderSync: class { readAsArrayBuffer = ({ size }: Blob) => new ArrayBuffer(size); } });
  });

  it('are listed by their paths', async () => {
    const { main, files } = await gathered('drop/saved', 'drop/saved/saved_model.pb', 'drop/saved/variables/a', 'drop/saved/variables/b', 'drop/saved.txt');
    const set = new BlobFiles([...files, ['/transformations_config', blob('[]')]]);
    expect(main).toBe('saved');
    expect(set.list(main)).toEqual(['saved_model.pb', 'variables/']);
    expect(set.list('saved/variables')).toEqual(['a', 'b']);
    expect(set.list('')).toEqual(['saved/', 'saved.txt']);
    expect(set.list('none')).toEqual([]);
    expect(set.list('saved/variables/a')).toEqual([]);
  });

  it('that options bring are not taken for those of the model', async () => {
    const { files } = await gathered(undefined, 'a/m.onnx', 'a/w.bin');
    const set = new BlobFiles([...files, ['/w', blob('')], ['/x.bin', blob('')]]);
    expect(set.open('w.bin')).toBe(2);
    expect(set.open('deep/w.bin')).toBe(2);
    expect(set.open('x.bin')).toBe(-1);
    expect(set.open('/x.bin')).toBe(4);
    expect(set.open('/w.bin')).toBe(-1);
  });

  describe('in memory that is read often', () => {
    const bytes = Uint8Array.from({ length: 9 << 20 }, (_, at) => (at * 31) ^ (at >> 8));
    let reads: number[] = [];

    /** The Blob's pieces know their bytes at once. */
    class Watched extends Blob {
      constructor(readonly at: number, readonly length: number) {
        super();
      }
      override get size(): number {
        return this.length;
      }
      override slice(from = 0, to = this.length): Blob {
        return new Watched(this.at + from, Math.max(0, Math.min(to, this.length) - from));
      }
    }
    beforeAll(() => {
      const before = Reflect.get(globalThis, 'FileReaderSync') as unknown;
      const readAsArrayBuffer = ({ at, length }: Watched) => {
        reads.push(length);
        return bytes.slice(at, at + length).buffer;
      };
      Object.assign(globalThis, { FileReaderSync: class { readAsArrayBuffer = readAsArrayBuffer; } });
      return () => void Object.assign(globalThis, { FileReaderSync: before });
    });

    /** Reads all ranges and compares them with the file. Gives how many bytes were read, in how many reads. */
    const read = (ranges: [offset: number, size: number][]) => {
      reads = [];
      const files = new BlobFiles([['m.bin', new Watched(0, bytes.length)]]);
      for (const [offset, size] of ranges) {
        const out = new Uint8Array(size);
        expect(files.read(0, offset, out)).toBeUndefined();
        expect(Buffer.compare(out, bytes.subarray(offset, offset + size))).toBe(0);
      }
      return { times: reads.length, bytes: reads.reduce((sum, size) => sum + size, 0) };
    };
    const several = (count: number, range: (at: number) => [number, number]) => Array.from({ length: count }, (_, at) => range(at));

    it('is read in few pieces from the beginning to the end', () => {
      expect(read(several(9000, (at) => [at * 1024, 1024])).times).toBeLessThan(20);
      expect(read(several(72, (at) => [at << 17, 1 << 17]))).toEqual({ times: 3, bytes: bytes.length });
    });
    it('is read once where places overlap', () => {
      const { times, bytes: total } = read(several(3000, (at) => [at * 4, 400_000]));
      expect(times).toBe(2);
      expect(total).toBeLessThan(bytes.length);
    });
    it('is read once where two parts are read by turns', () => {
      expect(read(several(64, (at) => [((at >> 1) << 17) + (at % 2) * (4 << 20), 1 << 17])).bytes).toBeLessThan(bytes.length + (1 << 20));
    });
    it('is not read where nobody asks for it', () => {
      expect(read([[5 << 20, 1 << 17], [1 << 20, 1 << 17], [3 << 20, 100], [0, 100]])).toEqual({ times: 4, bytes: 2 * (1 << 17) + 2 * (1 << 16) });
    });
  });

  it.each([16, 100_000])('that have become shorter are not read: %i bytes', (size) => {
    const out = new Uint8Array(size);
    let parts = 0;
    out.set = () => {
      if (++parts > 10) throw new Error('it reads without end');
    };
    expect(new BlobFiles([['m.onnx', blob('short')]]).read(0, 0, out)).toEqual({ template: 'the file has become shorter', arguments: [] });
  });
});

describe('a folder as a model', () => {
  it.each([['saved'], ['saved/'], ['saved/variables/..']])('%s is refused in the same words', (path) => {
    const said = runNode([path], folder);
    expect(said).toEqual(runNative([path], folder));
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('MO6007') });
    expect(said.stderr).toContain('is a directory, want a model file');
  });

  it('that is a broken SavedModel is refused in the same words', () => {
    const broken = temporaryFolder();
    writeFileSync(join(broken, 'saved_model.pb'), 'abc');
    const said = runNode([broken], folder);
    expect(said).toEqual(runNative([broken], folder));
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('MO1005') });
  });

  it('is refused by the library', async () => {
    expect(await failure(convert(join(folder, 'saved')))).toMatchObject({ code: 'MO6007' });
  });

  it.each([['empty', undefined], ['without files that can be seen', '.hidden']])('is refused where it is %s', (_, hidden) => {
    const empty = temporaryFolder();
    if (hidden) writeFileSync(join(empty, hidden), '');
    const said = runNode([empty], folder);
    expect(said).toEqual(runNative([empty], folder));
    expect(said).toMatchObject({ code: 2, stderr: expect.stringContaining(`MO6007 the model cannot be opened: The directory "${empty}" is empty`) });
  });
});

describe('an option that names a file', () => {
  const updated = () => updateConfig(model, template);
  const forms = async (): Promise<[string, NonNullable<Options['transformations_config']>][]> => {
    const text = await updated();
    writeFileSync(join(folder, 'updated.json'), text);
    return [
      ['text', text], ['bytes', new TextEncoder().encode(text)], ['a Blob', new Blob([text])], ['a URL', pathToFileURL(join(folder, 'updated.json'))],
    ];
  };

  it('takes text, bytes, a Blob or a URL', async () => {
    for (const [what, transformations_config] of await forms()) {
      const { report, bin } = await convert(model, { transformations_config });
      expect([what, report.operations]).toEqual([what, { Parameter: 1, ReLU: 1, Result: 1 }]);
      // The second use of a .bin converts again, so the file must still exist.
      for (const _ of ['once', 'again']) expect((await new Response(bin.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer()).byteLength).toBe(bin.size);
      await bin.close();
    }
  });

  it('is updated from each of them', async () => {
    const text = await updated();
    for (const config of [new TextEncoder().encode(template), new Blob([template]), pathToFileURL(join(folder, 'template.json'))])
      expect(await updateConfig(model, config)).toBe(text);
    expect(JSON.parse(text)[0].inputs).toHaveLength(1);
  });

  it('W-04 is relative to where the command runs, whatever lies beside the model', async () => {
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'template.json'), await updated());
    const args = [model, '--transformations_config', 'template.json', '--output_dir', 'out'];
    for (const run of [runNode, runNative]) {
      expect(run(args, elsewhere)).toMatchObject({ code: 0, stderr: '' });
      expect(typesIn(readFileSync(join(elsewhere, 'out/m.xml'), 'utf8'))).toEqual(['Parameter', 'ReLU', 'Result']);
    }
    // The template next to the model, which is not updated, has that name.
    expect(runNode(args, folder)).toMatchObject({ code: 1, stderr: expect.stringContaining('MO6041') });
  });

  it('W-03 is rewritten by both commands as by the library, and nothing is converted', async () => {
    for (const run of [runNode, runNative]) {
      const elsewhere = temporaryFolder();
      writeFileSync(join(elsewhere, 'config.json'), template);
      expect(run([model, '--tensorflow_custom_operations_config_update', 'config.json'], elsewhere)).toMatchObject({ code: 0, stderr: '' });
      expect(readFileSync(join(elsewhere, 'config.json'), 'utf8')).toBe(await updated());
      expect(listing(elsewhere)).toEqual(['config.json']);
    }
  });

  it.each([
    ['is missing', 'none.json', 'MO6022', 2],
    ['is a folder', 'saved', 'MO7001', 1],
    ['is no JSON', 'saved/some.pb', 'MO6030', 2],
  ])('that %s is reported in the same words', (_what, path, code, exit) => {
    for (const option of ['--transformations_config', '--tensorflow_use_custom_operations_config', '--tensorflow_custom_operations_config_update']) {
      const said = runNode([model, option, path], folder);
      expect(said).toEqual(runNative([model, option, path], folder));
      expect(said).toMatchObject({ code: exit, stderr: expect.stringContaining(code) });
    }
  });

  it('of more than 16 MB is refused', async () => {
    const large = new Uint8Array((16 << 20) + 1).fill(32);
    expect(await failure(convert(model, { transformations_config: large }))).toMatchObject({ code: 'MO7001' });
  });

  it('by a URL of nothing is reported with its path', async () => {
    const error = await failure(convert(model, { transformations_config: pathToFileURL(join(folder, 'none.json')) }));
    expect(error).toMatchObject({ code: 'MO7001', messages: [{ file: join(folder, 'none.json') }] });
  });
});
