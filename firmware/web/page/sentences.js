// What the state of the game means, in sentences.

import { say } from "./words.js";

const player = (color) => say(`color.${color}`);
const rowList = (rows) => rows.join(", ");

// What is expected of the players now.
export function expected(state, game) {
  if (state.sensorsLost) return say("expect.sensors-lost");
  if (state.stage === "over") return verdict(game.result);
  if (state.stage === "asking") return asked(state.question);
  if (state.stage === "playing") return state.misplaced ? putBack(state.misplaced) : nextMove(state, game);
  return say(`expect.${state.stage}`);
}

const asked = ({ kind, actions }) => say(`question.${kind}`, { moves: actions.map(actionText).join(" ") });

// Why the board does not go on, where it does not.
export function refusal(state) {
  return state.misplaced ? why(state.misplaced, state) : "";
}

// Why a pawn may not stand there, or a key may not be pressed.
export function why({ reason, row }, { phase, player: color, distance }) {
  const differsInBonus = phase === "bonus" && ["wrong-colour", "wrong-distance"].includes(reason);
  return say(`reason.${reason ?? "nothing-to-do"}${differsInBonus ? "-bonus" : ""}`, { color, row, n: distance ?? 1 });
}

function putBack({ origin, color }) {
  return say("expect.put-back", { color: color ?? "unknown", row: origin });
}

// Whether the turn is the computer's, which a person carries out.
export const isComputers = ({ computer, player: color, stage }) => stage === "playing" && computer?.color === color;

// What the computer does.
const chosen = ({ kind, ...action }) => (kind === "decline" ? say("computer.leave") : say("computer.move", action));

// What would be good, while a hint is shown.
export function hint(state) {
  if (!state.advised || isComputers(state)) return "";
  const { kind, rank, behind, ...action } = state.advised;
  const sentence = kind === "decline" ? say("hint.leave") : say("hint.move", action);
  return rank > 1 ? `${sentence} ${say("hint.behind", { n: behind })}` : sentence;
}

function nextMove(state, { aggressive }) {
  if (isComputers(state) && (state.thinking || state.advised)) {
    return state.advised ? chosen(state.advised) : say("computer.thinks");
  }
  const values = { player: player(state.player), n: state.distance ?? 1 };
  const [hand] = state.inHand;
  if (hand?.landings.length) return say("expect.put-down", { ...values, rows: rowList(hand.landings) });
  if (hand) return say("expect.nowhere", values);
  if (state.phase === "bonus") return say(aggressive ? "expect.bonus-any" : "expect.bonus", values);
  if (state.phase === "opening" && state.isSecondTurn) return say("expect.again", values);
  return say(`expect.${state.phase}`, values);
}

export const mayLeave = (state) => state.stage === "playing" && state.mayDecline && !state.misplaced && !state.inHand.length;

export const winnerOf = ({ winner }) => (winner ? say("result.wins", { color: winner }) : say("result.draw"));

function verdict({ winner, points, reason }) {
  return `${winnerOf({ winner })} ${say(`result.${reason}`, points)}`;
}

export function actionText({ kind, origin, destination }) {
  if (kind === "decline") return say("move.declined");
  const mark = { opening: "", "follow-up": "+", bonus: "✶" }[kind];
  return `${mark}${origin}→${destination}`;
}

export function actionSentence({ kind, color, origin, destination }) {
  if (kind === "decline") return say("move.declined-by", { player: player(color) });
  return say("move.made", { player: player(color), origin, destination });
}

export function turnSentence(turn) {
  return say("move.turn", { number: turn.number, player: player(turn.player) });
}
