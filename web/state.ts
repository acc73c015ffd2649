/** What the page knows of the models at hand: one value that is never changed. Each function here makes the next one of it. */

/** A model with its conversion, as far as the steps need it. */
interface Converted {
  readonly state: string;
}

/** What each file that came is used as, what others are, and the errors of those that cannot be used. */
interface Sorted {
  readonly roles: ReadonlyMap<unknown, unknown>;
  readonly kinds: ReadonlyMap<unknown, unknown>;
  readonly errors: readonly unknown[];
}

export interface State<Task extends Converted, Extensions, Came extends Sorted, Ir = unknown> {
  /** The models at hand, in the order in which they are converted. */
  readonly tasks: readonly Task[];
  /** The one in view. While `follows` is set, that is the one at work. */
  readonly shown: Task | undefined;
  readonly follows: boolean;
  readonly extensions: Extensions;
  readonly taken: Came;
  /** The IRs that are looked at in the place of models. */
  readonly irs: readonly Ir[];
  /** By what the models at hand are recognised; empty for none. */
  readonly models: string;
  /** The models for which the options of the form were given; undefined for those that come next. */
  readonly owner: string | undefined;
  /** The options that the models before these had, as a text. */
  readonly last: string;
}

type Any = State<Converted, unknown, Sorted>;

export function nothing<Task extends Converted, Extensions, Came extends Sorted, Ir = unknown>(extensions: Extensions, taken: Came): State<Task, Extensions, Came, Ir> {
  return { tasks: [], shown: undefined, follows: true, extensions, taken, irs: [], models: '', owner: undefined, last: '' };
}

/** Conversions begin: these are the models at hand now. */
export const begun = <S extends Any>(state: S, tasks: S['tasks']): S => ({ ...state, tasks, follows: true, irs: [] });

/** A model comes into view. */
export const viewing = <S extends Any>(state: S, shown: S['shown']): S => ({ ...state, shown });

/** The user has chosen a model: the page stays at it, unless it is the one at work. */
export const chosen = <S extends Any>(state: S, shown: NonNullable<S['shown']>): S => ({ ...state, shown, follows: shown.state === 'working' });

/** Something went wrong, with a model or without one. */
export const failing = <S extends Any>(state: S, shown: S['shown']): S => ({ ...state, shown, follows: state.follows && shown !== undefined, irs: [] });

/** Whether a model at work comes into view. */
export const turnsTo = ({ follows, tasks }: Any): boolean => follows || tasks.length === 1;

/** What is shown after the last conversion if the model in view was cancelled: there is nothing to show of it. undefined for the empty page. */
export const lastEnded = <S extends Any>({ tasks }: S): S['shown'] => tasks.findLast(({ state }) => state === 'done' || state === 'failed');

export const stoppedInView = ({ follows, shown }: Any): boolean => follows && shown?.state === 'cancelled';

/** Files came that are models. */
export const brought = <S extends Any>(state: S, taken: S['taken']): S => ({ ...state, taken });

/** IRs came, with other files. */
export const looking = <S extends Any>(state: S, irs: S['irs'], taken: S['taken']): S => ({ ...state, shown: undefined, irs, taken });

/** Files came for the models that are there. */
export const joined = <S extends Any>(state: S, { roles, errors, kinds }: S['taken']): S =>
  ({ ...state, taken: { roles: new Map([...state.taken.roles, ...roles]), errors, kinds: new Map([...state.taken.kinds, ...kinds]) } });

export const extended = <S extends Any>(state: S, extensions: S['extensions']): S => ({ ...state, extensions });

/** The user has changed options: they are for the models at hand, or else for the next. */
export const optionsGiven = <S extends Any>(state: S): S => ({ ...state, owner: state.tasks.length > 0 ? state.models : undefined });

/** Options came for models that are not at hand, as with a command line. */
export const optionsForNext = <S extends Any>(state: S): S => ({ ...state, owner: undefined });

/** The options in the address are those that these models had at a former visit. */
export const optionsOf = <S extends Any>(state: S, owner: string | undefined): S => ({ ...state, owner });

/**
 * Other models are at hand. `own` are the options that are not habits, `any` whether there are some, with files, too. Those of other models
 * do not stay, but may be taken over; those that were given for the models to come do.
 */
export function adopting<S extends Any>(state: S, models: string, own: string, any: boolean): { readonly next: S; readonly keeps: boolean } {
  const keeps = state.owner === models || (state.owner === undefined && any);
  const last = keeps || own === '' ? state.last : own;
  return { next: { ...state, models, owner: models, last }, keeps };
}
