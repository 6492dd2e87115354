// The face of `termtopic/validate`; validate.mjs puts the functions under it and declares its types.
import * as checks from "virtual:checks";

const byName = new Map(Object.entries(checks));

export const SCHEMA_NAMES = [...byName.keys()];

export function isValid(name, value) {
  return checkOf(name)(value);
}

export function validationErrors(name, value) {
  const check = checkOf(name);
  return check(value) ? [] : [faultOf(check.errors)];
}

function checkOf(name) {
  const check = byName.get(name);
  if (check === undefined) throw new TypeError(`name must be one of SCHEMA_NAMES, got "${name}"`);
  return check;
}

/** The fault that says most. A value that fits no branch of a union has one fault for each branch: a
 * branch whose tag is another one was not meant, and of the others the one that reads furthest was. */
function faultOf(errors) {
  const branches = errors.filter(({ keyword }) => keyword !== "anyOf");
  const meant = branches.filter(({ keyword }) => keyword !== "const");
  const [first, ...others] = meant.length === 0 ? branches : meant;
  const told = others.reduce((best, next) => (depth(next) > depth(best) ? next : best), first);
  return { path: told.instancePath, message: told.message };
}

const depth = ({ instancePath }) => instancePath.split("/").length;
