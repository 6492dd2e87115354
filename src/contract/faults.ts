import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";

/** One place at which a value does not fit: `path` is a JSON pointer to the part of the value that is
 * at fault. A field that is missing is told of the object that lacks it. */
export interface ValidationError {
  readonly path: string;
  readonly message: string;
}

/** How many faults of one value are told. A hostile value may have millions. */
export const ERRORS_SHOWN = 8;

interface Fault extends ValidationError {
  /** Whether it is about a value that is fixed, by which the branches of a union are told apart. */
  readonly tag: boolean;
}

/** What the validators of TypeBox say, in the order in which they say it: each fault once, and of a
 * union that no branch fits the faults of the branch that was meant. */
export function validationErrorsOf(errors: Iterable<ValueError>): ValidationError[] {
  return faultsOf(errors)
    .slice(0, ERRORS_SHOWN)
    .map(({ path, message }) => ({ path, message }));
}

function faultsOf(errors: Iterable<ValueError>): Fault[] {
  const faults: Fault[] = [];
  const missing = new Set<string>();
  for (const error of errors) {
    if (faults.length >= ERRORS_SHOWN) break;
    // A missing field is told a second time as a value of the wrong type, and parts of an intersection
    // a second time as the whole.
    if (missing.has(error.path) || error.type === ValueErrorType.Intersect) continue;
    if (error.type === ValueErrorType.ObjectRequiredProperty) missing.add(error.path);
    faults.push(...faultsAt(error));
  }
  return faults;
}

function faultsAt(error: ValueError): Fault[] {
  const { path, message, schema } = error;
  const tag = schema["const"] !== undefined;
  if (error.type === ValueErrorType.Union) return branchMeant(error);
  if (error.type !== ValueErrorType.ObjectRequiredProperty) return [{ path, message, tag }];
  const slash = path.lastIndexOf("/");
  return [{ path: path.slice(0, slash), message: `Expected \`${path.slice(slash + 1)}\``, tag }];
}

/** The faults of the branch that a value comes nearest to: fewest tags of another branch, then fewest
 * faults. The union's own where nothing but tags were compared. */
function branchMeant({ path, message, errors }: ValueError): Fault[] {
  const branches = errors.map((branch) => faultsOf(branch));
  const tags = (faults: Fault[]) => faults.filter(({ tag }) => tag).length;
  const [nearest] = branches.sort((a, b) => tags(a) - tags(b) || a.length - b.length);
  const words = nearest?.every((fault) => fault.tag && fault.path === path);
  return nearest === undefined || words ? [{ path, message, tag: false }] : nearest;
}
