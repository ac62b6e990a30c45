namespace Mux.Telemetry;

/// <summary>What the meters read of a backplane. Any thread.</summary>
internal interface IBackplaneReadings
{
    string Name { get; }

    long Published { get; }

    long Received { get; }

    long Refused { get; }

    long Skipped { get; }

    int Queued { get; }

    bool IsInterrupted { get; }
}
