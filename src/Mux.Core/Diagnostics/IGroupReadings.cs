namespace Mux.Diagnostics;

/// <summary>What the meters read of groups of one kind. Any thread.</summary>
internal interface IGroupReadings : INamedReadings
{
    long Calls { get; }

    long Delivered { get; }

    long Missed { get; }

    int Members { get; }

    int Groups { get; }
}
