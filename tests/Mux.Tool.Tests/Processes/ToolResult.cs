namespace Mux.Tool.Tests.Processes;

/// <summary>How a run of the tool ended.</summary>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Output">The lines of its standard output.</param>
/// <param name="Errors">The lines of its standard error stream.</param>
internal sealed record ToolResult(int ExitCode, string[] Output, string[] Errors)
{
    /// <summary>For messages of failed assertions.</summary>
    public override string ToString() => $"exit code {ExitCode}\n{string.Join('\n', Output)}\n{string.Join('\n', Errors)}";
}
