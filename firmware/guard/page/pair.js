// Pairing this device: the board shows a code when it is asked to, and whoever types it may act from then on.

import { makePreferences } from "/preferences.js";
import { makeNews } from "/news.js";
import { preferredLanguage } from "/words.js";
import { WORDS } from "/pair/words.js";

const at = (id) => document.getElementById(id);
const language = makePreferences(makeNews()).get("language") ?? preferredLanguage();
const words = WORDS[language];
document.documentElement.lang = language;
for (const element of document.querySelectorAll("[data-say]")) element.textContent = words[element.dataset.say];

const tell = (saying, n = "") => (at("said").textContent = saying ? words[saying].replace("{n}", n) : "");

async function ask(path, body) {
  const answer = await fetch(path, { method: "POST", body: body && JSON.stringify(body) });
  const { waitS } = await answer.json();
  if (answer.status === 429) tell("wait", waitS);
  return answer.status;
}

at("show").addEventListener("click", async () => {
  tell("");
  if (await ask("/pair/code") !== 200) return;
  at("typed").hidden = false;
  at("code").focus();
});

at("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  tell("");
  const status = await ask("/pair", { code: at("code").value });
  if (status === 200) location.assign("/");
  else if (status === 403) tell("wrong");
  else if (status === 409) tell("gone");
});
