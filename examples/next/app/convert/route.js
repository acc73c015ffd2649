// POST /convert with a model as the body gives the .xml; the .bin is read in the same way. `@mo/wasm/node` is the library of Node by its name.
import { convert, MoError } from '@mo/wasm/node';

export const runtime = 'nodejs';

export async function POST(request) {
  const name = new URL(request.url).searchParams.get('name') ?? 'model';
  try {
    const { xml, bin } = await convert(request.body, { model_name: name });
    const wants = new URL(request.url).searchParams.get('part') ?? 'xml';
    return new Response(wants === 'bin' ? bin.stream() : xml, { headers: { 'content-type': wants === 'bin' ? 'application/octet-stream' : 'text/xml' } });
  } catch (error) {
    if (!(error instanceof MoError)) throw error;
    return Response.json(error.messages, { status: 422 });
  }
}
