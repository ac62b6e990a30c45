namespace Mux.Telemetry;

/// <summary>Something with a name of which the meters read numbers.</summary>
internal interface INamedReadings
{
    string Name { get; }
}
