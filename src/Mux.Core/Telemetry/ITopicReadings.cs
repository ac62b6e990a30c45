namespace Mux.Telemetry;

/// <summary>What the meters read of topics of one kind. Any thread.</summary>
internal interface ITopicReadings : INamedReadings
{
    long Published { get; }

    long Delivered { get; }

    long Missed { get; }

    int Subscribers { get; }

    long KeptBytes { get; }
}
