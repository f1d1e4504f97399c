// What the board's buzzer says, on wood: short notes that fade like those of a marimba.

const NOTE_S = 0.13;
const FADE_S = 0.5;
const LOUDNESS = 0.16;
const TUNES = {
  accepted: [72],
  refused: [52, 46],
  attention: [64, 64, 64],
  again: [67, 72, 76, 79],
  bonus: [72, 76, 84],
  ready: [60, 67, 72],
  over: [72, 71, 67, 64, 60],
};

const hertz = (note) => 440 * 2 ** ((note - 69) / 12);

function strike(audio, note, at) {
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(LOUDNESS, at + 0.006);
  loudness.gain.exponentialRampToValueAtTime(0.0001, at + FADE_S);
  loudness.connect(audio.destination);
  for (const [overtone, share] of [[1, 1], [3.9, 0.18]]) {
    const voice = audio.createOscillator();
    const part = audio.createGain();
    part.gain.value = share;
    voice.frequency.value = overtone * hertz(note);
    voice.connect(part).connect(loudness);
    voice.start(at);
    voice.stop(at + FADE_S);
  }
}

export function makeSound(news) {
  let audio = null;
  news.each("played", ({ tune }) => {
    // Browsers stay silent until somebody has touched the page.
    if (!news.last.preferences.sound || !navigator.userActivation?.hasBeenActive) return;
    audio ??= new AudioContext();
    TUNES[tune].forEach((note, i) => strike(audio, note, audio.currentTime + i * NOTE_S));
  });
}
