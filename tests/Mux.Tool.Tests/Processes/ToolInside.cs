using System.Text;
using Mux.TestSupport.Transports;
using Mux.Tool.Commands;
using Mux.Tool.Contracts;

namespace Mux.Tool.Tests.Processes;

/// <summary>
/// The tool without a process of its own, which takes ten times as long to start as a command line that is wrong takes to be told: for all tests that are about what it does and prints, and
/// not about the process, its signals or the server that it starts.
/// </summary>
internal static class ToolInside
{
    /// <summary>The engine is chosen for the process, and what a command prints goes to the console of the process: one at a time.</summary>
    private static readonly SemaphoreSlim s_turn = new(1, 1);

    public static Task<ToolResult> RunAsync(params string[] arguments) => RunWithInputAsync("", arguments);

    /// <param name="input">The standard input.</param>
    /// <param name="arguments">The command line.</param>
    public static Task<ToolResult> RunWithInputAsync(string input, params string[] arguments) =>
        RunWithInputAsync(new MemoryStream(Encoding.UTF8.GetBytes(input)), arguments);

    /// <inheritdoc cref="RunWithInputAsync(string, string[])"/>
    public static async Task<ToolResult> RunWithInputAsync(Stream input, params string[] arguments)
    {
        using StringWriter output = new(), errors = new();
        await s_turn.WaitAsync(TestContext.Current.CancellationToken);
        var (source, consoleOutput, consoleErrors) = (StandardInput.Source, Console.Out, Console.Error);
        try
        {
            StandardInput.Source = () => input;
            Console.SetOut(output);
            Console.SetError(errors);
            int exitCode = await CommandLine.RunAsync(arguments, Console.Out, Console.Error).Within($"the end of 'mux {string.Join(' ', arguments)}'");
            return new ToolResult(exitCode, ToolProcess.Lines(output.ToString()), ToolProcess.Lines(errors.ToString()));
        }
        finally
        {
            StandardInput.Source = source;
            Console.SetOut(consoleOutput);
            Console.SetError(consoleErrors);
            s_turn.Release();
        }
    }
}
