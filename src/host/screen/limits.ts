/** How many lines a screen keeps above what it shows, unless told otherwise. A filled line of 80 columns costs about 2
 * KB, so a terminal stays near 2 MB and 200 of them under half a gigabyte; xterm.js keeps as many, tmux twice as many
 * at a smaller cost. */
export const SCROLLBACK_LINES = 1000;

/** The most cells of history, of 12 bytes each: a terminal that is wider than 1 048 columns keeps fewer lines. */
export const HISTORY_CELLS = 1024 * 1024;

/** The most lines of history in one answer. A thousand lines take 10 to 20 ms, in which the worker parses nothing for
 * others. */
export const HISTORY_SLICE_LINES = 500;

/** The longest payload of an OSC or DCS sequence that is heeded, in characters; no program that means well comes near. */
export const PAYLOAD_CHARACTERS = 64 * 1024;
/** What is kept of a title, in characters. */
export const TITLE_CHARACTERS = 1024;
/** The longest address of a link, in characters; other terminals draw the line at the same place. */
export const LINK_CHARACTERS = 2083;
/** The most links that one screen and its history keep apart. Past it text is shown without its link. */
export const LINKS = 4096;
/** The most characters of addresses in one painting, as one address is repeated wherever its cells are interrupted. */
export const PAINTED_LINK_CHARACTERS = 1024 * 1024;
/** How many UTF-16 units one cell may hold. Marks stacked higher are dropped: they would be a way to fill memory. */
export const CELL_CHARACTERS = 32;
/** The most characters of answers to one slice of output. A program that asks more at once does not read what it is
 * told. */
export const ANSWER_CHARACTERS = 64 * 1024;
/** How much of a sequence that has not ended is kept to begin a viewer with, in bytes. Longer ones are strings, which a
 * viewer is begun with by an opener of its own. */
export const OPEN_SEQUENCE_BYTES = 4096;
