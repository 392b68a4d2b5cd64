//! What people are told of a session before it begins.

use crate::session::Session;

impl Session {
    /// What is not known of the code, though it was asked for.
    pub fn unknown(&self) -> Vec<String> {
        let told = |file: &std::path::Path| {
            let name = self.subject().name(file);
            format!("clang's syntax tree of {name} is not used, since it is too deep or clang gives none")
        };
        self.loaded.trees.unread().map(|source| told(&source.file)).collect()
    }
}
