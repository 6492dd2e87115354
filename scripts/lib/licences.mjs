const RULE = "-".repeat(78);

/** Packages that are published without their project's licence file, and one of the same project and licence that has
 * it. */
const SAME_PROJECT = { "@xterm/headless": "@xterm/addon-unicode11" };

/** The text of THIRD-PARTY-LICENSES.txt: each package once, by name, with its licence in full. Throws where
 * one has none to show, for then it may not be passed on. */
export function licenceText(packages) {
  const byName = new Map(packages.map((entry) => [`${entry.name} ${entry.version}`, entry]));
  const parts = [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([title, entry]) =>
      part(title, { ...entry, text: entry.text ?? sibling(packages, entry) }),
    );
  return `The programs in dist/ have these packages inside, each under its own licence.\n\n${parts.join("\n")}`;
}

function sibling(packages, { name, identifier }) {
  const other = packages.find((entry) => entry.name === SAME_PROJECT[name]);
  return other?.identifier === identifier ? other.text : undefined;
}

function part(title, { identifier, text }) {
  if (identifier === undefined || text === undefined) {
    throw new Error(`${title} is in the bundle and has no licence file`);
  }
  return `${RULE}\n${title} (${identifier})\n${RULE}\n\n${text.replaceAll("\r\n", "\n").trim()}\n`;
}
