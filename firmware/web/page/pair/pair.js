// Pairing this device: the board shows a code when it is asked to, and whoever types it may act from then on.

import { makeNews } from "../news.js";
import { makePreferences } from "../preferences.js";
import { followTheme } from "../theme.js";
import { learn, preferredLanguage, say } from "../words.js";
import { makeCode } from "./code.js";

const at = (id) => document.getElementById(id);
const news = makeNews();
const language = makePreferences(news).get("language") ?? preferredLanguage();
followTheme(news);
await learn(language);
const code = makeCode(at("code"));

const tell = (key, values) => (at("said").textContent = key ? say(key, values) : "");

// "In 2 minutes", as the language says it.
function inTime(seconds) {
  const [size, unit] = seconds < 100 ? [1, "second"] : seconds < 6000 ? [60, "minute"] : [3600, "hour"];
  return new Intl.RelativeTimeFormat(language).format(Math.ceil(seconds / size), unit);
}

async function ask(method, path, content) {
  tell(null);
  try {
    const answer = await fetch(path, { method, body: content && JSON.stringify(content) });
    const said = { status: answer.status, ...(await answer.json()) };
    if (said.waitS) tell("pair.wait", { when: inTime(said.waitS) });
    return said;
  } catch {
    tell("pair.lost");
    return {};
  }
}

async function stand() {
  const { mayAct, isPaired } = await ask("GET", "/pair");
  at("ask").hidden = mayAct;
  at("typed").hidden = true;
  at("paired").hidden = !mayAct;
  at("part").hidden = !isPaired;
  at("standing").textContent = say(isPaired ? "pair.paired" : "pair.here");
}

at("show").addEventListener("click", async () => {
  const { status, isLit } = await ask("POST", "/pair/code");
  if (status !== 200) return;
  at("read").textContent = say(isLit ? "pair.lit" : "pair.logged");
  at("code").classList.toggle("lit", isLit);
  at("ask").hidden = true;
  at("typed").hidden = false;
  code.clear();
  // Where it is tapped, a keyboard on the screen would hide it.
  if (!isLit || matchMedia("(pointer: fine)").matches) code.focus();
});

at("typed").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { status } = await ask("POST", "/pair", { code: code.text() });
  if (status === 200) location.assign("/");
  else if (status === 403) tell("pair.wrong");
  else if (status === 409) {
    await stand();
    tell("pair.gone");
  }
});

for (const [id, path] of [["part", "/pair"], ["part-all", "/pair/devices"]])
  at(id).addEventListener("click", async () => {
    const { status } = await ask("DELETE", path);
    if (status !== 200) return;
    await stand();
    if (id === "part-all") tell("pair.parted");
  });

await stand();
