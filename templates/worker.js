/*
 * Reading offline: the worker of one build. `build.py` writes the line above: BUILD names every file of the build with
 * the beginning of its SHA-256, so that nothing of another build is ever kept here or given to a page of this one.
 *
 * Pages come from the network while there is one and are kept when opened; what pages are made with comes from what is
 * kept. A page that the network gives in another form belongs to a newer build: it and everything it asks for pass by.
 * The next build's worker waits until no page of this one is open, as browsers do, and later removes what was kept.
 */
const SCOPE = new URL(self.registration.scope);
const PREFIX = `zeroth ${SCOPE.pathname} `;
const CACHE = PREFIX + BUILD.id;
const PATIENCE = 4000; // milliseconds before a kept page is shown instead of a slow one
const others = new Set(); // open pages of another build

/* The file of the site that an address means, or "" outside of the site. */
function nameOf(address) {
  const url = new URL(address);
  if (url.origin !== SCOPE.origin || !url.pathname.startsWith(SCOPE.pathname)) return "";
  const path = url.pathname.slice(SCOPE.pathname.length);
  return !path || path.endsWith("/") ? path + "index.html" : path;
}

async function isOwn(name, response) {
  if (!Object.hasOwn(BUILD.files, name)) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer()));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.startsWith(BUILD.files[name]);
}

async function keep(name, response) {
  if (!(await caches.has(CACHE))) return; // removed by the next build's worker
  const headers = { "Content-Type": response.headers.get("Content-Type") || "application/octet-stream" };
  const copy = new Response(await response.arrayBuffer(), { headers });
  await (await caches.open(CACHE)).put(SCOPE.href + name, copy);
}

function kept(name) {
  return caches.match(SCOPE.href + name, { cacheName: CACHE });
}

/* Removes what earlier builds kept, once no open page was begun under their workers; not while a later one waits. */
async function tidy() {
  if (self.registration.waiting || self.registration.installing) return;
  const [all, mine] = await Promise.all([self.clients.matchAll({ includeUncontrolled: true }), self.clients.matchAll()]);
  if (all.length > mine.length) return;
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
}

/* Fetches a file and keeps it; false when what comes is not of this build. */
async function take(name) {
  if (await kept(name)) return true;
  const response = await fetch(SCOPE.href + name, { cache: "no-cache" });
  if (!response.ok || !(await isOwn(name, response))) return false;
  await keep(name, response.clone());
  return true;
}

/* A page of another build, remembered beyond the life of this worker's memory. */
async function markOther(client) {
  others.add(client);
  if (await caches.has(CACHE)) await (await caches.open(CACHE)).put(`${SCOPE.href}?other=${client}`, new Response(""));
}

async function isOther(client) {
  if (others.has(client)) return true;
  return Boolean(await kept(`?other=${client}`));
}

function within(milliseconds, promise) {
  return new Promise((done, failed) => {
    setTimeout(() => failed(new Error("slow")), milliseconds);
    promise.then(done, failed);
  });
}

async function withoutNetwork(name, own) {
  if (own) return own;
  if (Object.hasOwn(BUILD.files, name)) {
    return Response.redirect(`${SCOPE.href}offline/index.html?page=${encodeURIComponent(name)}`);
  }
  const lost = await kept("404.html");
  return new Response(lost.body, { status: 404, headers: lost.headers });
}

async function page(event, name) {
  const own = await kept(name);
  let answer;
  try {
    answer = await (own ? within(PATIENCE, fetch(event.request)) : fetch(event.request));
  } catch {
    return withoutNetwork(name, own);
  }
  if (answer.type === "opaqueredirect") return answer;
  if (await isOwn(answer.status === 404 ? "404.html" : name, answer)) {
    if (answer.ok && !own) event.waitUntil(keep(name, answer.clone()));
  } else {
    await markOther(event.resultingClientId);
  }
  return answer;
}

async function part(event, name) {
  if (await isOther(event.clientId)) return fetch(event.request);
  const own = await kept(name);
  if (own) return own;
  const answer = await fetch(event.request);
  if (!(await isOwn(name, answer))) return Response.error(); // a page of this build takes nothing from another
  event.waitUntil(keep(name, answer.clone()));
  return answer;
}

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then(() => Promise.all(BUILD.shell.map(take))).then((own) => {
    if (own.includes(false)) throw new Error("the server holds another build");
  }));
});

self.addEventListener("fetch", (event) => {
  const request = event.request;
  const name = nameOf(request.url);
  if (request.method !== "GET" || request.headers.has("range") || !name) return;
  if (request.mode === "navigate") event.respondWith(page(event, name));
  else if (Object.hasOwn(BUILD.files, name)) event.respondWith(part(event, name));
});

/* {visited: [addresses]} keeps pages opened before this worker; {all: true} keeps every page and tells the sender. */
self.addEventListener("message", (event) => {
  const asked = (event.data.visited || []).map(nameOf).filter((name) => name.endsWith(".html"));
  const names = event.data.all ? Object.keys(BUILD.files).filter((name) => name.endsWith(".html")) : asked;
  event.waitUntil((async () => {
    await tidy();
    for (const [done, name] of names.entries()) {
      if (Object.hasOwn(BUILD.files, name)) await take(name).catch(() => false);
      if (event.data.all) event.source.postMessage({ done: done + 1, of: names.length });
    }
  })());
});
