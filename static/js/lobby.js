/** The lobby looks again by itself; its title tells at how many tables it is one's turn. */

const EVERY = 10_000;

window.setInterval(async () => {
  // What somebody is about to press stays where it is.
  if (document.activeElement?.closest("#lobby")) return;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const { title, body } = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.title = title;
    const next = body.querySelector("#lobby");
    const now = document.querySelector("#lobby");
    if (next && now && next.innerHTML !== now.innerHTML) now.replaceWith(next);
  } catch {
    // No network just now: the next look may have more luck.
  }
}, EVERY);
