// Makes build/web/, the page, from web/ and the package in dist/.
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));

await build({ configFile: path('vite.config.ts') });
// With an ending that servers know as text.
copyFileSync(path('THIRD_PARTY_NOTICES'), path('build/web/THIRD_PARTY_NOTICES.txt'));
