/**
 * The host program of the tests: carries messages between the browser and the socket named to it, as Shidi's own does.
 *
 * Frames of the browser are a length of four bytes and JSON; on the socket each message is a line. Ends with either side.
 */
import { connect } from 'node:net';

const LENGTH_BYTES = 4;

const socket = connect(process.argv[2] ?? '');
let read = Buffer.alloc(0);

socket.on('connect', () => {
  process.stdin.on('data', (/** @type {Buffer} */ bytes) => {
    read = Buffer.concat([read, bytes]);
    while (read.length >= LENGTH_BYTES && read.length >= LENGTH_BYTES + read.readUInt32LE(0)) {
      const end = LENGTH_BYTES + read.readUInt32LE(0);
      socket.write(`${read.subarray(LENGTH_BYTES, end)}\n`);
      read = read.subarray(end);
    }
  });
  process.stdin.on('end', () => socket.end());
});

let line = '';
socket.setEncoding('utf8');
socket.on('data', (/** @type {string} */ text) => {
  const lines = (line + text).split('\n');
  line = lines.pop() ?? '';
  for (const one of lines) {
    const body = Buffer.from(one);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(body.length);
    process.stdout.write(Buffer.concat([length, body]));
  }
});
socket.on('error', () => process.exit(1));
socket.on('close', () => process.exit(0));
