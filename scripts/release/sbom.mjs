// The list of the downloads' parts, as CycloneDX 1.6.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ARM64, components, LINUX, PACKAGE, PAGE, WINDOWS } from './components.mjs';

const sha256 = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** An identifier as such, anything longer as an expression. */
const licences = (licence) => (/[ (]/.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }]);

function component({ name, version, purl, licence, sha256, sha512 }) {
  const hashes = [sha256 && { alg: 'SHA-256', content: sha256 }, sha512 && { alg: 'SHA-512', content: sha512 }].filter(Boolean);
  return { type: 'library', 'bom-ref': purl, name, version, licenses: licences(licence), purl, ...(hashes.length > 0 && { hashes }) };
}

/**
 * The text of the file for the downloads in `folder`. `seconds` is the time of the commit; `tarball` the file of the package.
 */
export function sbom(folder, { name, version, license }, tarball, seconds) {
  const files = { [LINUX]: LINUX, [ARM64]: ARM64, [WINDOWS]: WINDOWS, [PACKAGE]: tarball, [PAGE]: PAGE };
  const parts = components();
  const downloads = Object.values(files).map((file) => ({
    type: 'file',
    'bom-ref': file,
    name: file,
    version,
    hashes: [{ alg: 'SHA-256', content: sha256(join(folder, file)) }],
  }));
  const product = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: { type: 'application', 'bom-ref': product, name, version, licenses: licences(license), purl: product },
    },
    components: [...downloads, ...parts.map(component)],
    dependencies: [
      { ref: product, dependsOn: Object.values(files) },
      ...Object.entries(files).map(([download, ref]) => ({
        ref,
        dependsOn: parts.filter((part) => part.downloads.includes(download)).map(({ purl }) => purl),
      })),
      ...parts.map(({ purl }) => ({ ref: purl })),
    ],
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}
