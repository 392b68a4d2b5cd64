//! Objects that are the same in every build: those of the suite's own files, by what they are made of. Within a run of Covenant nothing
//! of it is compiled twice, and from run to run they are kept among the user's caches.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use sha2::{Digest, Sha256};

/// By the digest of what they are made of.
type Objects = HashMap<[u8; 32], Arc<Vec<u8>>>;

static OBJECTS: LazyLock<Mutex<Objects>> = LazyLock::new(Mutex::default);

/// A digest that begins with the compiler: another one makes other objects.
pub(super) fn digest(clang: &Path) -> Sha256 {
    let mut hash = Sha256::new();
    hash.update(clang.as_os_str().as_encoded_bytes());
    let about = find(clang).and_then(|path| path.metadata().ok());
    if let Some(about) = about {
        hash.update(format!("\0{} {:?}\0", about.len(), about.modified().ok()));
    }
    hash
}

/// The file of a program.
pub(super) fn find(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return Some(program.to_path_buf());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

pub(super) fn load(key: [u8; 32]) -> Option<Arc<Vec<u8>>> {
    let known = OBJECTS.lock().ok().and_then(|objects| objects.get(&key).cloned());
    known.or_else(|| {
        let bytes = std::fs::read(file(key)?).ok()?;
        // What was cut off is made again.
        let (content, sum) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
        (Sha256::digest(content).as_slice() == sum).then(|| remember(key, content.to_vec()))
    })
}

/// Keeps an object; `always`: for later runs, too. That it cannot be kept for them costs nothing but time.
pub(super) fn store(key: [u8; 32], object: Vec<u8>, always: bool) {
    let keep = || -> Option<()> {
        let place = file(key)?;
        let folder = place.parent()?;
        std::fs::create_dir_all(folder).ok()?;
        let mut new = tempfile::NamedTempFile::new_in(folder).ok()?;
        new.write_all(&object).and_then(|()| new.write_all(&Sha256::digest(&object))).ok()?;
        new.persist(place).ok()?;
        Some(())
    };
    if always {
        keep();
    }
    remember(key, object);
}

fn remember(key: [u8; 32], object: Vec<u8>) -> Arc<Vec<u8>> {
    let object = Arc::new(object);
    if let Ok(mut objects) = OBJECTS.lock() {
        objects.insert(key, Arc::clone(&object));
    }
    object
}

/// Where an object is kept, if there is a place for caches.
fn file(key: [u8; 32]) -> Option<PathBuf> {
    let absolute = |path: PathBuf| path.is_absolute().then_some(path);
    let own = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).and_then(absolute);
    let home = || Some(std::env::var_os("HOME").map(PathBuf::from).and_then(absolute)?.join(".cache"));
    let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(own.or_else(home)?.join("covenant/objects").join(format!("{name}.o")))
}
