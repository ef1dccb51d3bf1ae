"""The sentences of the small corpus: four imaginary working groups, twelve memos, sixteen questions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """A tenant: its name, and what its protocols call their two sides and the thing they exchange."""

    name: str
    asker: str
    answerer: str
    unit: str


@dataclass(frozen=True)
class Section:
    """A numbered section: heading, its first fact, and the facts of its sub-section ``detail``."""

    heading: str
    detail: str
    facts: tuple[str, ...]


@dataclass(frozen=True)
class Memo:
    """One memo. ``paged``: printed in pages with form feeds, or as modern ones are, without."""

    number: int
    tenant: str
    title: str
    protocol: str
    date: str
    abstract: str
    sections: tuple[Section, ...]
    obsoletes: tuple[str, ...] = ()
    paged: bool = True

    @property
    def id(self) -> str:
        """The document id, "rfc90101"."""
        return f"rfc{self.number}"


@dataclass(frozen=True)
class Question:
    """A question with its source, or without one when the corpus does not answer it."""

    text: str
    category: str
    doc: str | None = None
    section: str | None = None
    answer: str | None = None
    evidence: str | None = None


GROUPS = {
    "ferry": Group("Ferry Transport", "sender", "receiver", "parcel"),
    "harbor": Group("Harbor Authorization", "client", "gatekeeper", "token"),
    "lantern": Group("Lantern Naming", "resolver", "name server", "record"),
    "quill": Group("Quill Messaging", "user agent", "mail store", "letter"),
}

MEMOS = (
    Memo(
        90101, "ferry", "The Ferry Transfer Protocol", "Ferry Transfer", "March 1996",
        "Ferry Transfer carries parcels between two hosts over an unreliable link. It numbers them, "
        "acknowledges them in "
        "groups of eight, and gives up after a fixed time.",
        (
            Section("Introduction", "Scope", (
                "Ferry Transfer was designed for links on which one parcel in ten is lost.",
                "It does not encrypt anything and leaves privacy to the layer below.")),
            Section("Parcel Numbers", "Wrapping", (
                "Every parcel carries a sequence number of 16 bits that starts at zero.",
                "After 65535 the number wraps to zero, and a sender MUST wait 30 seconds before it uses "
                "an old number again.")),
            Section("Acknowledgement", "Group Acknowledgement", (
                "A receiver acknowledges eight parcels with one ACK8 frame.",
                "An ACK8 frame holds the first number of the group and a bit mask of one octet.")),
            Section("Timers", "Giving Up", (
                "The retransmission timer of a sender is fixed at 500 milliseconds.",
                "After six retransmissions the sender reports error FTP-E17 and closes the crossing.")),
            Section("Security Considerations", "Forged Parcels", (
                "Anybody on the path can forge a parcel, because numbers are predictable.",)),
        ),
    ),
    Memo(
        90102, "ferry", "The Ferry Transfer Protocol, Version 2", "Ferry Transfer 2", "June 2004",
        "This memo replaces the first version of Ferry Transfer. Numbers are longer, timers adapt to the "
        "link, and each "
        "crossing begins with a random number.",
        (
            Section("Changes from Version 1", "Compatibility", (
                "Version 2 widens the sequence number from 16 to 48 bits and removes the waiting time on "
                "wrap.",
                "A version 1 receiver answers a version 2 parcel with error FTP-E02, after which the "
                "sender may fall back.")),
            Section("Opening a Crossing", "Initial Number", (
                "Both sides open a crossing with a HELLO frame that names the versions they speak.",
                "The initial sequence number MUST come from a random source, so that forged parcels do "
                "not fit.")),
            Section("Adaptive Timer", "Computation", (
                "The retransmission timer follows the measured round trip instead of a fixed 500 "
                "milliseconds.",
                "A sender keeps a smoothed round trip with a gain of one eighth and waits for twice that "
                "value.")),
            Section("Selective Acknowledgement", "Ranges", (
                "The frame SACK replaces ACK8 and lists up to four ranges of received numbers.",
                "Ranges are sent newest first, because the oldest one is the most likely to be known "
                "already.")),
            Section("Security Considerations", "Amplification", (
                "A receiver MUST NOT answer a HELLO frame with more than three times its octets until "
                "the sender has "
                "proved its address.",)),
        ),
        obsoletes=("rfc90101",),
    ),
    Memo(
        90103, "ferry", "Congestion Control for Ferry Transfer", "Ferry Congestion", "January 2011",
        "Many crossings share one channel. This memo says how a sender of Ferry Transfer 2 finds its "
        "fair share without "
        "being told how wide the channel is.",
        (
            Section("The Quay Window", "Start", (
                "The quay window limits how many parcels may be on the water at once.",
                "It starts at four parcels and doubles with every round trip until the first loss.")),
            Section("Reaction to Loss", "Halving", (
                "When a parcel is lost the quay window is multiplied by 0.7.",
                "A sender MUST NOT shrink the window twice within one round trip, since losses come in "
                "bursts.")),
            Section("Explicit Marks", "The FULL Bit", (
                "A relay that sees its queue grow sets the FULL bit in parcels instead of dropping them.",
                "A receiver copies the FULL bit into its next SACK frame, and the sender treats it like "
                "a loss.")),
            Section("Fairness", "Long Crossings", (
                "Crossings with a long round trip gain less than their share under this scheme.",
                "An operator who minds can set the option quay-fair, which adds parcels by time and not "
                "by round trip.")),
        ),
    ),
    Memo(
        90201, "harbor", "Harbor Access Tokens", "Harbor Token", "May 2012",
        "A Harbor token lets a client act for a person without knowing the password. This memo defines "
        "its form, its "
        "lifetime and how it is withdrawn.",
        (
            Section("Form of a Token", "Parts", (
                "A token consists of a header, a list of scopes and a seal, joined by dots.",
                "The header names the key that made the seal by its key identifier of eight octets.")),
            Section("Lifetime", "Renewal", (
                "A gatekeeper issues tokens that expire after 900 seconds.",
                "A renewal ticket can be used once; its second use withdraws every token that descends "
                "from it.")),
            Section("Scopes", "Narrowing", (
                "Scopes name what the bearer may do, for example berth:read or berth:write.",
                "A client can ask for a narrower token at any time, and the gatekeeper MUST NOT widen it "
                "later.")),
            Section("Withdrawal", "The Error HBR-401-7", (
                "A withdrawn token is refused with the error HBR-401-7.",
                "Resource servers learn of a withdrawal within 60 seconds through the list of withdrawn "
                "seals.")),
            Section("Security Considerations", "Bearer Risk", (
                "Whoever holds a token can use it, so tokens never travel in a query string.",)),
        ),
    ),
    Memo(
        90202, "harbor", "Pairing Devices without a Keyboard", "Harbor Pairing", "August 2017",
        "A lamp or a printer has no keyboard to type a password on. Pairing shows a short code on the "
        "device that a "
        "person enters on a telephone.",
        (
            Section("The Pairing Code", "Alphabet", (
                "A pairing code has nine characters and is valid for ten minutes.",
                "Its alphabet leaves out vowels, so that no words appear, and digits that look like "
                "letters.")),
            Section("Polling", "The Error HBR-429-1", (
                "The device asks the gatekeeper every five seconds whether the person has agreed.",
                "A device that asks too often receives HBR-429-1 and MUST add five seconds to its "
                "interval.")),
            Section("Consent", "What Is Shown", (
                "The telephone shows the name of the device and the place from which it asks.",
                "Consent given on the device itself is void, because whoever holds the device could give "
                "it.")),
            Section("Security Considerations", "Guessing", (
                "Nine characters of a reduced alphabet give about forty bits, enough against guessing "
                "within ten minutes.",)),
        ),
        paged=False,
    ),
    Memo(
        90203, "harbor", "Audit Records of a Gatekeeper", "Harbor Audit", "February 2019",
        "A gatekeeper writes down whom it let in and why. This memo defines the record and the chain "
        "that makes later "
        "changes visible.",
        (
            Section("The Audit Record", "Fields", (
                "An audit record names the client, the scope, the decision and the rule that decided.",
                "Times are written in UTC with milliseconds; local time is not allowed.")),
            Section("The Chain", "Anchors", (
                "Each audit record holds the digest of the one before, so that a removed record breaks "
                "the chain.",
                "Every 1000 records the digest is published as an anchor outside the gatekeeper.")),
            Section("Retention", "Deletion", (
                "Records are kept for 400 days, then their personal fields are replaced by digests.",
                "The chain stays verifiable after deletion, because it covers the digests and not the "
                "fields.")),
        ),
    ),
    Memo(
        90301, "lantern", "Lantern Names and Their Resolution", "Lantern Resolution", "November 1998",
        "Lantern maps names to addresses. A resolver walks from the root lamp down to the lamp that "
        "knows the name, and "
        "remembers what it heard.",
        (
            Section("Names", "Length", (
                "A name is a list of labels, read from right to left, and letters compare without case.",
                "A label has at most 63 octets and a whole name at most 255.")),
            Section("Walking the Tree", "Referrals", (
                "A resolver starts at one of the root lamps and follows referrals to the lamp in charge.",
                "It MUST give up after 16 referrals, since a longer walk is almost always a loop.")),
            Section("Negative Answers", "The Code NOLAMP", (
                "A name server that is in charge of a name that does not exist answers with NOLAMP.",
                "A resolver remembers NOLAMP for at most 300 seconds, whatever the server suggests.")),
            Section("Transport", "Port", (
                "Questions travel in single datagrams to port 5311.",
                "An answer beyond 1200 octets is cut and marked, after which the resolver asks again "
                "over a stream.")),
        ),
    ),
    Memo(
        90302, "lantern", "Signed Records for Lantern", "Lantern Signing", "April 2008",
        "Answers of Lantern can be forged on the way. Signed records let a resolver check that a record "
        "is what the owner "
        "of the name published.",
        (
            Section("The SEAL Record", "Algorithms", (
                "A SEAL record carries a signature over all records of one name and type.",
                "Algorithm 3 is mandatory; algorithm 1 MUST NOT be used for signing any more because its "
                "digest is broken.")),
            Section("Key Rollover", "Two Keys at Once", (
                "A zone changes its key by publishing the new one before it signs with it.",
                "Both keys stay published for twice the longest lifetime of any record in the zone.")),
            Section("Proof of Absence", "Walking a Zone", (
                "The record GAP names the next existing name, which proves that nothing lies between.",
                "Whoever follows GAP records can list a whole zone, so owners may hash the names first.")),
            Section("Security Considerations", "Clocks", (
                "A resolver whose clock is wrong accepts expired signatures or refuses good ones.",)),
        ),
    ),
    Memo(
        90303, "lantern", "Caching in Lantern Resolvers", "Lantern Caching", "September 2020",
        "A resolver that remembers answers is faster and can be poisoned. This memo says what may be "
        "remembered, for how "
        "long, and what to serve when every lamp is dark.",
        (
            Section("Lifetime of an Entry", "Limits", (
                "An entry is kept for the lifetime stated in its record, but never longer than one day.",
                "A lifetime of zero means that the answer serves this question only.")),
            Section("Poisoning", "Out of Bailiwick", (
                "A resolver MUST discard records in an answer that the name server is not in charge of.",
                "It also varies the source port and the case of letters in the question, which a forger "
                "has to guess.")),
            Section("Serving Stale Entries", "Bounds", (
                "When no name server answers, a resolver may serve an expired entry with a lifetime of "
                "30 seconds.",
                "Stale entries older than three days MUST NOT be served at all.")),
            Section("Prefetching", "Popular Names", (
                "A resolver can ask again for a popular name when a tenth of its lifetime is left.",)),
        ),
        paged=False,
    ),
    Memo(
        90401, "quill", "Format of Quill Letters", "Quill Format", "July 1997",
        "A Quill letter is text with a heading. This memo defines the heading lines, the folding of long "
        "ones, and how "
        "enclosures are attached.",
        (
            Section("Heading Lines", "Folding", (
                "A heading line consists of a name, a colon and a value, and ends with a line break.",
                "A line longer than 78 characters is folded before a blank, and the next line starts "
                "with that blank.")),
            Section("Letter Identifiers", "Uniqueness", (
                "The heading Letter-Id names the letter once and for all.",
                "Its right side is the host of the writer; its left side MUST NOT repeat within ten years.")),
            Section("Enclosures", "Boundary", (
                "Enclosures are separated by a boundary line that does not occur in any of them.",
                "A user agent chooses 24 random characters as boundary and looks whether they occur.")),
            Section("Character Sets", "Fallback", (
                "Without a heading Charset the text of a letter is UTF-8.",
                "Octets that are not valid are shown as the replacement character and never guessed.")),
        ),
    ),
    Memo(
        90402, "quill", "Submitting Quill Letters", "Quill Submission", "October 2005",
        "A user agent hands a letter to its own mail store, which sends it on. Submission differs from "
        "relaying: the "
        "writer is known, and the letter may be mended.",
        (
            Section("Opening a Session", "Port and Encryption", (
                "Submission uses port 5870 and is encrypted from the first octet.",
                "A mail store MUST refuse a session that tries to start in the clear with reply 530-Q.")),
            Section("Authentication", "Reply 535-Q", (
                "A user agent proves who it is before it hands over a letter.",
                "A wrong password is answered with 535-Q after a pause of two seconds, the same for "
                "unknown names.")),
            Section("Mending a Letter", "Missing Headings", (
                "The mail store adds a missing Letter-Id or date, which a relay is not allowed to do.",
                "It never changes the text, because signatures would break.")),
            Section("Size", "Announcement", (
                "A mail store announces the largest letter it takes, by default 25 million octets.",
                "A larger letter is refused before its text is sent, with reply 552-Q.")),
        ),
    ),
    Memo(
        90403, "quill", "Synchronising Quill Mailboxes", "Quill Sync", "December 2014",
        "A person reads letters on several devices. Sync brings each of them up to date with few octets, "
        "even after weeks "
        "without a connection.",
        (
            Section("State Tokens", "Unknown State", (
                "Each mailbox has a state token that changes with every change of the mailbox.",
                "A mail store that no longer knows a state token answers RESYNC, and the user agent "
                "starts from nothing.")),
            Section("Changes", "Order", (
                "The command CHANGES returns what was added, changed and removed since a state token.",
                "Removed letters come last, so that a moved letter is never missing in between.")),
            Section("Conflicts", "Flags", (
                "When two devices change the same flag, the later change wins by the clock of the mail "
                "store.",
                "A removal wins over any change of flags, whichever came first.")),
            Section("Push", "Idle Connections", (
                "A mail store can announce changes over an idle connection, at most once in 15 seconds.",)),
        ),
    ),
)  # fmt: skip

QUESTIONS = (
    Question("How long must a sender pause before it may reuse a number after the counter overflows?", "fact",
             "rfc90101", "2.1", "30 seconds", "a sender MUST wait 30 seconds before it uses an old "
             "number again"),
    Question("What does FTP-E17 mean?", "identifier", "rfc90101", "4.1",
             "The sender gave up after six retransmissions.", "After six retransmissions the sender "
             "reports error FTP-E17"),
    Question("Which error tells a newer sender that the other side only speaks the old version?",
    "identifier",
             "rfc90102", "1.1", "FTP-E02", "answers a version 2 parcel with error FTP-E02"),
    Question("How does the second version compute its retransmission timer compared with the first?",
    "comparison",
             "rfc90102", "3", "From the measured round trip, not a fixed time.",
             "The retransmission timer follows the measured round trip instead of a fixed 500 milliseconds."),
    Question("By which factor does the number of outstanding packets shrink on a drop?", "fact", "rfc90103", "2",
    "0.7",
             "the quay window is multiplied by 0.7"),
    Question("Why may the window be reduced only once per round trip?", "rationale", "rfc90103", "2.1",
             "Losses come in bursts.", "since losses come in bursts"),
    Question("After what time does an access token expire?", "fact", "rfc90201", "2", "900 seconds",
             "A gatekeeper issues tokens that expire after 900 seconds."),
    Question("What happens when somebody uses a renewal ticket for the second time?", "procedure", "rfc90201",
    "2.1",
             "All tokens that descend from it are withdrawn.", "its second use withdraws every token "
             "that descends from it"),
    Question("What should a gadget do when it gets HBR-429-1?", "identifier", "rfc90202", "2.1",
             "Add five seconds to its polling interval.", "MUST add five seconds to its interval"),
    Question("Why does the code on the screen contain no vowels?", "rationale", "rfc90202", "1.1",
             "So that no words appear.", "Its alphabet leaves out vowels, so that no words appear"),
    Question("How can one still verify the log after personal data were erased?", "rationale", "rfc90203",
    "3.1",
             "The chain covers the digests.", "because it covers the digests and not the fields"),
    Question("For how long may a resolver remember that a name does not exist?", "fact", "rfc90301", "3.1",
             "At most 300 seconds.", "A resolver remembers NOLAMP for at most 300 seconds"),
    Question("Which signature algorithm is no longer allowed, and why?", "fact", "rfc90302", "1.1",
             "Algorithm 1, its digest is broken.", "algorithm 1 MUST NOT be used for signing any more"),
    Question("Submission port and what happens to unencrypted sessions?", "procedure", "rfc90402", "1.1",
             "Port 5870; refused with 530-Q.", "Submission uses port 5870 and is encrypted from the "
             "first octet."),
    Question("Which colour are the buoys of the northern channel?", "unanswerable"),
    Question("How many passengers does the evening ferry carry?", "unanswerable"),
)  # fmt: skip
