using System.CommandLine;
using Mux.Tool.Reporting;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary>Runs one command line.</summary>
internal static class CommandLine
{
    /// <param name="arguments">Arguments of the process.</param>
    /// <param name="output">Receives help texts; running commands print to the console.</param>
    /// <param name="errors">Receives errors, in one line.</param>
    /// <returns>The exit code.</returns>
    public static async Task<int> RunAsync(string[] arguments, TextWriter output, TextWriter errors)
    {
        Invocation.Begin(arguments);
        var parsed = MuxCommand.Create().Parse(arguments, MuxCommand.Parsing);
        var name = HelpText.PathOf(parsed.CommandResult.Command);
        if (parsed.Errors is [var error, ..])
        {
            // Errors that follow from it are not reported.
            if ((UnquotedMetadata.Describe(parsed) ?? UnknownName.Describe(parsed)) is { } cause)
            {
                return Fail(ExitCode.Usage, cause);
            }

            if (MissingValue.Describe(parsed) is { } missing)
            {
                return Fail(ExitCode.Usage, $"{missing} '{name} --help' lists what is allowed.");
            }

            var hint = error.Message.Contains("expected", StringComparison.Ordinal) ? ""
                : $" '{name} --help' lists what is allowed.";
            return Fail(ExitCode.Usage, $"{error.Message}{hint}");
        }

        try
        {
            EngineChoice.Choose(parsed);
            var invocation = new InvocationConfiguration
            {
                EnableDefaultExceptionHandler = false,
                ProcessTerminationTimeout = null,
                Output = output,
                Error = errors,
            };
            return await parsed.InvokeAsync(invocation).ConfigureAwait(false);
        }
        catch (ToolException failure)
        {
            return Fail(failure.ExitCode, PrintableText.Of(FlagNames.In(failure.Message))); // which may quote a peer
        }
        catch (OperationCanceledException)
        {
            return Fail(ExitCode.Interrupted, "Interrupted before the load began.");
        }
        catch (Exception unwritten) when (ClosedOutput.CauseOf(unwritten) is not null)
        {
            return Fail(ExitCode.Usage, $"The standard output cannot be written: {ClosedOutput.CauseOf(unwritten)}");
        }
        catch (Exception defect)
        {
            return Fail(ExitCode.Internal, $"Internal error of this tool: {defect}");
        }

        int Fail(int exitCode, string message)
        {
            // No user asked for it, none is told.
            if (exitCode == ExitCode.Interrupted && ClosedOutput.Token.IsCancellationRequested) return exitCode;
            errors.WriteLine($"{name}: {PrintableText.OfLines(message)}");
            return exitCode;
        }
    }
}
