using Mux.Tool.Commands;
using Mux.Tool.Load;
using Mux.Tool.Serving;

namespace Mux.Tool.Reporting.Results;

/// <param name="Client">The calling process.</param>
/// <param name="Server">The answering process; null if it does not report it.</param>
/// <param name="Date">Start of the command; null in results of earlier versions.</param>
/// <param name="Command">Command line, without the values of metadata; null in results of earlier versions.</param>
/// <param name="CongestionNote">Why the connections do not have the default congestion control; null if they have, or another one was chosen.</param>
internal sealed record EnvironmentSection(
    ProcessEnvironment Client, ProcessEnvironment? Server, DateTimeOffset? Date = null, string? Command = null, string? CongestionNote = null)
{
    public static EnvironmentSection Of(BenchOutcome outcome) => new(
        outcome.ClientEnvironment, outcome.ServerEnvironment, Invocation.StartedAt, Invocation.CommandLine, outcome.Configuration.Links.CongestionNote);
}
