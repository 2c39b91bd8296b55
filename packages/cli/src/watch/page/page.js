// What comes from a team is only ever set as text, never as markup.

const list = document.getElementById('conversations');
const template = document.getElementById('conversation');
const empty = document.getElementById('empty');
const totals = document.getElementById('totals');
const connection = document.getElementById('connection');
const lost = document.getElementById('lost');
const articles = new Map();
const MAX_ARTICLES = 50;
/** Lines that are shown at once; what was before them is folded away. */
const LATEST = 4;

/** @param {string} name @param {string} text */
function element(name, text, className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

function articleOf(key, id) {
  const known = articles.get(key);
  if (known !== undefined) return known;
  const article = template.content.cloneNode(true).querySelector('article');
  article.querySelector('h2').textContent = id;
  return article;
}

function moneyText({ usd, unpricedTokens }) {
  if (usd === null) return unpricedTokens > 0 ? 'unknown' : '$0';
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}${unpricedTokens > 0 ? ' and more' : ''}`;
}

function show({ key, id, speaker, agents, suspicion, suspected, spent, lines, trip }) {
  const article = articleOf(key, id);
  const part = (selector) => article.querySelector(selector);
  article.classList.toggle('tripped', trip !== undefined);
  part('.status').textContent = trip === undefined ? 'running' : 'stopped';
  part('.agents').replaceChildren(
    ...agents.map(([name, count]) =>
      element('li', `${name} ${count}`, name === speaker && trip === undefined ? 'speaking' : ''),
    ),
  );
  part('.score').textContent = suspicion.toFixed(1);
  part('.suspected').textContent = suspected === '' ? '' : `of ${suspected}`;
  part('meter').value = suspicion;
  part('.money').textContent = moneyText(spent);
  part('.tokens').textContent = spent.tokens.toLocaleString('en');
  part('.turns').textContent = spent.turns.toLocaleString('en');
  const alert = part('.trip');
  alert.hidden = trip === undefined;
  if (trip !== undefined) {
    part('h3').textContent = trip.kind;
    part('.trip p').textContent = trip.reason;
    part('pre').textContent = trip.text;
  }
  const shown = [...lines].reverse().map(lineOf);
  const earlier = part('.earlier');
  part('.lines').replaceChildren(...shown.slice(0, LATEST));
  earlier.querySelector('.lines').replaceChildren(...shown.slice(LATEST));
  earlier.querySelector('summary').textContent = `${shown.length - LATEST} earlier`;
  earlier.hidden = shown.length <= LATEST;
  if (list.firstElementChild !== article && !articles.has(key)) list.prepend(article);
  articles.delete(key);
  articles.set(key, article);
  const [oldest] = articles.keys();
  if (articles.size > MAX_ARTICLES) {
    articles.get(oldest).remove();
    articles.delete(oldest);
  }
}

function lineOf({ agent, kind, text }) {
  const line = element('li', '');
  line.append(element('b', agent));
  if (kind !== 'message') line.append(element('i', kind));
  line.append(text);
  return line;
}

function showAll(conversations) {
  for (const conversation of conversations) show(conversation);
  empty.hidden = articles.size > 0;
}

function showTotals({ total, tripped }) {
  const all = `${total.toLocaleString('en')} ${total === 1 ? 'conversation' : 'conversations'}`;
  const left = total > articles.size ? `; the latest ${articles.size} are shown` : '';
  totals.textContent = total === 0 ? '' : `${all}, ${tripped.toLocaleString('en')} tripped${left}`;
  // Also seen while another page is in front.
  document.title = tripped > 0 ? `${tripped} tripped: Teamfuse` : 'Teamfuse';
}

function showConnection(isLive) {
  connection.textContent = isLive ? 'live' : 'not connected';
  connection.className = isLive ? 'live' : '';
  if (isLive === lost.hidden) return;
  lost.hidden = isLive;
  const time = new Date().toLocaleTimeString();
  lost.textContent = isLive
    ? ''
    : `The connection was lost at ${time}; this page shows the state at that time. It reconnects by itself while the watch runs.`;
}

const events = new EventSource('events');
events.addEventListener('all', ({ data }) => {
  articles.clear();
  list.replaceChildren();
  showAll(JSON.parse(data));
});
events.addEventListener('changed', ({ data }) => showAll(JSON.parse(data)));
events.addEventListener('totals', ({ data }) => showTotals(JSON.parse(data)));
events.addEventListener('open', () => showConnection(true));
events.addEventListener('error', () => showConnection(false));
