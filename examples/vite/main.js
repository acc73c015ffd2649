// Vite takes the package as it is: no plugin and no setting. The model stays in the browser.
import { convert, MoError } from '@mo/wasm';

const [model, cancel, says] = ['model', 'cancel', 'says'].map((id) => document.getElementById(id));

model.addEventListener('change', async () => {
  const abort = new AbortController();
  cancel.hidden = false;
  cancel.onclick = () => abort.abort();
  try {
    const [file] = model.files;
    const name = file.name.replace(/\.[^.]*$/, '');
    const { xml, bin } = await convert(file, { model_name: name }, {
      signal: abort.signal,
      onProgress: ({ phase }) => says.replaceChildren(phase),
    });
    says.replaceChildren(link(`${name}.xml`, new Blob([xml])), ' ', link(`${name}.bin`, bin));
  } catch (error) {
    if (error.name === 'AbortError') says.replaceChildren('Cancelled.');
    else if (error instanceof MoError) says.replaceChildren(error.messages.map(({ code, text }) => `${code} ${text}`).join('\n'));
    else throw error;
  }
  cancel.hidden = true;
});

/** `bin` refers to the chosen file, and takes no memory. */
function link(name, blob) {
  return Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name, textContent: name });
}
