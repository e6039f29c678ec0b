// What is measured inside a browser: when something is first seen, what a load takes, how often frames come.
//
// Both clocks are counted from 1970, so that moments of the page and of this process can be subtracted.
export const now = () => performance.timeOrigin + performance.now();

// In the page: keeps the moment when an element that `selector` matches was first there and a frame with it had been made.
function watch(selector) {
  window.firstSeen = new Promise((seen) => {
    // A task behind the frame's callbacks: by then the frame is on its way.
    const painted = () => requestAnimationFrame(() => setTimeout(() => seen(performance.timeOrigin + performance.now())));
    const isThere = () => document.querySelector(selector) !== null;
    if (isThere()) return painted();
    const changes = new MutationObserver(() => isThere() && (changes.disconnect(), painted()));
    changes.observe(document, { subtree: true, childList: true, attributes: true });
  });
}
// Call it before what brings the element about.
export const watchFor = (page, selector) => page.evaluate(watch, selector);
export const whenSeen = (page) => page.evaluate(() => window.firstSeen);

// Opens an address in a new page.
export async function openAndSee(page, address, selector) {
  await page.addInitScript(watch, selector);
  await page.goto(address, { waitUntil: "commit" });
  return whenSeen(page);
}

// Drags the canvas of the weave to and fro, and says how many frames came in a second, and how long one of twenty took or
// longer. The button is pressed by the browser's own input; the movements come from the page, one a frame, so that no
// message between processes is counted.
export async function drag(page, milliseconds) {
  const box = await page.locator(".canvas canvas").boundingBox();
  const place = { x: box.x + box.width / 2, y: box.y + Math.min(box.height, 60) / 2 };
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  const intervals = await page.evaluate(dragInPage, { ...place, milliseconds, reach: 0.45 * box.width });
  await page.mouse.up();
  const all = intervals.reduce((sum, one) => sum + one, 0);
  const slow = [...intervals].sort((a, b) => a - b)[Math.floor(0.95 * intervals.length)];
  return { perSecond: (1000 * intervals.length) / all, slow };
}
function dragInPage({ x, y, milliseconds, reach }) {
  const canvas = document.querySelector(".canvas canvas");
  const begin = performance.now();
  const came = [];
  return new Promise((done) => {
    const frame = (moment) => {
      came.push(moment);
      const passed = performance.now() - begin;
      if (passed > milliseconds) return done(came.slice(1).map((at, n) => at - came[n]));
      canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x + reach * Math.sin(passed / 300), clientY: y, bubbles: true }));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}
