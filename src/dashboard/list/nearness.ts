/** How far from what is seen something is near, of the height of the window: what is scrolled to is drawn by then. */
const MARGIN = "100% 0px";

/** Told whether an element is near, and how high it is now, in pixels. */
export type Told = (isNear: boolean, height: number) => void;

const watched = new WeakMap<Element, Told>();

const observer = new IntersectionObserver(
  (changes) => {
    for (const { target, isIntersecting, boundingClientRect } of changes) {
      watched.get(target)?.(isIntersecting, boundingClientRect.height);
    }
  },
  { rootMargin: MARGIN },
);

/** Tells whether an element is in or near what is seen of the page, at once and whenever that is another. Answers how to stop. */
export function watchNearness(element: Element, told: Told): () => void {
  watched.set(element, told);
  observer.observe(element);
  return () => observer.unobserve(element);
}
