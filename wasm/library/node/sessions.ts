/** The workers of the Node library: started when they are needed, and used again. */
import type { InspectControls } from '../shared/api.js';
import { compileCore, workerFile } from './places.js';
import { Session } from './session.js';

/** At most SPARE idle workers are kept, and none whose core has more than LARGEST bytes of memory. They do not keep the process alive. */
const SPARE = 2;
const LARGEST = 64 << 20;

const idle: Session[] = [];

export async function takeSession(controls: InspectControls): Promise<Session> {
  const module = await compileCore();
  const place = workerFile();
  for (let session = idle.pop(); session; session = idle.pop()) {
    if (session.usable && session.module === module && session.place.href === place.href) {
      session.serve(controls);
      return session;
    }
    void session.close();
  }
  const session = new Session(place, module);
  session.serve(controls);
  return session;
}

/** Returns a session whose conversion is not needed any more. */
export async function giveBack(session: Session): Promise<void> {
  if (session.usable && session.heap <= LARGEST && idle.length < SPARE) {
    session.serve({});
    await session.request({ kind: 'release' }).catch(() => undefined);
    if (session.usable && idle.length < SPARE) return void idle.push(session);
  }
  await session.close();
}
