using Mux.ProtocolCases.Running;
using Mux.Tool.Serving;

namespace Mux.Tool.Checking;

/// <summary>What <c>mux spec</c> is asked to do.</summary>
internal sealed record SpecPlan
{
    public required MuxAddress Address { get; init; }

    /// <summary>The unary method that cases call, service/method.</summary>
    public required string Method { get; init; }

    /// <summary>Each case is sent in each of these.</summary>
    public required IReadOnlyList<SpecSplit> Splits { get; init; }

    /// <summary>A row of PROTOCOL.md or a part of a name; null for all cases.</summary>
    public string? Filter { get; init; }

    /// <summary>How long a case may take, each time it is sent.</summary>
    public required TimeSpan Timeout { get; init; }

    /// <summary>How to connect, which is the same as for a load.</summary>
    public LinkOptions Links { get; init; } = new();
}
