//! `covenant ir`

use anyhow::{Result, bail};
use covenant_program::ir::Origin;

use crate::args::IrArgs;
use crate::front_end;

pub(crate) fn print(args: &IrArgs) -> Result<u8> {
    let program = front_end::load(&args.source, !args.no_promote)?;
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
