namespace Mux.Telemetry;

/// <summary>What the meters read of groups of one kind. Any thread.</summary>
internal interface IGroupReadings : INamedReadings
{
    long Calls { get; }

    long Delivered { get; }

    /// <summary>Calls that wait for members.</summary>
    int Queued { get; }

    long QueuedBytes { get; }

    int Members { get; }

    int Groups { get; }

    long MissedFor(MuxMissReason reason);
}
