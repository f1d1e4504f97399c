// The board: layers of one drawing, from the wood up to the pawns, and the hands that reach into it.

import { followFingers } from "./fingers.js";
import { makeGlow } from "./glow.js";
import { makeGrip } from "./grip.js";
import { followKeyboard } from "./keyboard.js";
import { makePast } from "./past.js";
import { makePawns } from "./pawns.js";
import { makePlan } from "./plan.js";
import { scene } from "./scene.js";
import { makeSpotlight } from "./spotlight.js";
import { tidy } from "./tidy.js";
import { makeXray } from "./xray.js";

export function makeBoard(root, hello, { news, preferences, link, whisper }) {
  const plan = makePlan(hello.board);
  const glow = makeGlow(plan);
  const pawns = makePawns(plan, hello.hasHands);
  const past = makePast(plan);
  const xray = makeXray(plan);
  const spotlight = makeSpotlight(plan);
  const grip = makeGrip(plan, pawns, preferences, link.send);
  const fingers = hello.hasHands ? followFingers(pawns.layer, pawns, grip, preferences) : null;
  const keyboard = followKeyboard(pawns.layer, plan, pawns, grip, news, hello.hasHands, whisper);

  root.style.setProperty("--aspect", plan.outer.width / plan.outer.height);
  root.replaceChildren(scene(plan), ...glow.layers, past.layer, pawns.layer, xray.layer, spotlight.layer);

  news.on(["pawns"], () => pawns.hear(news.last.pawns));
  news.on(["words"], () => pawns.relabel());
  news.each("sensors", (sensors) => xray.know(sensors));
  news.each("levels", (levels) => xray.measure(levels));
  news.on(["state"], () => xray.doubt(news.last.state.doubted));
  news.on(["inside"], () => root.classList.toggle("looks-inside", news.last.inside));
  news.on(["past"], () => {
    root.classList.toggle("looks-back", news.last.past !== null);
    if (news.last.past) past.show(news.last.past);
    else past.clear();
  });
  news.each("gone", () => {
    fingers?.drop();
    keyboard.drop();
    pawns.forgetGrips();
  });

  return { plan, xray, light: glow.draw, tidy: () => tidy(news.last.state, pawns, grip, plan), spotlight };
}
