using Mux.TestSupport.Transports;
using Mux.Tool.Commands;

namespace Mux.Tool.Tests.Processes;

/// <summary>The tool without a process of its own, for command lines that are told to be wrong or ask for help: of the others the console is the process's, and the engine too.</summary>
internal static class ToolInside
{
    public static async Task<ToolResult> RunAsync(params string[] arguments)
    {
        using StringWriter output = new(), errors = new();
        int exitCode = await CommandLine.RunAsync(arguments, output, errors).Within($"the end of 'mux {string.Join(' ', arguments)}'");
        return new ToolResult(exitCode, ToolProcess.Lines(output.ToString()), ToolProcess.Lines(errors.ToString()));
    }
}
