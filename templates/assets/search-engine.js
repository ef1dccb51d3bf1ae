/*
 * Ranks the documents of search-index.js with MiniSearch and picks the sentence to show. Loaded when search is first
 * used. `zerothFind(query)` returns plain data: the page is made elsewhere, from text nodes only.
 */
(function () {
  "use strict";
  var documents = globalThis.zerothSearchIndex;
  var MOST = 12;
  var LONGEST = 220;
  var EXACT = 1000; // an exact title or alias stands above everything else
  var PHRASE = 8; // the words of the query in a row count more than the same words apart

  function plain(text) {
    return text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  }

  function wordsOf(text) {
    return plain(text).split(/[\s\p{Z}\p{P}\p{S}]+/u).filter(Boolean);
  }

  /* The words with single spaces, so that "row-level security" equals "Row level security". */
  function key(text) {
    return wordsOf(text).join(" ");
  }

  function paragraphsOf(doc) {
    return doc.passages.reduce(function (all, passage) { return all.concat(passage[2]); }, []);
  }

  var texts = documents.map(function (doc) { return " " + key(paragraphsOf(doc).join(" ")) + " "; });
  var names = documents.map(function (doc) { return [doc.title].concat(doc.aliases).map(key); });
  var index = new MiniSearch({
    fields: ["title", "aliases", "headings", "summary", "text"],
    tokenize: wordsOf,
    processTerm: function (term) { return term; },
    searchOptions: {
      boost: { title: 6, aliases: 6, headings: 2, summary: 2 },
      prefix: function (term, place, all) { return place === all.length - 1 && term.length > 1; },
      fuzzy: function (term) { return term.length > 4 && !/\d/.test(term) ? 0.2 : false; },
      weights: { fuzzy: 0.2, prefix: 0.6 },
    },
  });
  index.addAll(documents.map(function (doc, id) {
    return {
      id: id,
      title: doc.title,
      aliases: doc.aliases.join(" "),
      headings: doc.passages.map(function (passage) { return passage[1]; }).join(" "),
      summary: doc.summary,
      text: texts[id],
    };
  }));

  function sentences(paragraph) {
    return paragraph.split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}])/u);
  }

  /* The sentence with most of the matched words, those in a row first; null where no sentence has any. */
  function bestSentence(doc, terms, phrase) {
    var best = null;
    doc.passages.concat([["", "", [doc.summary]]]).forEach(function (passage) {
      passage[2].forEach(function (paragraph) {
        sentences(paragraph).forEach(function (sentence) {
          var has = new Set(wordsOf(sentence));
          var score = terms.filter(function (term) { return has.has(term); }).length;
          if (score && phrase.indexOf(" ") > 0 && (" " + key(sentence) + " ").indexOf(" " + phrase) >= 0) score += PHRASE;
          if (score && (!best || score > best.score)) best = { score: score, text: sentence, passage: passage };
        });
      });
    });
    return best;
  }

  /* A passage whose heading has a matched word, for entries without sentences (figures of a dataset). */
  function bestHeading(doc, terms) {
    var best = null;
    doc.passages.forEach(function (passage) {
      var has = new Set(wordsOf(passage[1]));
      var score = passage[0] ? terms.filter(function (term) { return has.has(term); }).length : 0;
      if (score && (!best || score > best.score)) best = { score: score, text: doc.summary, passage: passage };
    });
    return best;
  }

  /* [text, marked] pieces; a long sentence begins shortly before its first marked word. */
  function pieces(text, terms) {
    var all = text.match(/[\s\p{Z}\p{P}\p{S}]+|[^\s\p{Z}\p{P}\p{S}]+/gu) || [];
    var marked = all.map(function (piece) { return terms.indexOf(plain(piece)) >= 0; });
    var from = 0;
    if (text.length > LONGEST) from = Math.max(0, marked.indexOf(true) - 16);
    var out = from ? [["… ", false]] : [];
    var length = 0;
    for (var i = from; i < all.length; i++) {
      length += all[i].length;
      if (length > LONGEST) return out.concat([[" …", false]]);
      out.push([all[i], marked[i]]);
    }
    return out;
  }

  function present(hit, phrase) {
    var doc = documents[hit.id];
    var best = bestSentence(doc, hit.terms, phrase);
    var heading = bestHeading(doc, hit.terms);
    if (heading && (!best || heading.score > best.score)) best = heading;
    var passage = best && !hit.exact ? best.passage : ["", "", []];
    var text = best && !hit.exact ? best.text : doc.summary;
    return {
      title: pieces(doc.title, hit.terms),
      label: doc.label,
      where: hit.name > 0 ? "also called " + doc.aliases[hit.name - 1] : passage[1],
      url: passage[0] ? doc.url.split("#")[0] + "#" + passage[0] : doc.url,
      text: pieces(text, hit.terms),
    };
  }

  globalThis.zerothFind = function (query) {
    var phrase = key(query);
    if (!phrase) return [];
    var hits = index.search(query, { combineWith: "AND" });
    if (!hits.length) hits = index.search(query, { combineWith: "OR" });
    hits.forEach(function (hit) {
      hit.name = names[hit.id].indexOf(phrase);
      hit.exact = hit.name >= 0;
      if (hit.exact) hit.score += EXACT * (documents[hit.id].kind === "concept" ? 2 : 1); // the page before the word
      else if (phrase.indexOf(" ") > 0 && texts[hit.id].indexOf(" " + phrase) >= 0) hit.score *= PHRASE;
    });
    hits.sort(function (a, b) { return b.score - a.score || a.id - b.id; });
    return hits.slice(0, MOST).map(function (hit) { return present(hit, phrase); });
  };
})();
