using Mux.ProtocolCases.Running;
using Mux.Tool.Serving;

namespace Mux.Tool.Checking;

/// <summary>Parameters of <c>mux spec</c>.</summary>
internal sealed record SpecPlan
{
    public required MuxAddress Address { get; init; }

    /// <summary>The unary method that cases call, service/method.</summary>
    public required string Method { get; init; }

    /// <summary>Splits in which each case is sent.</summary>
    public required IReadOnlyList<SpecSplit> Splits { get; init; }

    /// <summary>A row of PROTOCOL.md or a part of a name; null for all cases.</summary>
    public string? Filter { get; init; }

    /// <summary>Time limit of a case, each time it is sent.</summary>
    public required TimeSpan Timeout { get; init; }

    /// <summary>Options of the connections, the same as for a load.</summary>
    public LinkOptions Links { get; init; } = new();
}
