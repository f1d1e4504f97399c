// The page, put together: the link brings news, the board and everything around it read them.

import { makeHood } from "./around/hood.js";
import { makeKeys } from "./around/keys.js";
import { makeMenu } from "./around/menu.js";
import { makeMoves } from "./around/moves.js";
import { makeNewGame } from "./around/new_game.js";
import { makeOverlay } from "./around/overlay.js";
import { makePoints } from "./around/points.js";
import { makeResult } from "./around/result.js";
import { makeStatus } from "./around/status.js";
import { makeTour } from "./around/tour.js";
import { makeWorkshop } from "./around/workshop.js";
import { makeBoard } from "./board/board.js";
import { openLink } from "./link.js";
import { makeNews } from "./news.js";
import { makePreferences } from "./preferences.js";
import { makeSound } from "./sound.js";
import { makeSpeech } from "./speech.js";
import { followTheme } from "./theme.js";
import { label, learn, preferredLanguage } from "./words.js";

const at = (id) => document.getElementById(id);
const news = makeNews();
const preferences = makePreferences(news);
followTheme(news);

let language = null;
async function followLanguage() {
  const wanted = preferences.get("language") ?? preferredLanguage();
  if (wanted === language) return;
  language = wanted;
  await learn(language);
  news.tell("words", language);
}
await followLanguage();
news.each("preferences", followLanguage);

makeOverlay(at("overlay"), news);

let board = null;
let light = null; // the newest pixels that are not drawn yet

function drawLight() {
  board.light(light);
  light = null;
  document.documentElement.dataset.lit = "";
  link.askForLight();
}

const link = openLink({
  heard(message) {
    if (message.type === "hello") greet(message);
    else news.tell(message.type, message);
  },
  lit(pixels) {
    if (!light) requestAnimationFrame(drawLight);
    light = pixels;
  },
  lost: () => news.tell("gone", true),
});

// The first greeting builds the page. A service that came back may be another one: then the page begins again too.
function greet(hello) {
  if (news.last.hello && JSON.stringify(news.last.hello) !== JSON.stringify(hello)) {
    location.reload();
    return;
  }
  if (!board) build(hello);
  news.tell("hello", hello);
  link.send({ type: "look", inside: news.last.inside ?? false });
  link.askForLight();
}

function build(hello) {
  const { speak, whisper } = makeSpeech(news, at("whisper"));
  const tools = { news, preferences, link, whisper, speak };
  board = makeBoard(at("board"), hello, tools);
  // Whoever may only watch is shown how to be let.
  const newGame = hello.mayAct ? makeNewGame(hello, { ...tools, board }) : { open: () => location.assign("/pair.html") };
  const tour = makeTour(at("table"), board.spotlight, tools);
  makeStatus(at("status"), { ...tools, board, canTidy: hello.hasHands });
  if (hello.mayAct) makeKeys(at("keys"), { ...tools, newGame });
  else at("keys").append(label("a", "pair.watching", { class: "button watching", href: "/pair.html" }));
  makePoints(at("points"), tools);
  const moves = makeMoves(at("moves"), tools);
  makeResult(at("result"), { ...tools, newGame, moves });
  const workshop = hello.hasWorkshop && makeWorkshop(at("workshop"), hello, { ...tools, board, watching: link });
  makeMenu(at("menu"), { ...tools, tour, workshop });
  makeSound(news);
  if (hello.hasHands) makeHood(at("hood"), hello, tools);
  if (!preferences.get("toured")) tour.begin();
}
