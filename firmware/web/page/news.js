// What was last said on each topic, and who wants to know. Topics of the service are its messages: hello, state, game,
// pawns, played, refused, sensors, levels, vitals, calibration. Topics of the page itself: words, preferences, past, inside, gone.

export function makeNews() {
  const last = {};
  const readers = [];

  return {
    last,
    tell(type, message) {
      last[type] = message;
      for (const { types, read } of readers) if (types.includes(type)) read(message);
    },
    // Calls `read` now if there is anything to read, and again at every change of these topics.
    on(types, read) {
      readers.push({ types, read });
      if (types.some((type) => last[type] !== undefined)) read();
    },
    // Calls `read` with each message of this topic from now on.
    each(type, read) {
      readers.push({ types: [type], read });
    },
  };
}
