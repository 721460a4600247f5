// The page asks for the state of the run when a cycle has ended, and hears over a WebSocket what happens meanwhile.
// Texts come from agents, so they are only ever set as text.
'use strict';

const $ = (id) => document.getElementById(id);
const shown = 400; // items at most
let last = 0;      // number of the newest item
let names = new Map(); // by alias
let chosen = '';   // alias of the agent that is shown
let socket = null;
let cycle = null;  // of the last news

function el(tag, text, kind) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (kind) e.className = kind;
  return e;
}

async function ask(path) {
  const r = await fetch(path);
  const body = await r.json();
  if (!r.ok) throw new Error(body.error);
  return body;
}

function row(item) {
  const li = el('li', undefined, item.level);
  li.append(el('time', `${item.cycle}.${item.tick}`), item.text);
  li.title = `cycle ${item.cycle}, tick ${item.tick}, ${item.source}`;
  return li;
}

function showItems(items) {
  for (const item of items) {
    last = Math.max(last, item.number);
    $('items').prepend(row(item));
  }
  while ($('items').childElementCount > shown) $('items').lastElementChild.remove();
}

function showStuck(list) {
  const rows = list.map((s) => el('li', `${names.get(s.agent) || s.agent}: ${s.streak} NOPs in a row, the last in cycle ${s.cycle}, tick ${s.tick}: ${s.reason}`));
  $('stuck').replaceChildren(...(rows.length ? rows : [el('li', 'nobody', 'soft')]));
}

function tile(value, what) {
  const div = el('div');
  div.append(el('b', String(value)), el('span', what));
  return div;
}

function showRun(run, figures) {
  document.title = `${run.scenario}, cycle ${run.cycle}`;
  $('title').textContent = `${run.scenario}, seed ${run.seed}`;
  $('hash').textContent = `World hash ${run.world_hash}`;
  const count = (status) => run.agents.filter((a) => a.status === status).length;
  const f = figures.at(-1) || {};
  const tiles = [[run.cycle, 'last cycle'], [run.epoch, 'epoch'], [count('ACTIVE'), 'active'], [count('DORMANT'), 'dormant'], [count('DEAD'), 'dead'],
    [f.open_bounties, 'open bounties'], [f.oracle_entries, 'entries'], [f.vault_repos, 'repos'], [f.circulating_supply, '⚡ in circulation']];
  $('tiles').replaceChildren(...tiles.filter((t) => t[0] !== undefined).map((t) => tile(...t)));
  $('as-of').textContent = `At the end of cycle ${run.cycle}. Choose one to see its goals and what happened to it.`;
  names = new Map(run.agents.map((a) => [a.alias, a.name || a.alias]));
  $('agents').replaceChildren(...run.agents.map((a) => {
    const tr = el('tr');
    const name = el('td');
    const open = el('button', names.get(a.alias));
    open.type = 'button';
    open.addEventListener('click', () => { chosen = a.alias; showAgent(); });
    name.append(open);
    const top = a.goals[0];
    const why = a.dormant_reason || a.dead_reason;
    tr.append(el('td', String(a.number)), name, el('td', a.role), el('td', why ? `${a.status}: ${why}` : a.status, a.status), el('td', String(a.balance), 'n'),
      el('td', a.reputation.toFixed(3), 'n'), el('td', String(a.nop_streak), 'n'), el('td', top ? `${top.kind} (${top.priority.toFixed(2)})` : '–'));
    return tr;
  }));
}

async function showAgent() {
  if (!chosen) return;
  const found = await ask('/api/agents/' + encodeURIComponent(chosen));
  $('agent').hidden = false;
  $('agent-title').textContent = `${names.get(chosen) || chosen}, ${found.agent.role}, at the end of cycle ${found.cycle}`;
  const goals = found.agent.goals.map((g) => el('li', `${g.kind} (${g.priority.toFixed(2)}, ${g.layer}): ${g.text}`));
  $('agent-goals').replaceChildren(...(goals.length ? goals : [el('li', 'none', 'soft')]));
  const items = (found.items || []).reverse().map(row);
  $('agent-items').replaceChildren(...(items.length ? items : [el('li', 'nothing that the logs tell', 'soft')]));
}

const short = (v) => Number.isInteger(v) ? String(v) : v.toFixed(3);

const charts = [['active', 'Active agents'], ['dormant', 'Dormant agents'], ['nops', 'NOPs'], ['messages', 'Messages'], ['completed_bounties', 'Completed bounties, in all'],
  ['oracle_entries', 'Entries'], ['gini', 'Gini of balances'], ['velocity', 'Payments per active agent'], ['cost_micro_usd', 'Cost of models, µ$']];

function chart(figures, key, title) {
  const width = 300, height = 90, svg = 'http://www.w3.org/2000/svg';
  const values = figures.map((f) => Number(f[key]));
  const high = Math.max(...values), low = Math.min(0, ...values), first = figures[0].cycle, span = Math.max(1, figures.at(-1).cycle - first);
  const points = values.map((v, i) => `${((figures[i].cycle - first) / span) * width},${height - 2 - ((v - low) / Math.max(1e-9, high - low)) * (height - 4)}`);
  const figure = el('figure'), image = document.createElementNS(svg, 'svg'), line = document.createElementNS(svg, 'polyline');
  image.setAttribute('viewBox', `0 0 ${width} ${height}`);
  image.setAttribute('role', 'img');
  image.setAttribute('aria-label', `${title} by cycle, now ${short(values.at(-1))}`);
  line.setAttribute('points', points.join(' '));
  image.append(line);
  figure.append(el('figcaption', `${title}: ${short(values.at(-1))}`), image, el('span', `cycles ${first} to ${figures.at(-1).cycle}, highest ${short(high)}`, 'soft'));
  return figure;
}

function showCharts(figures) {
  if (!figures.length) return;
  const used = charts.filter(([key]) => key !== 'cost_micro_usd' || figures.some((f) => f[key] > 0));
  $('charts').replaceChildren(...used.map(([key, title]) => chart(figures, key, title)));
}

let refreshing = false, again = false;

async function refresh() {
  if (refreshing) { again = true; return; }
  refreshing = true;
  do {
    again = false;
    try {
      const figures = await ask('/api/metrics');
      showRun(await ask('/api/run'), figures);
      showCharts(figures);
      await showAgent();
    } catch (err) {
      problem(err.message);
    }
    await new Promise((done) => setTimeout(done, 2000)); // a fast run ends many cycles meanwhile
  } while (again);
  refreshing = false;
}

function problem(text) {
  $('problem').hidden = !text;
  $('problem').textContent = text || '';
}

function connect() {
  if (socket) { socket.onclose = null; socket.close(); }
  socket = new WebSocket(`ws://${location.host}/ws?level=${$('level').value}&after=${last}`);
  socket.onmessage = (message) => {
    const news = JSON.parse(message.data);
    $('status').textContent = news.status || 'reading …';
    problem(news.problem);
    showItems(news.items);
    showStuck(news.stuck);
    if (news.cycle !== cycle) { cycle = news.cycle; refresh(); }
  };
  socket.onclose = () => {
    $('status').textContent = 'the server has gone; trying again …';
    setTimeout(() => { last = 0; $('items').replaceChildren(); connect(); }, 2000);
  };
}

$('level').addEventListener('change', () => { last = 0; $('items').replaceChildren(); connect(); });
connect();
refresh(); // the state does not wait for the WebSocket
