/** What a skeleton of PaddlePaddle keeps of both generations' programs. */

/** The most bytes that the skeleton has in place of a parameter. */
export const MOST = 4096;
/** A list of at most so many floats is a setting such as scales; a longer one is weights. */
export const FEW = 8;
/** Settings that are texts: layouts, modes, equations, numbers. */
export const SETTING = /^[\w.,>\- ]{0,64}$/;
