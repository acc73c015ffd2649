/** The list of the downloads' parts follows its schema, and names the parts that the build has. */
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { root } from '../js/support.js';

interface Bom {
  components: { 'bom-ref': string; name: string; version: string; purl?: string; licenses?: unknown[]; hashes?: { content: string }[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const release = join(root, 'build/release');
const text = readFileSync(join(release, 'mo.cdx.json'), 'utf8');
const { components, dependencies } = JSON.parse(text) as Bom;

test('it is CycloneDX 1.6', async () => {
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
  const broken = text.replace('"specVersion": "1.6"', '"specVersion": "1.6", "of": "nobody"');
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(broken)).not.toBeNull();
});

test('every download has its checksum in it', () => {
  const sums = new Map(readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n').map((line) => line.split('  ').reverse() as [string, string]));
  const files = components.filter(({ purl }) => purl === undefined);
  expect(files).toHaveLength(5);
  for (const { name, hashes } of files) expect(hashes![0]!.content).toBe(sums.get(name));
});

test('both programs for Linux have a C library', () => {
  for (const name of ['mo-linux-x64', 'mo-linux-arm64'])
    expect(dependencies.find(({ ref }) => ref === name)!.dependsOn).toEqual(expect.arrayContaining([expect.stringMatching(/\/glibc@/), expect.stringMatching(/\/gcc-12@/)]));
});

test('every part has a version, a licence and a download that contains it', () => {
  const contained = new Set(dependencies.flatMap(({ dependsOn = [] }) => dependsOn));
  const parts = components.filter(({ purl }) => purl !== undefined);
  expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['musl', 'zlib', 'quickjs-ng', 'glibc', 'mingw-w64', 'emscripten', 'es-module-lexer']));
  for (const part of parts) {
    expect(part.version).toMatch(/^\d/);
    expect(part.licenses).toHaveLength(1);
    expect(contained).toContain(part['bom-ref']);
  }
});
