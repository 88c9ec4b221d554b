/** Asks once on a phone whether to play with sound, after a game. */

import { say } from "../site/announce.js";
import { cue, soundIsOpen } from "./cues.js";

const choices = document.documentElement.dataset;

/** @param {string} text @param {"quiet" | "off"} sound */
function answer(text, sound) {
  const button = document.createElement("button");
  button.className = "button";
  button.textContent = text;
  button.addEventListener("click", (event) => {
    choices.sound = sound;
    button.closest(".sound-question")?.remove();
    const body = new FormData();
    body.set("sound", sound);
    fetch("/settings", { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => undefined); // asks again
    if (sound === "quiet") cue("accepted", 20);
    event.stopPropagation();
  });
  return button;
}

/** Asks below the result, unless the player has chosen. */
export function askForSound() {
  if (!soundIsOpen() || document.querySelector(".sound-question")) return;
  const question = document.createElement("p");
  question.className = "sound-question";
  question.append("Play with sound?", answer("Yes", "quiet"), answer("No", "off"));
  // Not inside, because a refresh replaces the content.
  document.getElementById("after")?.after(question);
  say("Play with sound? Choose below the result, or in the settings", ".sound-question");
}
