using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;

namespace Mux.Tool.Reporting.Results;

/// <summary>The result of <c>mux spec</c> for programs, schema mux.spec/1: README.md lists every field.</summary>
/// <param name="Schema">mux.spec/1.</param>
/// <param name="Address">Of the server, or where the tool listened.</param>
/// <param name="Role">What was tried: server or client.</param>
/// <param name="Interruption">Why not all cases were played; null if they were.</param>
/// <param name="Passed">How many cases were passed.</param>
/// <param name="Failed">How many failed.</param>
/// <param name="NotForThisPeer">How many need what the peer does not have.</param>
/// <param name="Cases">In the order in which they were played.</param>
internal sealed record SpecFile(
    string Schema, string Address, string Role, string? Interruption, int Passed, int Failed, int NotForThisPeer, IReadOnlyList<SpecCaseEntry> Cases)
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
        [.. report.Cases.Select(SpecCaseEntry.Of)]);
}
