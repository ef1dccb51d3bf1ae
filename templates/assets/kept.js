/* The page about reading offline: marks the pages that are kept, keeps them all, forgets them all. */
(function () {
  "use strict";
  var root = new URL("..", document.currentScript.src).href;
  var place = document.querySelector("[data-kept]");
  var PREFIX = "zeroth " + new URL(root).pathname + " ";

  function say(text) {
    status.textContent = text;
  }

  function button(text, act) {
    var node = document.createElement("button");
    node.type = "button";
    node.textContent = text;
    node.addEventListener("click", act);
    return node;
  }

  function ours() {
    return caches.keys().then(function (names) {
      return names.filter(function (name) { return name.indexOf(PREFIX) === 0; });
    });
  }

  function mark() {
    return ours().then(function (names) {
      return Promise.all(names.map(function (name) {
        return caches.open(name).then(function (cache) { return cache.keys(); });
      }));
    }).then(function (lists) {
      var kept = new Set(lists.flat().map(function (request) { return request.url; }));
      document.querySelectorAll("[data-page]").forEach(function (item) {
        item.querySelectorAll(".read-mark").forEach(function (old) { old.remove(); });
        if (!kept.has(root + item.dataset.page)) return;
        var word = document.createElement("span");
        word.className = "read-mark";
        word.textContent = " kept";
        item.append(word);
      });
    });
  }

  place.replaceChildren();
  place.hidden = false;
  var missing = new URLSearchParams(location.search).get("page");
  if (missing) {
    var note = document.createElement("p");
    note.className = "moved-note";
    note.textContent = "There is no network, and “" + missing + "” has not been opened on this device before. " +
      "Pages marked “kept” below can be read.";
    place.append(note);
  }
  var status = document.createElement("p");
  status.setAttribute("role", "status");
  place.append(status);
  if (!/^https?:$/.test(location.protocol)) return say("These pages were opened from disk: all of them are here already.");
  if (!navigator.serviceWorker || !window.caches) return say("This browser keeps no pages for this address.");

  navigator.serviceWorker.addEventListener("message", function (event) {
    if (!event.data.of) return;
    say(event.data.done + " of " + event.data.of + " pages looked at");
    if (event.data.done === event.data.of) mark();
  });
  var tools = document.createElement("div");
  tools.className = "kept-tools";
  tools.append(button("Keep every page", function () {
    say("Fetching");
    navigator.serviceWorker.register(root + "worker.js", { scope: root, updateViaCache: "none" }).then(function () {
      return navigator.serviceWorker.ready;
    }).then(function (ready) {
      ready.active.postMessage({ all: true });
    }).catch(function () { say("The pages could not be kept."); });
  }), button("Forget what is kept", function () {
    navigator.serviceWorker.getRegistration(root).then(function (known) {
      return known && known.scope === root && known.unregister();
    }).then(ours).then(function (names) {
      return Promise.all(names.map(function (name) { return caches.delete(name); }));
    }).then(mark).then(function () { say("Nothing is kept now."); });
  }));
  status.before(tools);
  mark();
})();
