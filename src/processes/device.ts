import { statSync } from "node:fs";

/** Majors of Linux's Documentation/admin-guide/devices.txt. 137 to 143 were for pseudo-terminals
 * too when a minor had 8 bits; since Linux 2.6 all of them are minors of 136. */
const TTY_MAJOR = 4;
const PTS_MAJOR = 136;
/** Minors of major 4 below it are virtual consoles, from it on serial lines. */
const FIRST_SERIAL_MINOR = 64;

/** The kernel's 32-bit encoding of a device number (`new_encode_dev`): the minor's low byte, 12
 * bits of major, then the minor's other 12 bits. */
export function deviceNumber(major: number, minor: number): number {
  return ((minor & 0xff) | ((major & 0xfff) << 8) | ((minor >>> 8) << 20)) >>> 0;
}

/** The file of a tty's device number on Linux. Undefined for 0 and for drivers without a fixed
 * name. */
export function ttyPath(device: number): string | undefined {
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 20) << 8);
  if (major === PTS_MAJOR) return `/dev/pts/${minor}`;
  if (major !== TTY_MAJOR || minor === 0) return undefined;
  return minor < FIRST_SERIAL_MINOR ? `/dev/tty${minor}` : `/dev/ttyS${minor - FIRST_SERIAL_MINOR}`;
}

/** The device number of a tty's file, to compare with `ttyDevice` of a process. Undefined when
 * there is no such device. */
export function ttyDevice(path: string): number | undefined {
  try {
    const file = statSync(path);
    return file.isCharacterDevice() ? file.rdev >>> 0 : undefined;
  } catch {
    return undefined;
  }
}
