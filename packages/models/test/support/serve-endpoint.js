// Serves one of the endpoints that misbehave, in a process of its own, and prints the port.
import { createServer } from 'node:http';
import { endpoints } from '../../attacks/endpoints.js';

const EVENTS = 'data: {}\n\n'.repeat(6_500);

/** Sends events as fast as they are taken. */
function flood(_, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const more = () => {
    while (!response.destroyed && response.write(EVENTS));
  };
  response.on('drain', more);
  more();
}

const serve = endpoints.find(({ name }) => name === process.argv[2])?.serve ?? flood;
const server = createServer(serve);
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
