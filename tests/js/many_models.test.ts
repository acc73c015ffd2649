/** Several models in one call: --jobs and --skip_unchanged, natively and in Node. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { temporaryPath } from '../../dist/library/node/draft.js';
import { listing, modelFolder, root, runNative, runNode, temporaryFolder } from './support.js';

const models = modelFolder();
const native = join(root, 'build/native/mo');
const cli = join(root, 'dist/library/node/cli.js');
const COMMANDS: [string, typeof runNode, string[]][] = [['native', runNative, [native]], ['node', runNode, [process.execPath, cli]]];

/** Names that unfinished files may have while a process writes them. */
const UNFINISHED: Record<string, (process: number) => string[]> = {
  native: () => ['part', 'old'].map((ending) => `mo-${'0123456789abcdef'.repeat(2)}.${ending}`),
  node: (id) => (['part', 'old'] as const).map((ending) => temporaryPath('.', ending).replace(`-${process.pid}-`, `-${id}-`)),
};

/** A new folder with copies of these models. */
function folderWith(...names: string[]): string {
  const folder = temporaryFolder();
  for (const name of names) cpSync(join(models, name), join(folder, name));
  return folder;
}

it.each([
  [['--jobs', '0', 'conv.onnx'], '--jobs is "0", want a number from 1 to 256'],
  [['--jobs=257', 'conv.onnx'], '--jobs is "257", want a number from 1 to 256'],
  [['--jobs=-1', 'conv.onnx'], '--jobs is "-1", want a number from 1 to 256'],
  [['--jobs', '2.5', 'conv.onnx'], '--jobs is "2.5", want a number from 1 to 256'],
  [['--jobs', 'all', 'conv.onnx'], '--jobs is "all", want a number from 1 to 256'],
  [['conv.onnx', '--jobs'], 'argument --jobs/-j: expected one argument'],
  [['conv.onnx', '--skip_unchanged=True'], "argument --skip_unchanged: ignored explicit argument 'True'"],
  [['conv.onnx', './conv.onnx', '-j', '2'], '"conv.onnx" and "./conv.onnx" would both be conv.xml'],
])('%j is refused', (args, message) => {
  const folder = folderWith('conv.onnx');
  const outcome = runNative(args, folder);
  expect(outcome).toMatchObject({ code: 2, stdout: '' });
  expect(outcome.stderr).toContain(message);
  expect(runNode(args, folder)).toEqual(outcome);
  expect(listing(folder)).toEqual(['conv.onnx']);
});

describe.each(COMMANDS)('several models, %s', (host, run, command) => {
  const convert = (jobs: number, names: string[], ...more: string[]) => {
    const folder = temporaryFolder();
    const { code, stdout, stderr } = run([...names, '-o', folder, '--jobs', String(jobs), ...more], models);
    return { code, stdout: stdout.replaceAll(folder, 'OUT'), stderr, files: listing(folder) };
  };

  it.each([
    [0, ['long.onnx', 'conv.onnx', 'dense.onnx'], ['conv', 'dense', 'long']],
    [1, ['conv.onnx', 'unknown.onnx', 'dense.onnx'], ['conv', 'dense']],
    [1, ['garbage.onnx', 'conv.onnx', 'dense.onnx'], ['conv', 'dense']],
    [2, ['conv.onnx', 'none.onnx', 'garbage.onnx', 'dense.onnx'], ['conv', 'dense']],
  ])('end with %i: %j', (code, names, written) => {
    for (const more of [[], ['--json'], ['--log_level', 'WARNING']]) {
      const parallel = convert(3, names, ...more);
      expect(parallel).toMatchObject({ code, files: written.flatMap((name) => [`${name}.bin`, `${name}.xml`]) });
      // The processes print the same as one process, in the same order.
      expect(parallel).toEqual(convert(1, names, ...more));
    }
  }, 240_000);

  it('have one line of JSON each, in their order', () => {
    const names = ['long.onnx', 'none.onnx', 'conv.onnx', 'unknown.onnx'];
    const lines = convert(2, names, '--json').stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ model, ok }) => [model, ok])).toEqual([['long.onnx', true], ['none.onnx', false], ['conv.onnx', true], ['unknown.onnx', false]]);
    expect(lines[0]).toMatchObject({ xml: 'OUT/long.xml', bin: 'OUT/long.bin', report: { framework: 'onnx' }, messages: [] });
    expect(lines[1]!['messages']).toMatchObject([{ severity: 'error', code: 'MO6007' }]);
  });

  it('print the options in force once', () => {
    const { stdout } = convert(2, ['conv.onnx', 'dense.onnx'], '--silent', 'False');
    expect(stdout.match(/Model Optimizer arguments:/g)).toHaveLength(1);
    expect(stdout.match(/Total execution time/g)).toHaveLength(2);
  });

  it('take no notice of a variable that is not theirs', () => {
    process.env['MO_JOB'] = '1:1:1:0:xconv.onnx';
    try {
      expect(convert(2, ['conv.onnx', 'dense.onnx']).files).toHaveLength(4);
    } finally {
      delete process.env['MO_JOB'];
    }
  });

  /** Starts the command with a model that never ends, and finds its process. */
  async function withWaitingModel(...more: string[]) {
    const folder = folderWith('conv.onnx', 'dense.onnx');
    const child = spawn(command[0]!, [...command.slice(1), 'conv.onnx', '-', 'dense.onnx', '--jobs', '3', '-o', 'ir', ...more], { cwd: folder });
    const ended = outcomeOf(child);
    const waiting = await eventually(() => childrenOf(child.pid!).find((pid) => jobOf(pid)?.startsWith(`${child.pid}:1:`)));
    await eventually(() => ['conv.xml', 'dense.xml'].every((name) => existsSync(join(folder, 'ir', name))) || undefined);
    const unfinished = UNFINISHED[host]!(waiting);
    for (const name of unfinished) writeFileSync(join(folder, 'ir', name), 'half of it');
    return { child, ended, waiting, folder, unfinished };
  }

  it('go on without a process that is killed', async () => {
    const { child, ended, waiting, folder } = await withWaitingModel();
    process.kill(waiting, 'SIGKILL');
    const { code, stdout, stderr } = await ended;
    child.stdin.destroy();
    expect(code).toBe(1);
    expect(stderr).toContain('[ ERROR ]  MO7007 the process that converted the model has ended early: SIGKILL');
    expect(stderr).toContain('file "-"');
    expect(stdout.match(/XML file/g)).toHaveLength(2);
    expect(listing(join(folder, 'ir'))).toEqual(['conv.bin', 'conv.xml', 'dense.bin', 'dense.xml']);
  });

  it('have a line of JSON for it', async () => {
    const { child, ended, waiting } = await withWaitingModel('--json');
    process.kill(waiting, 'SIGKILL');
    const lines = (await ended).stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    child.stdin.destroy();
    expect(lines.map(({ model, ok }) => [model, ok])).toEqual([['conv.onnx', true], ['-', false], ['dense.onnx', true]]);
    expect(lines[1]).toMatchObject({ messages: [{ code: 'MO7007', file: '-' }] });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('end with the command on %s', async (signal) => {
    const { child, ended, waiting, folder, unfinished } = await withWaitingModel();
    child.kill(signal);
    expect(await ended).toMatchObject({ signal });
    child.stdin.destroy();
    await eventually(() => !existsSync(`/proc/${waiting}`) || undefined);
    const left = listing(join(folder, 'ir'));
    expect(unfinished.filter((name) => left.includes(name))).toEqual([]);
  });
});

function outcomeOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }> {
  let [stdout, stderr] = ['', ''];
  child.stdout!.on('data', (piece: Buffer) => (stdout += piece.toString()));
  child.stderr!.on('data', (piece: Buffer) => (stderr += piece.toString()));
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })));
}

async function eventually<T>(look: () => T | undefined): Promise<T> {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 10))) {
    const found = look();
    if (found !== undefined) return found;
  }
  throw new Error('it has not happened');
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function jobOf(pid: number): string | undefined {
  try {
    return /(?:^|\0)MO_JOB=([^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

describe.each(COMMANDS)('--skip_unchanged, %s', (_, run) => {
  const args = ['external.onnx', '-o', 'ir', '--skip_unchanged', '--transformations_config', 'config.json'];

  /** A folder with a model that has been converted. */
  function converted(): { folder: string; again: (...more: string[]) => boolean } {
    const folder = folderWith('external.onnx', 'weights.bin');
    writeFileSync(join(folder, 'config.json'), '[]');
    const again = (...more: string[]): boolean => {
      const { code, stdout, stderr } = run([...args, ...more], folder);
      expect(stderr).toBe('');
      expect(code).toBe(0);
      const skipped = stdout === `[ SUCCESS ] external is unchanged: ${join(folder, 'ir/external.xml')}\n`;
      expect(skipped || stdout.includes('[ SUCCESS ] Generated IR version 11 model.\n')).toBe(true);
      return skipped;
    };
    expect(again()).toBe(false);
    expect(again()).toBe(true);
    return { folder, again };
  }

  const CHANGES: [string, (folder: string) => string[] | void][] = [
    ['the model', (folder) => cpSync(join(models, 'dense.onnx'), join(folder, 'external.onnx'))],
    ['a byte of its weights', (folder) => {
      const weights = readFileSync(join(folder, 'weights.bin'));
      weights[1000]! ^= 1;
      writeFileSync(join(folder, 'weights.bin'), weights);
    }],
    ['an option', () => ['--compress_to_fp16=False']],
    ['a switch', () => ['--static_shape']],
    ['a further output', () => ['--generate_mapping']],
    ['what transformations changed', () => ['--trace']],
    ['a check of the numbers', () => ['--emit_check']],
    ['a file that an option names', (folder) => writeFileSync(join(folder, 'config.json'), '[ ]')],
    ['the .bin', (folder) => truncateSync(join(folder, 'ir/external.bin'), 1000)],
    ['a byte of the .xml', (folder) => writeFileSync(join(folder, 'ir/external.xml'), readFileSync(join(folder, 'ir/external.xml'), 'utf8').replace('f32', 'f64'))],
    ['a missing .xml', (folder) => rmSync(join(folder, 'ir/external.xml'))],
    ['a missing record', (folder) => rmSync(join(folder, 'ir/external.mo.json'))],
  ];
  it.each(CHANGES)('converts again after a change: %s', (_what, change) => {
    const { folder, again } = converted();
    const more = change(folder) ?? [];
    expect(again(...more)).toBe(false);
    expect(again(...more)).toBe(true);
  });

  it.each([
    ['checkpoint_v2', 'model.ckpt', 'model.ckpt.data-00000-of-00001'],
    ['checkpoint_v1_shards', 'model.ckpt', 'model.ckpt-00001-of-00002'],
    ['checkpoint_v1_shards', 'model.ckpt-00000-of-00002', 'model.ckpt-00001-of-00002'],
    ['checkpoint_v1_shards', 'model.ckpt-?????-of-00002', 'model.ckpt-00000-of-00002'],
  ])('knows all files of a checkpoint: %s, named %s', (kind, name, file) => {
    const folder = temporaryFolder();
    cpSync(join(root, 'tests/tf/recorded/saved', kind), folder, { recursive: true });
    const again = (): boolean => run(['graph.pb', '--input_checkpoint', name, '--skip_unchanged'], folder).stdout.includes(' is unchanged: ');
    expect([again(), again()]).toEqual([false, true]);
    const bytes = readFileSync(join(folder, file));
    bytes[8]! ^= 1;
    writeFileSync(join(folder, file), bytes);
    expect(again()).toBe(false);
  });

  it('looks at the switches in the environment', () => {
    const { again } = converted();
    process.env['MO_DISABLED_TRANSFORMS'] = 'SwishFusion';
    try {
      expect(again()).toBe(false);
      expect(again()).toBe(true);
    } finally {
      delete process.env['MO_DISABLED_TRANSFORMS'];
    }
    expect(again()).toBe(false);
  });

  const DAMAGES: [string, (text: string, folder: string) => string][] = [
    ['nothing in it', () => ''],
    ['no JSON', () => 'this is no record'],
    ['an array', () => '[]'],
    ['an empty object', () => '{}'],
    ['half of it', (text) => text.slice(0, text.length / 2)],
    ['one more blank', (text) => `${text} `],
    ['20 MB', (text) => text + ' '.repeat(20 << 20)],
    ['a million brackets', () => '['.repeat(1_000_000)],
    ['another version', (text) => text.replace(/"version": "[^"]*"/, '"version": "0.0.0"')],
    ['inputs of the wrong kind', (text) => text.replace(/"inputs": \[[^\]]*\]/, '"inputs": 7')],
    ['a hash of the wrong kind', (text) => text.replace(/"sha256": "[^"]*"/, '"sha256": {}')],
    ['another hash', (text) => text.replace(/"sha256": "[^"]*"/, `"sha256": "${'0'.repeat(64)}"`)],
    ['a device', (text) => text.replace('"weights.bin"', '"/dev/zero"')],
    ['a path that leaves the folder', (text, folder) => text.replace('"weights.bin"', `"../${folder.split('/').at(-1)}/weights.bin"`)],
    ['a roundabout path', (text) => text.replace('"weights.bin"', '"./weights.bin"')],
  ];
  it.each(DAMAGES)('converts again if the record has %s', (_what, damage) => {
    const { folder, again } = converted();
    const path = join(folder, 'ir/external.mo.json');
    const before = readFileSync(path, 'utf8');
    const after = damage(before, folder);
    expect(after).not.toBe(before);
    writeFileSync(path, after);
    expect(again()).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(again()).toBe(true);
  });

  it('says so in JSON', () => {
    const { folder } = converted();
    const { code, stdout } = run([...args, '--json'], folder);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      model: 'external.onnx', ok: true, skipped: true, xml: join(folder, 'ir/external.xml'), bin: join(folder, 'ir/external.bin'), messages: [],
    });
  });

  it('writes no record without the option, and none of a model that fails', () => {
    const folder = folderWith('conv.onnx', 'unknown.onnx');
    expect(run(['conv.onnx', 'unknown.onnx', '-o', 'one'], folder).code).toBe(1);
    expect(listing(join(folder, 'one'))).toEqual(['conv.bin', 'conv.xml']);
    expect(run(['conv.onnx', 'unknown.onnx', '-o', 'two', '--skip_unchanged', '--jobs', '2'], folder).code).toBe(1);
    expect(listing(join(folder, 'two'))).toEqual(['conv.bin', 'conv.mo.json', 'conv.xml']);
  });

  it('never takes the place of a file of the model', () => {
    const folder = folderWith('external.onnx');
    writeFileSync(join(folder, 'external.mo.json'), '[]');
    cpSync(join(models, 'weights.bin'), join(folder, 'weights.bin'));
    const { code, stderr } = run(['external.onnx', '--skip_unchanged', '--transformations_config', 'external.mo.json'], folder);
    expect(code).toBe(1);
    expect(stderr).toContain('it is a file of the model');
    expect(readFileSync(join(folder, 'external.mo.json'), 'utf8')).toBe('[]');
  });

  it('goes on where a call has stopped', () => {
    const folder = folderWith('conv.onnx', 'dense.onnx', 'external.onnx', 'weights.bin');
    expect(run(['conv.onnx', '-o', 'ir', '--skip_unchanged'], folder).code).toBe(0);
    const { code, stdout } = run(['conv.onnx', 'dense.onnx', 'external.onnx', '-o', 'ir', '--skip_unchanged', '--jobs', '2', '--json'], folder);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ model, skipped }) => [model, skipped])).toEqual([['conv.onnx', true], ['dense.onnx', undefined], ['external.onnx', undefined]]);
  });
});

describe('NAME.mo.json', () => {
  it.each([
    [['conv.onnx'], []],
    [['conv.onnx', '--extensions', 'mish/'], ['mish/']],
    [['./external.onnx', '--compress_to_fp16=False', '--generate_mapping', '--emit_check', '--trace'], ['weights.bin', 'check_external.py']],
    [['deep/er/external.onnx', '--disabled_transforms', 'SwishFusion', '--input_shape', '[1,256]'], ['weights.bin']],
    [['external.onnx', '-n', 'ünïcode "q"', '--transformations_config', './config.json'], ['config.json', 'weights.bin']],
  ])('is the same from both commands, and holds for the other: %j', (args, named) => {
    const folder = folderWith('conv.onnx', 'external.onnx', 'weights.bin');
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    for (const name of ['external.onnx', 'weights.bin']) cpSync(join(models, name), join(folder, 'deep/er', name));
    writeFileSync(join(folder, 'config.json'), '[]');
    cpSync(join(root, 'docs/examples/extensions/mish'), join(folder, 'mish'), { recursive: true });
    const record = (out: string) => readFileSync(join(folder, out, listing(join(folder, out)).find((name) => name.endsWith('.mo.json'))!), 'utf8');
    for (const [out, run] of [['native', runNative], ['node', runNode]] as const) {
      const { code, stderr } = run([...args, '-o', out, '--skip_unchanged'], folder);
      expect([code, stderr]).toEqual([0, '']);
    }
    expect(record('node')).toBe(record('native'));
    for (const name of named) expect(record('node')).toContain(name);
    for (const [out, run] of [['node', runNative], ['native', runNode]] as const)
      expect(run([...args, '-o', out, '--skip_unchanged'], folder).stdout).toMatch(/ is unchanged: /);
  });

  it.each(COMMANDS)('has the modules of extensions, which are part of the result, %s', (_, run) => {
    const folder = folderWith('conv.onnx');
    cpSync(join(root, 'docs/examples/extensions/mish'), join(folder, 'mish'), { recursive: true });
    const again = () => {
      // A module without a class is warned of.
      const { code, stdout, stderr } = run(['conv.onnx', '-o', 'ir', '--skip_unchanged', '--extensions', 'mish'], folder);
      expect(code).toBe(0);
      expect(stderr).not.toContain('[ ERROR ]');
      return stdout.includes('is unchanged');
    };
    expect([again(), again()]).toEqual([false, true]);
    const module = readdirSync(join(folder, 'mish'), { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.js'))!;
    expect(readFileSync(join(folder, 'ir/conv.mo.json'), 'utf8')).toContain(`"mish/${module}"`);
    writeFileSync(join(folder, 'mish', module), `${readFileSync(join(folder, 'mish', module), 'utf8')}\n`);
    expect([again(), again()]).toEqual([false, true]);
    writeFileSync(join(folder, 'mish/front/none.js'), 'export const none = 0;\n');
    expect(again()).toBe(false);
  });
});

/** The example under a heading of docs/many-models.md. */
function example(heading: string, index = 0): string {
  const section = readFileSync(join(root, 'docs/many-models.md'), 'utf8').split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/```\w+\n([^]*?)```/g)][index]![1]!;
}

describe('docs/many-models.md', () => {
  const kubernetes = () => /args:\n {12}- \|\n((?: {14}.*\n)+)/.exec(example('Kubernetes'))![1]!.replaceAll(/^ {14}/gm, '').replaceAll('/tmp/models', './list');
  const EXAMPLES: [string, () => string, [string, string], number, Record<string, string>, string][] = [
    ['xargs: one call', () => example('xargs'), ['sh', '-c'], 123, {}, 'ir'],
    ['xargs: a call for each model', () => example('xargs', 1), ['sh', '-c'], 123, {}, 'ir/models'],
    ['a shell loop', () => example('A shell loop'), ['sh', '-c'], 1, {}, 'ir'],
    ['GNU make', () => example('GNU make'), ['make', '-kj3'], 2, {}, 'ir'],
    ['Slurm', () => example('Slurm'), ['bash', '-c'], 1, { SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_COUNT: '1', SLURM_CPUS_PER_TASK: '2' }, 'ir'],
    ['Kubernetes', kubernetes, ['sh', '-c'], 1, { JOB_COMPLETION_INDEX: '1' }, 'ir'],
  ];
  it.each(EXAMPLES)('%s', (name, text, [program, how], failed, variables, ir) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'bin'));
    mkdirSync(join(folder, 'models'));
    symlinkSync(native, join(folder, 'bin/mo'));
    for (const model of ['conv', 'unknown', 'dense']) cpSync(join(models, `${model}.onnx`), join(folder, `models/${model}.onnx`));
    if (name === 'GNU make') writeFileSync(join(folder, 'Makefile'), text());
    const list = ['conv', 'unknown', 'dense'].map((model) => `models/${model}.onnx\n`);
    // The first task of a hundred has line 1, the next line 101.
    writeFileSync(join(folder, 'models.txt'), name === 'Kubernetes' ? list.map((line) => line + 'x\n'.repeat(99)).join('') : list.join(''));
    const run = () => {
      const args = name === 'GNU make' ? [how] : [how, text()];
      return spawnSync(program, args, { cwd: folder, encoding: 'utf8', env: { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, ...variables } });
    };
    const first = run();
    expect(first.status).toBe(failed);
    expect(first.stderr).toContain('MO');
    const made = listing(join(folder, ir)).filter((file) => !file.endsWith('.result.json'));
    expect(made).toEqual(['conv', 'dense'].flatMap((model) => [`${model}.bin`, `${model}.mo.json`, `${model}.xml`]));
    // Started again with the bad model corrected: what is ready is skipped, and nothing fails.
    cpSync(join(models, 'long.onnx'), join(folder, 'models/unknown.onnx'));
    const second = run();
    expect(second.status).toBe(0);
    expect(listing(join(folder, ir))).toContain('unknown.xml');
    if (name === 'GNU make') return;
    const results = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /(\.jsonl|\.result\.json)$/.test(file));
    const lines = results.flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ skipped }) => skipped).map(({ model }) => model).sort()).toEqual(['models/conv.onnx', 'models/dense.onnx']);
  });
});
