using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;
using Mux.Tool.Commands;

namespace Mux.Tool.Reporting.Results;

/// <summary>The result of <c>mux spec</c> for programs, schema mux.spec/1: README.md lists every field.</summary>
/// <param name="Schema">mux.spec/1.</param>
/// <param name="Address">Address of the server, or the address that the tool listened at.</param>
/// <param name="Role">Role of the peer: server or client.</param>
/// <param name="Interruption">Reason why not all cases were played; null if they were.</param>
/// <param name="Passed">Number of passed cases.</param>
/// <param name="Failed">Number of failed cases.</param>
/// <param name="NotForThisPeer">Number of cases that need something that the peer lacks.</param>
/// <param name="Cases">Cases in the order in which they were played.</param>
/// <param name="Date">Start of the command.</param>
/// <param name="Command">Command line.</param>
internal sealed record SpecFile(
    string Schema, string Address, string Role, string? Interruption, int Passed, int Failed, int NotForThisPeer, IReadOnlyList<SpecCaseEntry> Cases,
    DateTimeOffset Date, string Command)
{
    public const string CurrentSchema = "mux.spec/1";

    public static SpecFile Of(SpecReport report) => new(
        CurrentSchema,
        report.Address.ToString(),
        report.Role,
        report.Interruption,
        report.Count(SpecVerdict.Passed),
        report.Count(SpecVerdict.Failed),
        report.Count(SpecVerdict.Skipped),
        [.. report.Cases.Select(SpecCaseEntry.Of)],
        Invocation.StartedAt,
        Invocation.CommandLine);
}
