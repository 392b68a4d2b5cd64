//! Which files there are behind the fence: what a dynamically linked program reads, and one directory to write in.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, Scope,
};

use crate::{Error, Spec, private_directory};

/// Where the dynamic linker looks.
const LIBRARIES: &[&str] =
    &["/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32", "/usr/local/lib"];
const LINKER_FILES: &[&str] = &["/etc/ld.so.cache", "/etc/ld.so.preload"];
/// Programs that the kernel starts for a dynamically linked one.
const LINKERS: &[&str] = &["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux.so.2", "/lib/ld-linux-aarch64.so.1"];
/// Devices that are the same for everybody and remember nothing.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// A path of the outside that is there at the same place inside.
#[derive(Debug)]
pub(crate) struct Mount {
    pub(crate) source: CString,
    pub(crate) target: CString,
    pub(crate) writable: bool,
    /// Devices and files with the set-user-id bit mean nothing there.
    pub(crate) device: bool,
}

/// A root directory that holds nothing but places to mount things at.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) directory: CString,
    pub(crate) proc: CString,
    /// Where the private directory is: a file system in memory, of limited size.
    pub(crate) private: CString,
    pub(crate) mounts: Vec<Mount>,
}

fn problem(path: &Path) -> impl FnOnce(std::io::Error) -> Error + '_ {
    move |source| Error::Directory { path: path.to_path_buf(), source }
}

pub(crate) fn c_path(path: &Path) -> Result<CString, Error> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| Error::SetUp(format!("{} has a zero byte", path.display())))
}

/// Makes the private directory; `owner` is who runs there, if not the caller.
pub(crate) fn prepare(spec: &Spec<'_>, owner: Option<u32>) -> Result<PathBuf, Error> {
    let scratch = spec.scratch;
    let work = private_directory(scratch);
    std::fs::create_dir_all(&work).map_err(problem(&work))?;
    if let Some(owner) = owner {
        std::fs::set_permissions(scratch, std::fs::Permissions::from_mode(0o755)).map_err(problem(scratch))?;
        for above in [scratch.parent(), spec.program.parent()].into_iter().flatten() {
            open_passage(above);
        }
        // It was built with the caller's mask, which may keep others out. A device is what it is.
        for file in spec.readable.iter().map(PathBuf::as_path).chain([spec.program]) {
            open_file(file).map_err(problem(file))?;
        }
        std::fs::set_permissions(&work, std::fs::Permissions::from_mode(0o777)).map_err(problem(&work))?;
        std::os::unix::fs::chown(&work, Some(owner), Some(owner)).map_err(problem(&work))?;
    }
    Ok(work)
}

/// A file that was built here must be for others to read and start; the system's are already.
fn open_file(file: &Path) -> std::io::Result<()> {
    const ALL: u32 = 0o555;
    let mode = match std::fs::metadata(file) {
        Ok(meta) if meta.is_file() => meta.permissions().mode(),
        _ => return Ok(()),
    };
    if mode & ALL == ALL { Ok(()) } else { std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)) }
}

/// Temporary directories are for their owner alone; whoever runs behind the fence must get through. Others are left as they are.
fn open_passage(directory: &Path) {
    let temporary = std::env::temp_dir();
    if directory.starts_with(&temporary) && directory != temporary {
        let mode = std::fs::metadata(directory).map(|meta| meta.permissions().mode() | 0o011);
        let _ = mode.and_then(|mode| std::fs::set_permissions(directory, std::fs::Permissions::from_mode(mode)));
    }
}

/// Existing paths that may be read, each with whether it may be executed.
fn readable(spec: &Spec<'_>) -> Vec<(PathBuf, bool)> {
    let fixed = LIBRARIES.iter().chain(LINKER_FILES).map(|path| (PathBuf::from(path), false));
    let own = spec.readable.iter().map(|path| (path.clone(), false));
    let program = std::path::absolute(spec.program).unwrap_or_else(|_| spec.program.to_path_buf());
    fixed.chain(own).chain([(program, true)]).filter(|(path, _)| path.exists()).collect()
}

/// The directories and files to mount at are made here, because nothing may allocate between fork and exec.
pub(crate) fn root(spec: &Spec<'_>, work: &Path) -> Result<Root, Error> {
    let root = spec.scratch.join("root");
    let below = |path: &Path| root.join(path.strip_prefix("/").unwrap_or(path));
    let mut mounts = Vec::new();
    let mut add = |path: &Path, writable: bool, device: bool| -> Result<(), Error> {
        let target = below(path);
        if path.is_dir() {
            std::fs::create_dir_all(&target).map_err(problem(&target))?;
        } else {
            let folder = target.parent().unwrap_or(&root);
            std::fs::create_dir_all(folder).map_err(problem(folder))?;
            if !target.exists() {
                std::fs::write(&target, b"").map_err(problem(&target))?;
            }
        }
        mounts.push(Mount { source: c_path(path)?, target: c_path(&target)?, writable, device });
        Ok(())
    };
    let mut seen: Vec<PathBuf> = Vec::new();
    for (path, _) in readable(spec) {
        // /lib is a link to /usr/lib on most systems: what is mounted first must not be hidden by what comes later.
        let path = std::path::absolute(&path).unwrap_or(path);
        if !seen.iter().any(|s| path.starts_with(s)) {
            add(&path, false, false)?;
            seen.push(path);
        }
    }
    for device in DEVICES.iter().map(Path::new).filter(|path| path.exists()) {
        add(device, true, true)?;
    }
    let proc = root.join("proc");
    std::fs::create_dir_all(&proc).map_err(problem(&proc))?;
    let private = below(work);
    std::fs::create_dir_all(&private).map_err(problem(&private))?;
    Ok(Root { directory: c_path(&root)?, proc: c_path(&proc)?, private: c_path(&private)?, mounts })
}

/// The rules are made outside; the process itself puts them on.
pub(crate) fn rules(spec: &Spec<'_>, work: &Path) -> Result<RulesetCreated, Error> {
    let failed = |e: &dyn std::fmt::Display| Error::SetUp(format!("Landlock: {e}"));
    // What a kernel does not know is left out, and what it knows is in force.
    let abi = ABI::V6;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(abi)))
        .and_then(|rules| rules.scope(Scope::from_all(abi)))
        .and_then(Ruleset::create)
        .map_err(|e| failed(&e))?;
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let mut allowed: Vec<(PathBuf, landlock::BitFlags<AccessFs>)> = Vec::new();
    for (path, program) in readable(spec) {
        allowed.push((path, if program { read | AccessFs::Execute } else { read }));
    }
    allowed.extend(LINKERS.iter().map(|path| (PathBuf::from(path), read | AccessFs::Execute)));
    allowed.extend(DEVICES.iter().map(|path| (PathBuf::from(path), read | AccessFs::WriteFile)));
    // In a root of its own there is nothing that may not be read. A place that something is mounted at does not count, so
    // the rules are for the directories above.
    let root = spec.scratch.join("root");
    allowed.extend([PathBuf::from("/proc"), root.clone()].map(|path| (path, read)));
    let special =
        AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev | AccessFs::MakeSock | AccessFs::Execute;
    let above = root.join(work.strip_prefix("/").unwrap_or(work)).parent().map(Path::to_path_buf).unwrap_or(root);
    allowed.extend([work.to_path_buf(), above].map(|path| (path, AccessFs::from_all(abi) & !special)));
    for (path, access) in allowed.into_iter().filter(|(path, _)| path.exists()) {
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(abi) };
        let place = PathFd::new(&path).map_err(|e| failed(&e))?;
        rules = rules.add_rule(PathBeneath::new(place, access)).map_err(|e| failed(&e))?;
    }
    Ok(rules)
}
