/** The command line in Node against the native one: the same words, the same codes, the same bytes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { writeOnnx } from './onnx_writer.js';
import { hash, listing, modelFolder, root, runNative, runNode, temporaryFolder } from './support.js';

const models = modelFolder();

describe('both command lines', () => {
  it.each([
    [['--version']],
    [['-V']],
    [['conv.onnx', '--colour', 'red']],
    [['conv.onnx', '--input_shape']],
    [['conv.onnx', '--compress_to_fp16=perhaps']],
    [['conv.onnx', '--log_level', 'LOUD']],
    [['conv.onnx', '--mean_values', '[1,2,3]']],
    [[]],
    [['none.onnx']],
    [['.']],
    [['garbage.onnx']],
    [['truncated.onnx']],
    [['empty.onnx']],
    [['unknown.onnx']],
    [['conv.onnx', '--input_shape', '[1,2']],
    [['conv.onnx', '--input_shape', '[1,4,32,32]']],
    [['conv.onnx', '-o', 'garbage.onnx']],
    [['conv.onnx', '-o', 'garbage.onnx/deeper']],
    [['conv.onnx', '-o', '/proc/none']],
    [['external.onnx', '-n', 'weights', '-o', '.']],
  ])('say the same of %j', (args) => {
    expect(runNode(args, models)).toEqual(runNative(args, models));
  });

  it.each([
    ['conv.onnx', []],
    ['conv.onnx', ['--compress_to_fp16=False']],
    ['conv.onnx', ['--input_shape', '[1,3,32,32]', '--static_shape']],
    ['dense.onnx', []],
    ['external.onnx', ['--compress_to_fp16', 'False', '-n', 'named']],
  ])('R-15 make the same files of %s with %j, an .xml and a .bin of one name', (model, args) => {
    const folder = temporaryFolder();
    const files = (run: typeof runNode, name: string) => {
      const outcome = run([model, '-o', join(folder, name), ...args], models);
      const hashes = listing(join(folder, name)).map((file) => [file, hash(readFileSync(join(folder, name, file)))]);
      return { ...outcome, stdout: outcome.stdout.replaceAll(join(folder, name), 'OUT'), hashes };
    };
    const made = files(runNode, 'node');
    expect(made).toEqual(files(runNative, 'native'));
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const name = args.includes('-n') ? args.at(-1)! : model.replace('.onnx', '');
    expect(made.hashes.map(([file]) => file)).toEqual([`${name}.bin`, `${name}.xml`]);
    expect(made.stdout).toMatch(/\[ SUCCESS \] Generated IR version 11 model\.\n\[ SUCCESS \] XML file: OUT\/\w+\.xml\n\[ SUCCESS \] BIN file: OUT\/\w+\.bin\n$/);
  });
});

it('both write the same file for TensorBoard, into a folder that they make', () => {
  const model = join(root, 'tests/tf/recorded/saved/tf2_module');
  const [node, native] = [runNode, runNative].map((run) => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = run([model, '-o', folder, '--tensorboard_logdir', join(folder, 'log/run')], models);
    const path = join(folder, 'log/run/events.out.tfevents.0000000000.mo');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`[ SUCCESS ] TensorBoard file: ${path}\n`);
    return hash(readFileSync(path));
  });
  expect(node).toBe(native);
});

it('both write progress line by line on request, also into a pipe', () => {
  const [node, native] = [runNode, runNative].map((run) => run(['conv.onnx', '-o', temporaryFolder(), '--progress', '--stream_output'], models).stderr);
  expect(node).toBe(native);
  expect(node).toMatch(/^(Progress: \[\.* *\] +\d+\.\d\d% done\n)+$/);
});

describe('exit codes', () => {
  it.each([
    [0, ['--version']],
    [1, ['garbage.onnx']],
    [2, ['conv.onnx', '--colour']],
  ])('%i after %j', (code, args) => {
    expect(runNode(args, models).code).toBe(code);
  });
});

describe('a failure', () => {
  it('leaves nothing behind when the .xml cannot be placed', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'conv.xml'));
    expect(runNode(['conv.onnx', '-o', folder], models).code).toBe(1);
    expect(listing(folder)).toEqual(['conv.xml']);
  });

  it('makes no folder for a model that cannot be converted', () => {
    const folder = temporaryFolder();
    expect(runNode(['unknown.onnx', '-o', join(folder, 'new')], models).code).toBe(1);
    expect(listing(folder)).toEqual([]);
  });

  it('is to overwrite a file of the model', () => {
    const { code, stderr } = runNode(['external.onnx', '-n', 'weights', '-o', '.'], models);
    expect(code).toBe(1);
    expect(stderr).toContain('MO7002');
    expect(stderr).toContain('choose another --model_name or --output_dir');
    expect(listing(models)).not.toContain('weights.xml');
  });
});

describe('what is printed', () => {
  const mo = `${process.execPath} ${join(root, 'dist/library/node/cli.js')}`;
  const shell = (command: string, options: object = {}) => spawnSync('sh', ['-c', command], { cwd: models, encoding: 'utf8', ...options });

  it.each([
    ['conv.onnx -o OUT'], ['--help'], ['--version'], ['--list_transforms'],
  ])('fails the command where it cannot be written: %s', (args) => {
    const { status, stderr } = shell(`${mo} ${args.replace('OUT', temporaryFolder())} > /dev/full`);
    expect(status).toBe(1);
    expect(stderr).toContain('MO7002');
    expect(stderr).toContain('No space left on device');
  });

  it('fails the command where messages cannot be written', () => {
    const to = (options: string) => shell(`${mo} conv.onnx -o ${temporaryFolder()} ${options} 2> /dev/full`).status;
    expect(to('--log_level DEBUG')).toBe(1);
    expect(to('')).toBe(0);
  });

  it('leaves no folder where it cannot be written', () => {
    const folder = temporaryFolder();
    const { status, stderr } = shell(`trap '' XFSZ; ulimit -f 0; ${mo} conv.onnx -o ${folder}/new/folder`);
    expect(status).toBe(1);
    expect(stderr).toContain('MO7002');
    expect(stderr).toContain('File too large');
    expect(listing(folder)).toEqual([]);
  });

  // A few words are in the pipe before its reader ends.
  it.each(['--list_transforms', 'conv.onnx -o OUT', '--version'])('fails the command where its reader has ended: %s', (args) => {
    const { status, stdout, stderr } = shell(`{ sleep 0.2; ${mo} ${args.replace('OUT', temporaryFolder())}; echo $? >&2; } | exec true`);
    expect([status, stdout, stderr]).toEqual([0, '', '1\n']);
  });

  it('may be read in part', () => {
    const { stdout, stderr } = shell(`{ ${mo} --list_transforms; } | head -n 1`);
    expect([stdout.split('\n').length, stderr]).toEqual([2, '']);
  });

  it('has the progress on stderr, in few lines or in one that is drawn again', () => {
    const folder = temporaryFolder();
    const piped = shell(`${mo} conv.onnx -o ${folder} --progress`);
    expect(piped.status).toBe(0);
    expect(piped.stderr).toMatch(/^(Progress: \[\.* *\] +\d+\.\d\d% done\n){4,11}$/);
    expect(piped.stdout).toMatch(/^\[ INFO \] Generated IR will be compressed to FP16/);
    // script(1) gives the command a terminal.
    const shown = shell(`script -qec "${mo} conv.onnx -o ${folder} --progress > ${join(folder, 'stdout')}" /dev/null`);
    expect(shown.stdout).toMatch(/\rProgress: \[\.{20}\] 100\.00% done/);
    expect(readFileSync(join(folder, 'stdout'), 'utf8')).toBe(piped.stdout);
  });
});

it('converts 256 MB of weights in less than 200 MB of memory', () => {
  const folder = temporaryFolder();
  const [rows, columns] = [8192, 8192];
  writeFileSync(join(folder, 'large.onnx'), writeOnnx({
    nodes: [{ op: 'MatMul', name: '/product', inputs: ['x', 'w'], outputs: ['y'] }],
    weights: [{ name: 'w', shape: [rows, columns], file: 'large.data', offset: 0, size: 4 * rows * columns }],
    inputs: [{ name: 'x', shape: [1, rows] }],
    outputs: [{ name: 'y', shape: [1, columns] }],
  }));
  writeFileSync(join(folder, 'large.data'), '');
  truncateSync(join(folder, 'large.data'), 4 * rows * columns);
  const measure = "data:text/javascript,process.on('exit', () => console.error(process.resourceUsage().maxRSS))";
  const { status, stderr } = spawnSync(
    process.execPath, ['--import', measure, join(root, 'dist/library/node/cli.js'), 'large.onnx', '-o', 'out', '--compress_to_fp16=False'],
    { cwd: folder, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(Number(stderr)).toBeLessThan(200_000);
});
