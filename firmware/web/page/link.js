// The link to the service: messages both ways, pixels one way. When it breaks it is made again, for as long as it takes.

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2000;

export function openLink({ heard, lit, lost }) {
  let socket;
  let waitMs = FIRST_WAIT_MS;

  function open() {
    socket = new WebSocket(new URL("/link", location.href.replace(/^http/, "ws")));
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => {
      waitMs = FIRST_WAIT_MS;
      if (typeof data === "string") heard(JSON.parse(data));
      else lit(new Uint8Array(data));
    };
    socket.onclose = () => {
      lost();
      setTimeout(open, waitMs);
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
    };
  }

  const isOpen = () => socket.readyState === WebSocket.OPEN;

  open();
  return {
    send: (message) => isOpen() && socket.send(JSON.stringify(message)),
    // The service sends the next frame only when it is asked, so a slow or hidden page never falls behind.
    askForLight: () => isOpen() && socket.send(new ArrayBuffer(0)),
  };
}
