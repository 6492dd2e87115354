/** A straight line: `at` where x is 0, and what each x adds. */
export interface Line {
  readonly at0: number;
  readonly each: number;
}

/** The line that lies closest to the points, none of its numbers below 0: least squares. */
export function lineThrough(points: readonly { readonly x: number; readonly y: number }[]): Line {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const spread = mean((point) => (point.x - x) ** 2);
  const slope = mean((point) => (point.x - x) * (point.y - y)) / spread;
  const each = Math.max(0, slope);
  const at0 = y - each * x;
  if (at0 >= 0) return { at0, each };
  const through0 = mean((point) => point.x * point.y) / mean((point) => point.x ** 2);
  return { at0: 0, each: Math.max(0, through0) };
}

export const onLine = ({ at0, each }: Line, x: number): number => at0 + each * x;

/** What there is without hosts, what each host adds, and what each row of any of them adds. */
export interface Plane {
  readonly at0: number;
  readonly host: number;
  readonly row: number;
}

export const onPlane = ({ at0, host, row }: Plane, hosts: number, rows: number): number =>
  at0 + host * hosts + row * rows;

/** Of points with the same number of hosts and different rows, and one with more hosts. None of its numbers is below 0. */
export function planeThrough(
  points: readonly { readonly hosts: number; readonly rows: number; readonly y: number }[],
  more: { readonly hosts: number; readonly rows: number; readonly y: number },
): Plane {
  const line = lineThrough(points.map(({ rows, y }) => ({ x: rows, y })));
  const hosts = points[0]?.hosts ?? 0;
  const host = Math.max(0, (more.y - onLine(line, more.rows)) / (more.hosts - hosts));
  return { at0: Math.max(0, line.at0 - host * hosts), host, row: line.each };
}
