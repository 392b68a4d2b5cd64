//! Calls, structs passed by value, and inline assembly.

use super::function::{FunctionLowering, Vals};
use super::llvm::{Linkage, Val};
use super::symbols::Address;
use crate::ir::{CallData, Callee, Const, Intrinsic, Op, Type, Value, VarArg};

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn call(&mut self, v: Val<'m>) -> Result<Vals, String> {
        let callee = v.callee().ok_or("a call of nothing")?;
        if let Some((template, constraints)) = callee.inline_asm() {
            return self.assembly(v, &template, &constraints);
        }
        if callee.is_function()
            && let Some(name) = self.cx.intrinsic(callee)
        {
            return self.intrinsic(v, &name);
        }
        let signature = v.callee_type().ok_or("a call without type")?;
        let fixed = signature.parameters().len();
        let variadic = signature.is_variadic();
        let mut args = Vec::new();
        let mut by_value = Vec::new();
        for position in 0..v.call_argument_count() {
            if let Some(passed) = self.struct_argument(v, position)? {
                by_value.push(VarArg { arg: args.len() as u32, ..passed.0 });
                args.push(passed.1);
                continue;
            }
            let argument = v.operand(position).ok_or("a missing argument")?;
            let values = self.operand(argument)?;
            if variadic && position as usize >= fixed && argument.ty().is_vector() {
                args.extend(self.in_one_register(&values)?);
            } else {
                args.extend(values);
            }
        }
        let callee = self.callee(callee)?;
        let types: Vec<Type> = self.cx.types.flat(v.ty()).usable()?.types().collect();
        let mut call = CallData { callee, args, variadic, by_value };
        self.check_fit(&mut call, &types);
        Ok(self.emit(Op::Call(Box::new(call)), &types))
    }

    /// Notes a function of this file whose call cannot be lowered: who looks for its callers must see this one, too.
    pub(super) fn mention_callee(&mut self, v: Val<'m>) {
        let own = v.callee().filter(|f| f.is_function() && f.linkage() == Linkage::LLVMInternalLinkage);
        if let Some(Address::Func(id)) = own.map(|function| self.cx.address(function)) {
            self.address_constant(Const::Func(id));
        }
    }

    fn callee(&mut self, callee: Val<'m>) -> Result<Callee, String> {
        if callee.is_global()
            && let Address::Func(id) = self.cx.address(callee)
        {
            return Ok(Callee::Direct(id));
        }
        match self.operand(callee)?[..] {
            [pointer] => match self.body.constant(pointer) {
                Some(Const::Func(id)) => Ok(Callee::Direct(id)),
                _ => Ok(Callee::Indirect(pointer)),
            },
            _ => Err("a call of several values".to_owned()),
        }
    }

    /// A direct call passes what its callee takes. C can be made to say otherwise, with a wrong declaration or a cast;
    /// then the call goes through the function's address, and execution decides what happens.
    fn check_fit(&mut self, call: &mut CallData, returns: &[Type]) {
        let Callee::Direct(id) = call.callee else { return };
        if call.variadic || !self.cx.is_defined(id) {
            return;
        }
        let callee = &self.cx.program.functions[id];
        let args = call.args.iter().map(|&a| self.body.ty(a));
        if callee.variadic || callee.returns != returns || !args.eq(callee.params.iter().copied()) {
            call.callee = Callee::Indirect(self.address_constant(Const::Func(id)));
        }
    }

    /// A struct passed by value: a copy that belongs to the callee.
    fn struct_argument(&mut self, v: Val<'m>, position: u32) -> Result<Option<(VarArg, Value)>, String> {
        let kinds = self.cx.attributes;
        if v.is_passed_oddly(position, kinds) {
            return Err("an argument passed in the caller's stack".to_owned());
        }
        let Some((ty, align)) = v.by_value(position, kinds) else { return Ok(None) };
        let size = self.cx.types.size_of(ty);
        let align = if align == 0 { self.cx.types.align_of(ty) } else { align };
        let from = self.operand_at(v, position)?;
        let to = self.temporary(size, align);
        let bytes = self.number(Type::I64, u128::from(size));
        self.emit(Op::Intrinsic { op: Intrinsic::MemCpy, args: vec![to, from, bytes] }, &[]);
        Ok(Some((VarArg { arg: 0, size, align }, to)))
    }

    /// Empty assembly is a barrier for the compiler: it does nothing, and an output that is tied to an input has its
    /// value. All other assembly is unsupported.
    fn assembly(&mut self, v: Val<'m>, template: &str, constraints: &str) -> Result<Vals, String> {
        let first = template.lines().map(str::trim).find(|line| !line.is_empty());
        if let Some(first) = first {
            return Err(format!("assembly `{first}`"));
        }
        let opaque = || "assembly with an output".to_owned();
        let constraints = constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with('~'));
        let (outputs, inputs): (Vec<&str>, Vec<&str>) = constraints.partition(|c| c.starts_with('='));
        // Indirect outputs are pointers among the arguments, in front of the inputs.
        let indirect = outputs.iter().filter(|o| o.contains('*')).count();
        let mut results = Vals::new();
        for (number, output) in outputs.iter().enumerate().filter(|(_, o)| !o.contains('*')) {
            // The same register by its name is the same, too.
            let register = output.trim_start_matches(['=', '&']);
            let is_named = |input: &str| register.starts_with('{') && input == register;
            let tied = inputs.iter().position(|input| input.parse() == Ok(number) || is_named(input));
            let tied = tied.ok_or_else(opaque)?;
            let argument = v.operand((indirect + tied) as u32).ok_or_else(opaque)?;
            results.extend(self.operand(argument)?);
        }
        let types: Vec<Type> = self.cx.types.flat(v.ty()).usable()?.types().collect();
        let found: Vec<Type> = results.iter().map(|&r| self.body.ty(r)).collect();
        if types == found { Ok(results) } else { Err(opaque()) }
    }
}
