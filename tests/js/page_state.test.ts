/** The steps from one state of the page to the next. */
import { describe, expect, it } from 'vitest';

import { adopting, begun, brought, chosen, failing, joined, lastEnded, looking, nothing, optionsForNext, optionsGiven, stoppedInView, turnsTo, viewing, type State } from '../../web/state.js';

interface Task {
  readonly state: string;
}
interface Came {
  roles: ReadonlyMap<string, string>;
  kinds: ReadonlyMap<string, string>;
  errors: readonly string[];
}

const NOTHING = nothing<Task, string[], Came>([], { roles: new Map(), kinds: new Map(), errors: [] });
const task = (state: string): Task => ({ state });

describe('models', () => {
  const [a, b] = [task('done'), task('working')];
  const two = begun(NOTHING, [a, b]);

  it('at work come into view until the user looks at another one', () => {
    expect(NOTHING.follows).toBe(true);
    expect(turnsTo(two)).toBe(true);
    const looking = chosen(two, a);
    expect([looking.shown, turnsTo(looking)]).toEqual([a, false]);
    expect(turnsTo(chosen(looking, b))).toBe(true);
    expect(turnsTo(begun(looking, [a, b]))).toBe(true);
    expect(turnsTo(begun({ ...NOTHING, follows: false }, [a]))).toBe(true);
  });

  it('that fail stay in view, and a failure without a model ends the following', () => {
    expect(failing(two, b)).toMatchObject({ shown: b, follows: true });
    expect(failing(two, undefined)).toMatchObject({ shown: undefined, follows: false });
  });

  it('that were cancelled make room for the last that ended', () => {
    const cancelled = task('cancelled');
    const state = viewing(begun(NOTHING, [a, task('failed'), cancelled]), cancelled);
    expect(stoppedInView(state)).toBe(true);
    expect(lastEnded(state)?.state).toBe('failed');
    expect(lastEnded(begun(NOTHING, [cancelled]))).toBeUndefined();
  });

  it('no step changes the state that it comes from', () => {
    const before = JSON.stringify(NOTHING);
    for (const step of [begun(NOTHING, [a]), optionsGiven(NOTHING), adopting(NOTHING, 'm', 'x=1', true).next]) expect(step).not.toBe(NOTHING);
    expect(JSON.stringify(NOTHING)).toBe(before);
  });
});

describe('files', () => {
  it('that come for the models at hand join those that came with them', () => {
    const first = brought(NOTHING, { roles: new Map([['a.onnx', 'model']]), errors: [], kinds: new Map() });
    const next = joined(first, { roles: new Map([['a.bin', 'side']]), errors: [], kinds: new Map() });
    expect([...next.taken.roles.values()]).toEqual(['model', 'side']);
    expect(first.taken.roles.size).toBe(1);
  });
});

describe('IRs', () => {
  const none = { roles: new Map(), errors: [], kinds: new Map() };

  it('are in view until models come, or something fails', () => {
    const state = looking(begun(NOTHING, []), ['a.xml'], none);
    expect([state.irs, state.shown]).toEqual([['a.xml'], undefined]);
    expect(optionsGiven(state).irs).toEqual(['a.xml']);
    expect(begun(state, [task('waiting')]).irs).toEqual([]);
    expect(failing(state, undefined).irs).toEqual([]);
  });
});

describe('options', () => {
  const at = (models: string): State<Task, string[], Came> => ({ ...begun(NOTHING, [task('done')]), models, owner: models });

  it('that were given before the first model are for that', () => {
    const { next, keeps } = adopting(optionsGiven(NOTHING), 'a', 'batch=2', true);
    expect([keeps, next.owner, next.last]).toEqual([true, 'a', '']);
  });

  it('stay with a model that comes again, and go for another one, which may take them', () => {
    expect(adopting(at('a'), 'a', 'batch=2', true).keeps).toBe(true);
    const { next, keeps } = adopting(at('a'), 'b', 'batch=2', true);
    expect([keeps, next.owner, next.models, next.last]).toEqual([false, 'b', 'b', 'batch=2']);
    expect(adopting(next, 'c', '', false).next.last).toBe('batch=2');
  });

  it('of a command line for another model are for that', () => {
    const { keeps } = adopting(optionsForNext(at('a')), 'b', 'batch=2', true);
    expect(keeps).toBe(true);
    expect(adopting(optionsGiven(optionsForNext(at('a'))), 'b', 'batch=2', true).keeps).toBe(false);
  });
});
