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
