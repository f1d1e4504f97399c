// The page's voice: what is expected now is spoken aloud where that is wanted, and always told to screen readers.

export function makeSpeech(news, liveRegion) {
  const speak = (text) => {
    if (!news.last.preferences.speech || !window.speechSynthesis) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    speechSynthesis.cancel();
    speechSynthesis.speak(words);
  };

  return {
    speak,
    // For what only those need to hear who do not see the board.
    whisper(text) {
      liveRegion.textContent = text;
    },
  };
}
