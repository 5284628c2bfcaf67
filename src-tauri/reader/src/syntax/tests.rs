//! What is read of a file in each language, and what must never hurt.

use super::*;

fn read_as(language: Language, text: &str) -> Outline {
    read(&mut Parser::new(), &Grammar::new(language), text).expect("an outline")
}

/// Definitions as `container.name kind line`.
fn defined(outline: &Outline) -> Vec<String> {
    let symbols = outline.symbols.iter();
    symbols
        .map(|symbol| format!("{} {} {}", symbol.whole_name(), symbol.kind.word(), symbol.line))
        .collect()
}

/// Calls as `caller: on.name`.
fn calls(outline: &Outline) -> Vec<String> {
    let called = outline
        .references
        .iter()
        .filter(|reference| reference.mention == Mention::Call);
    called
        .map(|reference| {
            let around = outline
                .symbol(reference.within)
                .map_or("(top)".to_owned(), Symbol::whole_name);
            let on = match reference.on {
                NONE => String::new(),
                place => format!("{}.", outline.name(place)),
            };
            format!("{around}: {on}{}", outline.name(reference.name))
        })
        .collect()
}

#[test]
fn rust_is_read_with_its_types_and_with_calls_within_macros() {
    let outline = read_as(
        Language::Rust,
        "//! Keeps things. Well.\n\n/// A store of things.\n#[derive(Debug)]\npub struct Store<T> { things: Vec<T> }\n\
         impl<T: Clone> Store<T> {\n    /// Opens it. Then more.\n    pub fn open(path: &Path) -> Result<Self> {\n        \
         let read = read_all(path)?;\n        log!(\"{}\", self.count(1), helper());\n        Ok(Self::new(read))\n    }\n}\n\
         pub enum Kind { One, Two }\nconst LIMIT: usize = 3;\nmacro_rules! log { () => {} }\n\
         mod tests {\n    fn helper() { super::Store::open(x).unwrap(); }\n}\n",
    );
    assert_eq!(outline.doc, "Keeps things");
    assert_eq!(
        defined(&outline),
        [
            "Store struct 5",
            "Store implementation 6",
            "Store.open method 8",
            "Kind enum 14",
            "Kind.One variant 14",
            "Kind.Two variant 14",
            "LIMIT constant 15",
            "log macro 16",
            "tests module 17",
            "tests.helper function 18",
        ]
    );
    let open = &outline.symbols[2];
    assert_eq!(open.signature, "pub fn open(path: &Path) -> Result<Self>");
    assert_eq!(open.doc, "Opens it");
    assert_eq!(outline.symbols[0].doc, "A store of things");
    let calls = calls(&outline);
    for wanted in [
        "Store.open: read_all",
        "Store.open: log",
        "Store.open: self.count",
        "Store.open: helper",
        "Store.open: Self.new",
        "tests.helper: Store.open",
    ] {
        assert!(calls.iter().any(|call| call == wanted), "{wanted} in {calls:?}");
    }
}

#[test]
fn python_is_read_with_its_descriptions_and_decorators() {
    let outline = read_as(
        Language::Python,
        "\"\"\"Serves pages.\n\nMore.\"\"\"\nLIMIT = 3\n\n@dataclass\nclass Server(Base):\n    \"\"\"A server.\"\"\"\n    port = 1\n\n    \
         @property\n    async def start(self, host: str) -> None:\n        local = 1\n        await self.loop.run(handle(host))\n\n\
         def handle(host):\n    # not a description\n    return Server(host)\n\nhandle(1)\n",
    );
    assert_eq!(outline.doc, "Serves pages");
    assert_eq!(
        defined(&outline),
        [
            "LIMIT constant 4",
            "Server class 7",
            "Server.port constant 9",
            "Server.start method 12",
            "handle function 16",
        ]
    );
    assert_eq!(
        outline.symbols[3].signature,
        "async def start(self, host: str) -> None"
    );
    assert_eq!(outline.symbols[1].doc, "A server");
    assert_eq!(
        calls(&outline),
        [
            "Server.start: loop.run",
            "Server.start: handle",
            "handle: Server",
            "(top): handle"
        ]
    );
}

#[test]
fn typescript_and_its_markup_are_read_with_functions_in_variables() {
    let text = "/** Draws a card. */\nexport const Card = ({ title }: Props) => {\n  const twice = double(title);\n  \
                return <Frame><Title text={twice} /></Frame>;\n};\ninterface Props { title: string }\n\
                export default class Desk extends Base {\n  private open = () => { this.shut(); };\n  close(): void { shut(new Door()); }\n}\n\
                type Id = string;\nenum Kind { One }\n";
    let outline = read_as(Language::Tsx, text);
    assert_eq!(
        defined(&outline),
        [
            "Card function 2",
            "Props interface 6",
            "Desk class 7",
            "Desk.open method 8",
            "Desk.close method 9",
            "Id type 11",
            "Kind enum 12",
        ]
    );
    assert_eq!(outline.symbols[0].doc, "Draws a card");
    assert_eq!(
        outline.symbols[0].signature,
        "export const Card = ({ title }: Props)"
    );
    let calls = calls(&outline);
    for wanted in [
        "Card: double",
        "Card: Frame",
        "Card: Title",
        "Desk.open: this.shut",
        "Desk.close: shut",
        "Desk.close: Door",
    ] {
        assert!(calls.iter().any(|call| call == wanted), "{wanted} in {calls:?}");
    }
}

#[test]
fn go_methods_belong_to_their_receivers() {
    let outline = read_as(
        Language::Go,
        "// Package app runs.\npackage app\n\n// App runs.\ntype App struct{ n int }\ntype Runner interface {\n\tRun() error\n}\n\
         const Max = 3\n\n// Run goes.\nfunc (a *App) Run(ctx context.Context) error {\n\treturn a.step(ctx, helper())\n}\nfunc helper() int { return Max }\n",
    );
    assert_eq!(
        defined(&outline),
        [
            "App struct 5",
            "Runner interface 6",
            "Runner.Run method 7",
            "Max constant 9",
            "App.Run method 12",
            "helper function 15",
        ]
    );
    assert_eq!(outline.symbols[4].doc, "Run goes");
    assert_eq!(calls(&outline), ["App.Run: a.step", "App.Run: helper"]);
}

#[test]
fn c_and_its_descendant_are_read_with_prototypes_and_scopes() {
    let outline = read_as(
        Language::Cpp,
        "#define MAX 3\nnamespace net {\nclass Socket : public Base {\n public:\n  int send(const char *data);\n  void close() { shut(fd); }\n};\n\
         int Socket::send(const char *data) { return write_all(this->fd, data); }\n}\nstruct point { int x; };\nstatic int *find(int a);\nvoid run() { Socket s; s.send(\"a\"); }\n",
    );
    assert_eq!(
        defined(&outline),
        [
            "MAX constant 1",
            "net module 2",
            "net.Socket class 3",
            "Socket.send method 5",
            "Socket.close method 6",
            "Socket.send method 8",
            "point struct 10",
            "find function 11",
            "run function 12",
        ]
    );
    assert_eq!(
        calls(&outline),
        ["Socket.close: shut", "Socket.send: write_all", "run: s.send"]
    );
    let outline = read_as(
        Language::C,
        "/* Adds. */\nint add(int a, int b)\n{\n  return plus(a, b);\n}\ntypedef struct { int x; } point;\n",
    );
    assert_eq!(defined(&outline), ["add function 2", "point type 6"]);
    assert_eq!(outline.symbols[0].doc, "Adds");
}

#[test]
fn java_and_c_sharp_are_read() {
    let java = read_as(
        Language::Java,
        "package a;\n/** Runs. */\npublic class App {\n  App() { super(); }\n  @Override public void run(String[] args) { helper.go(new Door()); stop(); }\n  enum Kind { ONE }\n}\n",
    );
    assert_eq!(
        defined(&java),
        [
            "App class 3",
            "App.App method 4",
            "App.run method 5",
            "App.Kind enum 6",
            "Kind.ONE variant 6"
        ]
    );
    assert_eq!(
        calls(&java),
        ["App.run: helper.go", "App.run: Door", "App.run: stop"]
    );
    let sharp = read_as(
        Language::CSharp,
        "namespace A {\n  /// <summary>Runs.</summary>\n  public class App {\n    public int Port { get; set; }\n    public void Run(string a) { helper.Go(new Door()); Stop(); }\n  }\n}\n",
    );
    assert_eq!(
        defined(&sharp),
        [
            "A module 1",
            "A.App class 3",
            "App.Port property 4",
            "App.Run method 5"
        ]
    );
    assert_eq!(
        calls(&sharp),
        ["App.Run: helper.Go", "App.Run: Door", "App.Run: Stop"]
    );
}

#[test]
fn ruby_php_and_the_shell_are_read() {
    let ruby = read_as(
        Language::Ruby,
        "module Net\n  LIMIT = 3\n  # Sends.\n  class Socket < Base\n    def send(data)\n      socket.write_all(data)\n      close()\n    end\n    def self.open; end\n  end\nend\n",
    );
    assert_eq!(
        defined(&ruby),
        [
            "Net module 1",
            "Net.LIMIT constant 2",
            "Net.Socket class 4",
            "Socket.send method 5",
            "Socket.open method 9",
        ]
    );
    assert_eq!(
        calls(&ruby),
        ["Socket.send: socket.write_all", "Socket.send: close"]
    );
    let php = read_as(
        Language::Php,
        "<?php\nnamespace App;\n/** Sends. */\nclass Mailer {\n  const MAX = 3;\n  public function send(string $to): bool { return $this->transport->deliver(build($to)); }\n}\nfunction build($to) { return Letter::make($to); }\n",
    );
    assert_eq!(
        defined(&php),
        [
            "Mailer class 4",
            "Mailer.MAX constant 5",
            "Mailer.send method 6",
            "build function 8"
        ]
    );
    assert_eq!(
        calls(&php),
        [
            "Mailer.send: transport.deliver",
            "Mailer.send: build",
            "build: Letter.make"
        ]
    );
    let shell = read_as(
        Language::Bash,
        "#!/bin/bash\n# Says it.\nsay() { printf '%s' \"$1\"; }\nsay hello\n",
    );
    assert_eq!(defined(&shell), ["say function 3"]);
    assert_eq!(calls(&shell), ["say: printf", "(top): say"]);
    assert_eq!(shell.symbols[0].doc, "Says it");
}

#[test]
fn what_does_not_parse_is_passed_over_and_the_rest_is_read() {
    let outline = read_as(
        Language::Rust,
        "fn one() {}\nlet ??? = ;\n\nfn two() { one(); }\n",
    );
    let names: Vec<&str> = outline
        .symbols
        .iter()
        .map(|symbol| symbol.name.as_str())
        .collect();
    assert!(names.contains(&"one") && names.contains(&"two"), "{names:?}");
}

#[test]
fn data_and_minified_files_have_no_outline() {
    let text = format!("const a = [{}];\n", "1,".repeat(LINE_BYTES_MAX));
    assert_eq!(
        read(&mut Parser::new(), &Grammar::new(Language::JavaScript), &text),
        None
    );
}

#[test]
fn a_deeply_nested_file_is_read_without_an_overflow_and_within_its_time() {
    let depth = 40_000;
    let text = format!("x = {}1{}\n", "(\n".repeat(depth), ")\n".repeat(depth));
    let began = Instant::now();
    let _ = read(&mut Parser::new(), &Grammar::new(Language::Python), &text);
    assert!(began.elapsed() < FILE_TIME * 8, "{:?}", began.elapsed());
}

#[test]
fn every_language_knows_its_kinds_of_nodes() {
    for language in Language::ALL {
        let grammar = Grammar::new(language);
        let kinds = u16::try_from(grammar.language.node_kind_count()).expect("few kinds");
        let count = |is: &dyn Fn(Role) -> bool| (0..kinds).filter(|kind| is(grammar.role(*kind))).count();
        assert!(
            count(&|role| matches!(role, Role::Definition(_))) > 0,
            "{language:?}"
        );
        assert!(count(&|role| matches!(role, Role::Call(_))) > 0, "{language:?}");
        assert!(count(&|role| role == Role::Name) > 0, "{language:?}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_the_reading_of_any_language(text in "[ -~\n\u{4e00}-\u{4e20}]{0,300}", code in 0_u8..13) {
        let language = Language::from_code(code).expect("a language");
        let outline = read(&mut Parser::new(), &Grammar::new(language), &text);
        for symbol in outline.iter().flat_map(|outline| &outline.symbols) {
            proptest::prop_assert!(symbol.line >= 1 && symbol.end >= symbol.line && !symbol.name.is_empty());
        }
    }
}
