using Mux.Tool.Commands;
using Mux.Tool.Pinging;

namespace Mux.Tool.Reporting.Results;

/// <summary>The result of <c>mux ping</c> for programs, schema mux.ping/1: README.md lists every field.</summary>
/// <param name="Schema">mux.ping/1.</param>
/// <param name="Target">The address.</param>
/// <param name="Endpoints">Its endpoints.</param>
/// <param name="Date">Start of the command.</param>
/// <param name="Command">Command line.</param>
internal sealed record PingFile(string Schema, string Target, IReadOnlyList<PingEntry> Endpoints, DateTimeOffset Date, string Command)
{
    public const string CurrentSchema = "mux.ping/1";

    public static PingFile Of(PingOutcome outcome) => new(
        CurrentSchema, outcome.Target.Text, [.. outcome.Endpoints.Select(PingEntry.Of)], Invocation.StartedAt, Invocation.CommandLine);
}
