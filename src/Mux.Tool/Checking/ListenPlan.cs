using Mux.ProtocolCases.Running;
using Mux.Tool.Serving;

namespace Mux.Tool.Checking;

/// <summary>What <c>mux spec --listen</c> is asked to do.</summary>
internal sealed record ListenPlan
{
    /// <summary>Where to listen.</summary>
    public required MuxAddress Address { get; init; }

    /// <summary>Each input is sent in each of these.</summary>
    public required IReadOnlyList<SpecSplit> Splits { get; init; }

    /// <summary>A row of PROTOCOL.md or a part of a name; null for all cases.</summary>
    public string? Filter { get; init; }

    /// <summary>How long a case may take, each time it is played, and how soon the client has to come back.</summary>
    public required TimeSpan Timeout { get; init; }

    /// <summary>How long a case may take in which the client has to notice that nothing comes.</summary>
    public required TimeSpan Stall { get; init; }

    /// <summary>How long to wait for a client that is to be started.</summary>
    public required TimeSpan Wait { get; init; }

    /// <summary>The time by which the client comes in time.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>How to listen.</summary>
    public LinkOptions Links { get; init; } = new();
}
