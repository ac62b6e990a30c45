using Mux.ProtocolCases.Running;
using Mux.Tool.Serving;

namespace Mux.Tool.Checking;

/// <summary>Parameters of <c>mux spec --listen</c>.</summary>
internal sealed record ListenPlan
{
    /// <summary>Address to listen at.</summary>
    public required MuxAddress Address { get; init; }

    /// <summary>Splits in which each input is sent.</summary>
    public required IReadOnlyList<SpecSplit> Splits { get; init; }

    /// <summary>A row of PROTOCOL.md or a part of a name; null for all cases.</summary>
    public string? Filter { get; init; }

    /// <summary>Time limit of a case each time it is played, and for the client's return.</summary>
    public required TimeSpan Timeout { get; init; }

    /// <summary>Time limit of a case in which the client must notice that nothing arrives.</summary>
    public required TimeSpan Stall { get; init; }

    /// <summary>Time to wait for a client that is yet to be started.</summary>
    public required TimeSpan Wait { get; init; }

    /// <summary>Clock for the client's return.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Options of the connections.</summary>
    public LinkOptions Links { get; init; } = new();
}
