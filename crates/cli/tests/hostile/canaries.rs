//! Files and a process that nobody may touch.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// A small world of its own, all of which belongs to whoever runs covenant there, so that only a fence protects it.
pub(crate) struct Canaries {
    root: tempfile::TempDir,
    before: BTreeMap<PathBuf, Mark>,
    victim: Child,
}

/// What must not change.
#[derive(PartialEq, Eq, Debug)]
struct Mark {
    mode: u32,
    owner: (u32, u32),
    modified: (i64, i64),
    links: u64,
    bytes: Vec<u8>,
}

/// Places outside that subjects try to write to.
const LEFT_BEHIND: &[&str] = &["/tmp/covenant-hostile-left-behind", "/dev/shm/covenant-hostile"];
/// So long may a process take to be gone.
const GRACE: Duration = Duration::from_secs(2);

impl Canaries {
    /// `owner`: for whom, if not for ourselves. `subject`: a file that the project has.
    pub(crate) fn new(owner: Option<u32>, subject: &Path) -> Result<Canaries> {
        // Short: subjects compare paths, and covenant has to find them out.
        let root = tempfile::Builder::new().prefix("c").rand_bytes(5).tempdir_in("/tmp")?;
        let at = |name: &str| root.path().join(name);
        for folder in ["f", "f/empty", "h", "h/.ssh", "p", "t", "cache"] {
            fs::create_dir(at(folder))?;
        }
        fs::write(at("f/canary"), "alive\n")?;
        fs::write(at("h/.profile"), "# mine\n")?;
        fs::write(at("h/.ssh/id_rsa"), "key\n")?;
        fs::write(at("p/notes.txt"), "a project\n")?;
        fs::write(at("s"), "secret\n")?;
        fs::copy(subject, at("p/subject.c"))?;
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o755))?;
        if let Some(owner) = owner {
            for path in files(root.path())? {
                chown(&path, Some(owner), Some(owner))?;
            }
            chown(root.path(), Some(owner), Some(owner))?;
        }
        let mut sleep = Command::new("sleep");
        let victim = as_user(sleep.arg("600"), owner).stdin(Stdio::null()).spawn().context("no `sleep`")?;
        let mut canaries = Canaries { root, before: BTreeMap::new(), victim };
        canaries.before = canaries.marks()?;
        Ok(canaries)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// The macros by which subjects know what to harm.
    pub(crate) fn macros(&self) -> Vec<String> {
        let text = |name: &str, file: &str| format!("-D{name}=\"{}\"", self.path(file).display());
        vec![
            text("CANARY", "f/canary"),
            text("FOLDER", "f"),
            text("HOME", "h"),
            text("PROJECT", "p"),
            text("SECRET", "s"),
            format!("-DVICTIM={}", self.victim.id()),
        ]
    }

    /// All that is watched: everything but covenant's results, its cache and its scratch.
    fn marks(&self) -> Result<BTreeMap<PathBuf, Mark>> {
        let mut marks = BTreeMap::new();
        for path in files(self.root.path())? {
            let inside = path.strip_prefix(self.root.path())?;
            if ["p/out", "cache", "t"].iter().any(|own| inside.starts_with(own)) {
                continue;
            }
            let data = fs::symlink_metadata(&path)?;
            // Covenant makes its results in the project, which changes the folder's time.
            let modified = if inside == Path::new("p") { (0, 0) } else { (data.mtime(), data.mtime_nsec()) };
            let links = if inside == Path::new("p") { 0 } else { data.nlink() };
            let bytes = if data.is_file() { fs::read(&path)? } else { Vec::new() };
            marks.insert(path, Mark { mode: data.mode(), owner: (data.uid(), data.gid()), modified, links, bytes });
        }
        Ok(marks)
    }

    /// That all is as it was: files, the process, and nobody who stayed.
    pub(crate) fn check(&mut self, group: u32, marker: &str) -> Result<()> {
        let after = self.marks()?;
        for (path, mark) in &self.before {
            match after.get(path) {
                Some(found) => ensure!(found == mark, "{} was {mark:?} and is {found:?}", path.display()),
                None => bail!("{} is gone", path.display()),
            }
        }
        if let Some(path) = after.keys().find(|path| !self.before.contains_key(*path)) {
            bail!("{} is new", path.display());
        }
        let scratch: Vec<PathBuf> = files(&self.path("t"))?;
        ensure!(scratch.is_empty(), "left in the temporary folder: {scratch:?}");
        for path in LEFT_BEHIND {
            ensure!(!Path::new(path).exists(), "{path} was made");
        }
        ensure!(self.victim.try_wait()?.is_none(), "the canary process died");
        let status = fs::read_to_string(format!("/proc/{}/status", self.victim.id()))?;
        ensure!(!status.contains("State:\tT") && status.contains("TracerPid:\t0"), "the canary process is held");
        let begun = Instant::now();
        loop {
            let left = self.left(group, marker)?;
            if left.is_empty() {
                return Ok(());
            }
            ensure!(begun.elapsed() < GRACE, "still running: {left:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Processes that covenant started: by their group, their environment or their program.
    fn left(&self, group: u32, marker: &str) -> Result<Vec<String>> {
        let mut left = Vec::new();
        for entry in fs::read_dir("/proc")?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(number) = name.parse::<u32>() else { continue };
            if number == self.victim.id() || number == std::process::id() {
                continue;
            }
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            // Behind the name, which may have blanks: state, parent, group.
            let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
            let in_group = fields.get(2).is_some_and(|found| *found == group.to_string());
            let zombie = fields.first() == Some(&"Z");
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            let marked = environment.windows(marker.len()).any(|bytes| bytes == marker.as_bytes());
            let inside =
                |link: &str| fs::read_link(entry.path().join(link)).is_ok_and(|to| to.starts_with(self.root.path()));
            if !zombie && (in_group || marked || inside("exe") || inside("cwd")) {
                left.push(format!("{number} {}", stat.split(')').next().unwrap_or_default()));
            }
        }
        Ok(left)
    }
}

impl Drop for Canaries {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

/// All paths below a folder.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        all.push(entry.path());
        if entry.file_type()?.is_dir() {
            all.extend(files(&entry.path())?);
        }
    }
    Ok(all)
}

/// The command as somebody else, if that is wanted.
pub(crate) fn as_user(command: &mut Command, user: Option<u32>) -> &mut Command {
    use std::os::unix::process::CommandExt;
    match user {
        Some(user) => command.uid(user).gid(user),
        None => command,
    }
}
