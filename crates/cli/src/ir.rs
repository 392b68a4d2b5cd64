//! `covenant ir`

use anyhow::{Result, bail};
use covenant_program::ir::Origin;

use crate::args::IrArgs;
use crate::diagnose;
use crate::request::sources;

pub(crate) fn print(args: &IrArgs) -> Result<u8> {
    let program = sources(&args.source, &[]).program(!args.no_promote, &mut diagnose::warning)?;
    if let Some(name) = &args.function {
        let Some(id) = program.function(name) else { bail!("there is no function `{name}`") };
        anstream::println!("{}", program.functions[id]);
    } else if args.library {
        anstream::println!("{program}");
    } else {
        for (_, function) in program.functions.iter().filter(|(_, f)| f.origin == Origin::Subject && f.body.is_some()) {
            anstream::println!("{function}");
        }
    }
    Ok(0)
}
