// What comes from a team is only ever set as text, never as markup.

const list = document.getElementById('conversations');
const template = document.getElementById('conversation');
const empty = document.getElementById('empty');
const totals = document.getElementById('totals');
const connection = document.getElementById('connection');
const lost = document.getElementById('lost');
const stopAll = document.getElementById('stop-all');
const articles = new Map();
let isControlled = false;
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

function articleOf(key) {
  return articles.get(key) ?? template.content.cloneNode(true).querySelector('article');
}

function moneyText({ usd, unpricedTokens, isEstimate }) {
  if (usd === null) return unpricedTokens > 0 || isEstimate ? 'unknown' : '$0';
  return `${usdText(usd)}${unpricedTokens > 0 ? ' and more' : ''}`;
}

/** Below a dollar four decimals, or as many as show two figures. */
function usdText(usd) {
  if (usd >= 1) return `$${usd.toFixed(2)}`;
  const needed = usd > 0 ? 1 - Math.floor(Math.log10(usd)) : 0;
  return `$${usd.toFixed(Math.min(Math.max(4, needed), 9))}`;
}

/** @param {'nanoUsd' | 'tokens'} unit */
function amountText(unit, amount) {
  if (unit === 'tokens') return `${amount.toLocaleString('en')} tokens`;
  return amount === 0 ? '$0.00' : usdText(amount / 1e9);
}

function purseOf({ owner, unit, spent, most }) {
  const line = element('li', `${owner}: ${amountText(unit, spent)} of ${amountText(unit, most)}`);
  if (spent >= most) line.className = 'full';
  return line;
}

function tokensText({ tokens, isEstimate }) {
  const shown = isEstimate ? Number(tokens.toPrecision(2)) : tokens;
  return `${isEstimate ? 'about ' : ''}${shown.toLocaleString('en')}`;
}

function show({ key, id, title, team, ...shown }) {
  const { speaker, agents, suspicion, suspected, spent, purses, lines, trip } = shown;
  const article = articleOf(key);
  const part = (selector) => article.querySelector(selector);
  part('h2').textContent = title;
  part('.id').textContent = team ?? id;
  part('.id').hidden = part('.id').textContent === '' || (team ?? id) === title;
  part('.control').hidden = !isControlled;
  part('.control').textContent = trip === undefined ? 'Stop' : 'Resume';
  part('.control').onclick = () => order(trip === undefined ? 'stop' : 'resume', key);
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
  // What stopped for another reason is not suspected of anything.
  part('.suspicion').hidden = trip !== undefined && suspicion === 0;
  part('.money').textContent = moneyText(spent);
  part('.purses').replaceChildren(...purses.map(purseOf));
  part('.tokens').textContent = tokensText(spent);
  part('.turns').textContent = spent.turns.toLocaleString('en');
  const alert = part('.trip');
  alert.hidden = trip === undefined;
  if (trip !== undefined) {
    part('h3').textContent = trip.kind;
    part('.trip p').textContent = trip.reason;
    part('pre').textContent = trip.text;
  }
  const all = [...lines].reverse().map(lineOf);
  const earlier = part('.earlier');
  part('.lines').replaceChildren(...all.slice(0, LATEST));
  earlier.querySelector('.lines').replaceChildren(...all.slice(LATEST));
  earlier.querySelector('summary').textContent = `${all.length - LATEST} earlier`;
  earlier.hidden = all.length <= LATEST;
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

function showTotals({ total, tripped, control }) {
  showControl(control);
  const all = `${total.toLocaleString('en')} ${total === 1 ? 'conversation' : 'conversations'}`;
  const left = total > articles.size ? `; the latest ${articles.size} are shown` : '';
  totals.textContent = total === 0 ? '' : `${all}, ${tripped.toLocaleString('en')} tripped${left}`;
  // Also seen while another page is in front.
  document.title = tripped > 0 ? `${tripped} tripped: Teamfuse` : 'Teamfuse';
}

function showControl(control) {
  const isEach = control !== undefined && !control.isHalted;
  stopAll.hidden = control === undefined;
  stopAll.textContent = control?.isHalted ? 'Resume all' : 'Stop all';
  stopAll.onclick = () => order(control?.isHalted ? 'resume' : 'stop');
  if (isControlled === isEach) return;
  isControlled = isEach;
  for (const button of document.querySelectorAll('.control')) button.hidden = !isControlled;
}

/** Has one conversation, or all of them, stopped or resumed. What came of it arrives as an event. */
async function order(action, key) {
  const of = key === undefined ? '' : `?key=${key}`;
  const response = await fetch(`${action}${of}`, { method: 'POST' }).catch(() => undefined);
  if (response?.status === 401) location.reload();
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
