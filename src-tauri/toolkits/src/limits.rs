//! Every bound of the toolkits, with its unit and its reason.

use std::time::Duration;

/// Text that one `files.read` returns, in bytes of UTF-8. A larger text would exceed a program's own memory
/// limit first.
pub const READ_TEXT_BYTES_MAX: usize = 4 << 20;

/// Lines that one `files.read` returns when the program names no number.
pub const READ_LINES_DEFAULT: u64 = 100_000;

/// Bytes that one read goes through to reach its first line: about two seconds of a warm disk.
pub const READ_SCAN_BYTES_MAX: u64 = 1 << 30;

/// Bytes beyond ASCII of a text whose encoding can't be told apart by them: some ten characters.
pub const FEW_SIGNS_BYTES: usize = 20;

/// Head of a file by which its kind and encoding are told, in bytes. The detector is right from 64 KiB on.
pub const SNIFF_BYTES: usize = 64 << 10;

/// Bytes read at once.
pub const CHUNK_BYTES: usize = 64 << 10;

/// Longest line that a search keeps in memory, in bytes; the rest of a longer line is skipped.
pub const LINE_BYTES_MAX: usize = 8 << 20;

/// Largest text that is written at once, in bytes: more than a program may hold anyway.
pub const WRITE_BYTES_MAX: u64 = 16 << 20;

/// Rows of a table that is written: what a workbook holds below its head.
pub const TABLE_ROWS_MAX: usize = 1_048_575;

/// Cells of a table that is written: about a second of work, and what a program can hold.
pub const TABLE_CELLS_MAX: usize = 2_000_000;

/// Characters of one cell of a workbook, as its format bounds them.
pub const TABLE_CELL_CHARACTERS_MAX: usize = 32_767;

/// Markdown that becomes one document, in bytes: some thousand pages.
pub const DOCUMENT_MARKDOWN_BYTES_MAX: usize = 4 << 20;

/// How long the typesetting of a PDF may take: 2,000 pages of mixed text take some 34 s.
pub const PDF_TIME_MAX: Duration = Duration::from_secs(90);

/// Largest file that is replaced, in bytes: its earlier content is kept, once for every change.
pub const EARLIER_BYTES_MAX: u64 = 64 << 20;

/// Files and folders that are moved or deleted as one tree. They are as many as one walk looks at, since each is looked
/// at before and after.
pub const TREE_ENTRIES_ALL_MAX: usize = WALK_ENTRIES_MAX;

/// Files and folders that are copied at once, and their bytes: some seconds of a disk.
pub const COPY_ENTRIES_MAX: usize = 20_000;
pub const COPY_BYTES_MAX: u64 = 2 << 30;

/// Files and folders that are packed into one archive, and their bytes; the archive itself is replaced like any file.
pub const PACK_ENTRIES_MAX: usize = 10_000;
pub const PACK_BYTES_MAX: u64 = 512 << 20;

/// Entries of an archive that is unpacked, and bytes of all that comes out of it.
pub const UNPACK_ENTRIES_MAX: usize = 10_000;
pub const UNPACK_BYTES_MAX: u64 = 1 << 30;

/// How many times its size an archive may become: text shrinks to a tenth, a bomb to a thousandth.
pub const UNPACK_RATIO_MAX: u64 = 200;

/// What may come out of any archive, in bytes: small ones of empty forms shrink further.
pub const UNPACK_BYTES_ALWAYS: u64 = 16 << 20;

/// Levels of folders in an archive, and bytes of one name: what file systems take.
pub const UNPACK_DEPTH_MAX: usize = 40;
pub const UNPACK_NAME_BYTES_MAX: usize = 255;

/// Things of one name in the trash.
pub const TRASH_NAMES_MAX: usize = 10_000;

/// Largest text that is compared, and longest comparison, in bytes.
pub const DIFF_BYTES_MAX: u64 = 4 << 20;

/// Time that a comparison of lines may take before it gets coarser.
pub const DIFF_TIME: std::time::Duration = std::time::Duration::from_millis(500);

/// Entries that `files.list` returns: more is no longer an overview.
pub const LIST_ENTRIES_MAX: usize = 2_000;

/// Levels that `files.list` goes down when asked to.
pub const LIST_DEPTH_MAX: u64 = 16;

/// Entries that are looked at for names near a path that does not exist: some milliseconds of a disk.
pub const NEAR_ENTRIES_MAX: usize = 500;

/// Names that such an error has, and the characters of one: each is read by a model.
pub const NEAR_NAMES_MAX: usize = 5;
pub const NEAR_NAME_CHARACTERS_MAX: usize = 120;

/// Paths that `files.glob` returns.
pub const GLOB_PATHS_MAX: usize = 5_000;

/// Lines that `files.grep` returns.
pub const GREP_MATCHES_MAX: usize = 1_000;

/// Characters of a matching line that are returned; minified files have lines of megabytes.
pub const GREP_LINE_CHARS_MAX: usize = 500;

/// Bytes that `files.grep` searches in one file of a folder; a file named by itself is searched up to
/// [`GREP_ALL_BYTES_MAX`].
pub const GREP_FILE_BYTES_MAX: u64 = 8 << 20;

/// Bytes that one `files.grep` searches in all: some seconds of work.
pub const GREP_ALL_BYTES_MAX: u64 = 1 << 30;

/// Files, folders and links that one walk looks at.
pub const WALK_ENTRIES_MAX: usize = 200_000;

/// Levels that one walk goes down: deeper trees are made by mistake.
pub const WALK_DEPTH_MAX: usize = 64;

/// Folders that a walk names but does not enter: generated bulk, and folders of version control.
pub const WALK_PASSES_BY: &[&str] = &[
    ".git",
    ".hg",
    ".svn",
    ".jj",
    "node_modules",
    "__pycache__",
    ".venv",
    ".tox",
    ".cache",
];

/// Characters of a glob or a regular expression.
pub const PATTERN_CHARS_MAX: usize = 1_000;

/// Memory of a compiled regular expression, in bytes.
pub const PATTERN_COMPILED_BYTES_MAX: usize = 4 << 20;

/// Bytes of a path: Linux accepts no more.
pub const PATH_BYTES_MAX: usize = 4_096;

/// Links followed while finding where a path leads: Linux follows no more.
pub const LINKS_MAX: usize = 40;

/// Seconds that `system.sleep` waits at most: a whole run's default limit.
pub const SLEEP_SECONDS_MAX: u64 = 3_600;

/// Lines of a cached result that `results.read` returns when the program names no number.
pub const RESULT_LINES_DEFAULT: u64 = 200;

/// Memories that `memory.search` returns when the program names no number.
pub const MEMORY_HITS_DEFAULT: u64 = 8;

/// Largest document (anything but plain text) that is read: a larger one would exceed [`READER_MEMORY_BYTES`].
pub const DOCUMENT_BYTES_MAX: u64 = 256 << 20;

/// Bytes of text that are kept of one document: some twenty thick books.
pub const DOCUMENT_TEXT_BYTES_MAX: usize = 32 << 20;

/// Pages, slides or sheets of one document.
pub const DOCUMENT_PARTS_MAX: u32 = 20_000;

/// Characters of one line of a document: a row of a wide sheet fits.
pub const DOCUMENT_LINE_CHARS_MAX: usize = 100_000;

/// Bytes of a line while it is read: four for each of its characters.
pub const DOCUMENT_LINE_BYTES_MAX: usize = 4 * DOCUMENT_LINE_CHARS_MAX;

/// Bytes of a document's notes and comments, which are held until its text has ended.
pub const DOCUMENT_NOTES_BYTES_MAX: usize = 4 << 20;

/// Groups of RTF within each other; files of office programs have some tens.
pub const RICH_TEXT_DEPTH_MAX: usize = 1_000;

/// Elements of XML within each other; office files need about forty.
pub const XML_DEPTH_MAX: usize = 256;

/// Bytes that one member of an archive may unpack to, and members of one archive.
pub const PACKED_MEMBER_BYTES_MAX: u64 = 1 << 30;
pub const PACKED_MEMBERS_MAX: usize = 50_000;

/// HTML of one page: its tree takes some twenty times as much.
pub const PAGE_BYTES_MAX: u64 = 16 << 20;

/// Elements of HTML within each other; pages written by people have some tens.
pub const PAGE_DEPTH_MAX: usize = 2_000;

/// Pixels of a picture's side, and bytes of its pixels.
pub const PICTURE_SIDE_MAX: u32 = 30_000;
pub const PICTURE_DECODED_BYTES_MAX: u64 = 512 << 20;

/// The longer side of a picture that is sent: models scale larger ones down themselves.
pub const PICTURE_SENT_SIDE_MAX: u32 = 1_568;

/// Bytes up to which a picture file is sent unchanged.
pub const PICTURE_AS_IT_IS_BYTES_MAX: u64 = 2 << 20;

/// Pixels of a thumbnail's longer side, for screens of double density.
pub const THUMBNAIL_SIDE: u32 = 128;

/// Time, processor time and memory of one reader. A thousand pages take ten seconds of a slow machine.
pub const READER_SECONDS: u64 = 60;
pub const READER_CPU_SECONDS: u64 = 60;
pub const READER_MEMORY_BYTES: u64 = 1 << 30;

/// Stack of a reader: parsers of nested formats recurse.
pub const READER_STACK_BYTES: usize = 64 << 20;

/// Longest line of a reader's output (a prepared picture), and bytes of its errors that are read.
pub const READER_LINE_BYTES_MAX: usize = 16 << 20;
pub const READER_ERRORS_BYTES: u64 = 4 << 10;

/// Time after which a document that took too long is read again, where it is asked for by itself. A message looks at a
/// document twice, before it is sent and when it is.
pub const LATE_DOCUMENT_AGAIN: Duration = Duration::from_secs(180);

/// The same where a folder is searched: each late document costs a search [`READER_SECONDS`].
pub const LATE_DOCUMENT_SEARCHED_AGAIN: Duration = Duration::from_secs(3_600);

/// Bytes of all kept documents; the oldest are dropped first.
pub const LIBRARY_BYTES_MAX: u64 = 512 << 20;

/// Characters of the title of a page, slide or sheet.
pub const PART_TITLE_CHARS: usize = 80;

/// Characters after which a passage ends, passages that are compared, and words of one question.
pub const PASSAGE_CHARS: usize = 600;
pub const PASSAGES_LOOKED_AT_MAX: usize = 20_000;
pub const PASSAGE_WORDS_MAX: usize = 40;

/// Passages that `files.find` returns when the program names no number, and at most.
pub const FIND_PASSAGES_DEFAULT: u64 = 6;
pub const FIND_PASSAGES_MAX: u64 = 30;

/// Bytes of text that one `files.find` goes through: some seconds of work.
pub const FIND_BYTES_MAX: u64 = 1 << 30;

/// Documents that one search through a folder reads, or tries to: each may take seconds.
pub const FOLDER_DOCUMENTS_MAX: usize = 40;

/// Entries of `files.outline`.
pub const OUTLINE_ENTRIES_MAX: usize = 300;

/// Operators, drawn characters, saved states and nested drawings of one PDF page.
pub const PDF_OPERATORS_MAX: usize = 2_000_000;
pub const PDF_GLYPHS_MAX: usize = 300_000;
pub const PDF_STATES_MAX: usize = 512;
pub const PDF_FORMS_DEEP_MAX: usize = 12;

/// Entries of an attached folder that are shown: an overview, about 4,000 tokens.
pub const TREE_ENTRIES_MAX: usize = 300;

/// Characters of one piece of a knowledge base: some paragraphs. Shorter pieces are found better (a measurement
/// on Chinese text found four of five questions within 80 characters). Longer ones answer better by themselves.
pub const PIECE_CHARS: usize = 800;

/// Characters of a script, a function or a record, which stay one piece beyond [`PIECE_CHARS`]; longer ones are cut.
pub const SCRIPT_CHARS_MAX: usize = 8_000;

/// Columns or keys of one record.
pub const RECORD_FIELDS_MAX: usize = 200;

/// Pieces that `knowledge.query` returns when the program names no number, and at most.
pub const KNOWLEDGE_PIECES_DEFAULT: u64 = 6;
pub const KNOWLEDGE_PIECES_MAX: u64 = 50;

/// Seconds that `shell.run` waits when the program names no number, and at most: longer work is a background job.
pub const COMMAND_SECONDS_DEFAULT: u64 = 60;
pub const COMMAND_SECONDS_MAX: u64 = 600;

/// Bytes of a command: a longer text belongs into a file.
pub const COMMAND_CHARACTERS_MAX: usize = 32 << 10;

/// Bytes kept of each stream of a command, half from its head and half from its tail. A prompt holds less.
pub const COMMAND_OUTPUT_BYTES_MAX: usize = 64 << 10;

/// Bytes read from a command at once.
pub const COMMAND_READ_BYTES: usize = 16 << 10;

/// Time within which an unwanted command is ended, and a crowd of processes is noticed. For root the kernel limits no
/// processes.
pub const COMMAND_STOPPED_WITHIN: Duration = Duration::from_millis(20);

/// Interval at which a command's processes are counted: a count takes some milliseconds on a busy desktop.
pub const COMMAND_MEASURED_EVERY: Duration = Duration::from_millis(500);

/// Processes and threads of one command: a build on a large machine has some hundred.
pub const COMMAND_PROCESSES_MAX: usize = 1_024;

/// Bytes of memory that one process of a command may write to, and all of them together.
pub const COMMAND_MEMORY_BYTES_MAX: u64 = 4 << 30;
pub const COMMAND_ALL_MEMORY_BYTES_MAX: u64 = 6 << 30;

/// Levels below the granted folders in which repositories are searched when a command begins; folders searched,
/// and repositories protected. A search of 500 folders takes a few milliseconds.
pub const REPOSITORY_DEPTH_MAX: usize = 3;
pub const REPOSITORY_FOLDERS_MAX: usize = 500;
pub const REPOSITORIES_MAX: usize = 40;

/// The `nice` value of commands, so that the user's own programs come first.
pub const COMMAND_NICE: u32 = 10;

/// Largest file that a command writes, and the size of each of its temporary folders, which lie in memory.
pub const COMMAND_FILE_BYTES_MAX: u64 = 4 << 30;
pub const COMMAND_TEMPORARY_BYTES_MAX: u64 = 1 << 30;

/// Seconds that a background job may take: a working day and the night after it.
pub const JOB_SECONDS_MAX: u64 = 12 * 3_600;

/// Seconds that `shell.wait` waits when the program names no number.
pub const JOB_WAIT_SECONDS_DEFAULT: u64 = 3_600;

/// Interval at which a job is checked: whether it is still wanted, and its size.
pub const JOB_LOOKED_AT_EVERY: Duration = Duration::from_millis(200);

/// Bytes kept of a job's output: this many of its beginning, and once or twice as many of its end.
pub const JOB_OUTPUT_BYTES_MAX: usize = 32 << 10;

/// Hosts that a job may reach: a person decides on each before the job begins.
pub const JOB_HOSTS_MAX: usize = 20;

/// Bytes that are written down of a job's connections, one line for each. They hold some 200 single connections, and 50
/// sums by host.
pub const JOB_CONNECTIONS_BYTES_MAX: u64 = 256 << 10;

/// Longest record of a job, in bytes: the command, and a hundred granted folders.
pub const JOB_RECORD_BYTES_MAX: u64 = 1 << 20;

/// Time that a job may take to end before it is erased.
pub const JOB_ENDS_WITHIN: Duration = Duration::from_secs(3);

/// Results of a web search where the program names no number: what fits a prompt.
pub const SEARCH_RESULTS_DEFAULT: usize = 8;

/// Characters that a program may put on the clipboard: a long document; more belongs into a file.
pub const CLIPBOARD_CHARACTERS_MAX: usize = 200_000;
