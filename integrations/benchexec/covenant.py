# This file is part of Covenant.
# SPDX-License-Identifier: MIT OR Apache-2.0
"""The tool-info module by which BenchExec runs Covenant, as Test-Comp does.

To be put where BenchExec finds its modules (`benchexec/tools/covenant.py`), or named by its place:

    benchexec --tool-directory /opt/covenant/bin task-set.xml     with <benchmarkdef tool="covenant" ...>

The suite of a task is in `test-suite/` of the directory that the tool runs in: tests are written as they are found, so that a run
that is ended by a limit has all of them until then.
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """Covenant: a test or a proof for every branch of C code."""

    def name(self):
        return "Covenant"

    def executable(self, tool_locator):
        return tool_locator.find_executable("covenant", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, arg="--version", line_prefix="covenant")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "test-comp"]
        if task.property_file:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model and "--data-model" not in options:
            command += ["--data-model", model]
        limit = rlimits.cputime or rlimits.walltime
        if limit and "--timeout" not in options:
            # Nothing is lost at the limit, but a run that ends by itself also says what it found.
            command += ["--timeout", f"{max(1, limit - max(2, limit // 50))}s"]
        return command + options + [task.single_input_file]

    def determine_result(self, run):
        if run.was_timeout:
            return "TIMEOUT"
        if run.exit_code.value in (0, 1):
            return result.RESULT_DONE
        if run.exit_code.value == 3:
            return f"{result.RESULT_ERROR} (contradiction)"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """Numbers of the last line, by the word behind them: `covered`, `infeasible`, `open`, `tests`."""
        for line in reversed(list(output)):
            words = line.replace(",", " ").replace(";", " ").split()
            for number, word in zip(words, words[1:]):
                if word == identifier and number.isdigit():
                    return number
            if "goals covered" in line and identifier == "covered":
                return words[0]
        return None
