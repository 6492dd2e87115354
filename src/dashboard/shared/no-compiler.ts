/** In place of TypeBox's compiler where pages are built: their policy forbids code made from text, and to try it is told as
 * a violation. What is thrown says so, and values are checked without it. */
export const TypeCompiler = {
  Compile(): never {
    throw new EvalError("no code is made from text in a page");
  },
};
