'use client';
// The browser converts: the model is not sent anywhere.
import { useState } from 'react';
import { convert } from '@mo/wasm';

export default function Page() {
  const [says, setSays] = useState('');
  async function take({ target: { files: [file] } }) {
    try {
      const { report } = await convert(file);
      setSays(`${Object.values(report.operations).reduce((sum, count) => sum + count, 0)} operations`);
    } catch (error) {
      setSays(error.message);
    }
  }
  return <main><label>Model: <input id="model" type="file" onChange={take} /></label><output id="says">{says}</output></main>;
}
