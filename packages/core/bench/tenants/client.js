import { connect } from 'node:http2';
import process from 'node:process';

/** Sends every request of every tenant at once, and tells what each tenant got: how often which status and answer. */
const [port, tenants, requests] = process.argv.slice(2).map(Number);
const STREAMS = 500;

const asked = Array.from({ length: tenants }, (_, tenant) =>
  Array.from({ length: requests }, (_, i) => ({ tenant, i })),
).flat();
const sessions = Array.from({ length: Math.ceil(asked.length / STREAMS) }, () =>
  connect(`http://127.0.0.1:${port}`),
);
const answers = await Promise.all(
  asked.map(({ tenant, i }, at) => ask(sessions[Math.floor(at / STREAMS)], tenant, i)),
);
for (const session of sessions) session.close();

const told = Array.from({ length: tenants }, () => ({}));
for (const [tenant, answer] of answers) told[tenant][answer] = (told[tenant][answer] ?? 0) + 1;
process.send(told, () => process.disconnect());

function ask(session, tenant, i) {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': `/${i}`, 'x-user': `t${tenant}` });
    let status = 0;
    let text = '';
    stream.setEncoding('utf8');
    stream.on('response', (headers) => {
      status = headers[':status'];
    });
    stream.on('data', (piece) => {
      text += piece;
    });
    stream.on('end', () => resolve([tenant, `${status} ${text}`]));
    stream.on('error', reject);
    stream.end();
  });
}
