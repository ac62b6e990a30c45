namespace Mux.Tool;

/// <summary>Ends the tool with one line for its user and an exit code.</summary>
/// <param name="exitCode">One of <see cref="ExitCode"/>.</param>
/// <param name="message">The problem, its place, and the allowed values.</param>
/// <param name="innerException">The cause, which is not printed.</param>
internal sealed class ToolException(int exitCode, string message, Exception? innerException = null) : Exception(message, innerException)
{
    public int ExitCode { get; } = exitCode;
}
