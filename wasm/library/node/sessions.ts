/** The workers of the Node library: started when they are needed, and used again. */
import type { InspectControls } from '../shared/api.js';
import { compileCore, workerFile } from './places.js';
import { roomLeft } from './room.js';
import { Session } from './session.js';

/** At most SPARE idle workers are kept, and none whose core has more than LARGEST bytes of memory. They do not keep the process alive. */
const SPARE = 2;
const LARGEST = 64 << 20;

const idle: Session[] = [];

/** Sessions with a core that are being given back or closed: what they hold will be there. */
const leaving = new Set<Promise<unknown>>();

function leave(session: Session, work: Promise<void>): Promise<void> {
  const done = work.finally(() => leaving.delete(done));
  if (session.hasBegun) leaving.add(done);
  return done;
}

/** Returns whether a session was idle or on its way, and is gone now. */
export async function freeOne(): Promise<boolean> {
  const session = idle.shift();
  if (session) await leave(session, session.close());
  else if (leaving.size > 0) await Promise.race(leaving).catch(() => undefined);
  else return false;
  return true;
}

/** The start of the last session. */
let starting: Promise<void> = Promise.resolve();

export async function takeSession(controls: InspectControls): Promise<Session> {
  const module = await compileCore();
  const place = workerFile();
  for (let session = idle.pop(); session; session = idle.pop()) {
    if (session.usable && session.module === module && session.place.href === place.href) {
      session.serve(controls);
      return session;
    }
    await leave(session, session.close());
  }
  // Where address space is limited, a thread has to have what it takes before the next one looks how much is left.
  for (let last; roomLeft() !== Infinity && last !== starting; ) await (last = starting);
  const session = new Session(place, module);
  starting = session.started;
  session.serve(controls);
  return session;
}

/** Returns a session whose conversion is not needed any more, or closes it `atOnce`. */
export function giveBack(session: Session, atOnce = false): Promise<void> {
  return leave(session, atOnce ? session.close() : keep(session));
}

async function keep(session: Session): Promise<void> {
  if (session.usable && session.heap <= LARGEST && idle.length < SPARE) {
    session.serve({});
    await session.request({ kind: 'release' }).catch(() => undefined);
    if (session.usable && idle.length < SPARE) return void idle.push(session);
  }
  await session.close();
}
