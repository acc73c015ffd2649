/** What the page as one file has in itself: compressed, in Base64, as the text of an element. */
export function unpack(id: string, type: string): Response {
  const packed = Uint8Array.from(atob(document.getElementById(id)!.textContent!), (letter) => letter.charCodeAt(0));
  const content = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(content, { headers: { 'content-type': type } });
}
