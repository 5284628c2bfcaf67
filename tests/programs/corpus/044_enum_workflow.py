# Model a document approval workflow with an Enum and allowed transitions.
from dataclasses import dataclass, field
from enum import Enum, auto


class State(Enum):
    DRAFT = auto()
    REVIEW = auto()
    APPROVED = auto()
    REJECTED = auto()

    @property
    def final(self):
        return self in (State.APPROVED, State.REJECTED)


ALLOWED = {
    State.DRAFT: {State.REVIEW},
    State.REVIEW: {State.APPROVED, State.REJECTED, State.DRAFT},
}


@dataclass
class Document:
    title: str
    state: State = State.DRAFT
    trail: list = field(default_factory=list)

    def move(self, target: State) -> "Document":
        if target not in ALLOWED.get(self.state, ()):
            raise RuntimeError(f"{self.state.name} -> {target.name} is not allowed")
        self.trail.append((self.state.name, target.name))
        self.state = target
        return self


doc = Document("Travel policy")
doc.move(State.REVIEW).move(State.DRAFT).move(State.REVIEW).move(State.APPROVED)
print(doc.title, doc.state, doc.state.value, doc.state.final)
for a, b in doc.trail:
    print(f"  {a} -> {b}")
try:
    doc.move(State["DRAFT"])
except RuntimeError as e:
    print("Error:", e)
print([s.name.title() for s in State if not s.final])
print(State(2), repr(State.REJECTED), len(State))
print(Document("Memo") == Document("Memo"), Document("Memo"))
