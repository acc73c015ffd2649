/** Files that another app shares: they come with a POST that opens the page, and the page asks for them. */

/** Long enough for a page to load; a browser ends a worker that waits for nothing. */
const SECONDS = 60;

let arriving: Promise<File[]> = Promise.resolve([]);
let taken = () => {};

/** Keeps the files of a form until the page has asked for them. A request without a form has none. */
export async function keepShared(form: Promise<FormData>): Promise<void> {
  const former = arriving;
  arriving = form.then(async (data) => [...(await former), ...data.getAll('files').filter((entry) => entry instanceof File)], () => former);
  await new Promise<void>((resolve) => {
    taken = resolve;
    setTimeout(resolve, SECONDS * 1000);
  });
}

/** Gives them to the page that asks: none if another one was faster. */
export async function giveShared(page: Client): Promise<void> {
  const files = arriving;
  arriving = Promise.resolve([]);
  page.postMessage(await files);
  taken();
}
