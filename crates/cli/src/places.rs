//! Places of the source on the command line: `--point FILE:LINE` and `-f FILE:NAME`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::args::GenArgs;

/// A place that is not there is a slip of the pen, and nothing that could be searched for.
pub(crate) fn check(args: &GenArgs) -> Result<()> {
    for (file, line) in &args.point {
        let named = args.source.files.iter().find(|path| path.ends_with(file));
        let path = named.cloned().unwrap_or_else(|| PathBuf::from(file));
        // A header may be anywhere.
        let Ok(text) = std::fs::read(&path) else { continue };
        let lines = String::from_utf8_lossy(&text).lines().count();
        if *line as usize > lines {
            bail!("--point {file}:{line}: {} has {lines} lines", path.display());
        }
    }
    if let Some((file, name)) = function(args.function.as_deref()).filter(|(file, _)| !file.is_empty())
        && !args.source.files.iter().any(|path| path.ends_with(file))
    {
        let files: Vec<String> = args.source.files.iter().map(|path| path.display().to_string()).collect();
        bail!("-f {file}:{name}: there is no {file} among {}", files.join(", "));
    }
    Ok(())
}

/// The file, if one is named, and the name of `-f`.
pub(crate) fn function(text: Option<&str>) -> Option<(&str, &str)> {
    let text = text?;
    Some(text.rsplit_once(':').unwrap_or(("", text)))
}

/// The files with the one first that has the function: what several files define under one name is taken from the first.
pub(crate) fn in_order(files: &[PathBuf], file: &str) -> Vec<PathBuf> {
    let mut all = files.to_vec();
    if !file.is_empty() {
        all.sort_by_key(|path| !Path::new(path).ends_with(file));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_a_file() {
        assert_eq!(function(Some("src/a.c:f")), Some(("src/a.c", "f")));
        assert_eq!(function(Some("f")), Some(("", "f")));
        assert_eq!(function(None), None);
        let files = ["a.c", "src/b.c", "c.c"].map(PathBuf::from);
        assert_eq!(in_order(&files, "b.c"), ["src/b.c", "a.c", "c.c"].map(PathBuf::from));
        assert_eq!(in_order(&files, ""), files);
    }
}
