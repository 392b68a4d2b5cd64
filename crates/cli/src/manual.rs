//! `covenant man` and `covenant completions`: both are made from the options themselves.

use std::io::Write;

use anyhow::{Context, Result, bail};
use clap::CommandFactory;

use crate::args::{Arguments, CompletionArgs, ManArgs};

pub(crate) fn man(args: &ManArgs) -> Result<u8> {
    let mut command = Arguments::command();
    command.build();
    let page = match &args.command {
        None => command,
        Some(name) => match command.find_subcommand(name) {
            // The page is found as `man covenant-gen`.
            Some(found) => found.clone().name(format!("covenant-{name}").leak() as &'static str),
            None => bail!("there is no command `{name}`"),
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).context("the page cannot be made")?;
    std::io::stdout().write_all(&text)?;
    Ok(0)
}

pub(crate) fn completions(args: &CompletionArgs) -> Result<u8> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "covenant", &mut text);
    std::io::stdout().write_all(&text)?;
    Ok(0)
}
