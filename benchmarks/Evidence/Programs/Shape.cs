using System.Globalization;

namespace Evidence.Programs;

/// <summary>A closed loop.</summary>
/// <param name="Connections">TCP connections.</param>
/// <param name="InFlight">Calls open at a time on each.</param>
internal sealed record Shape(int Connections, int InFlight)
{
    /// <summary>For the command line of the tool.</summary>
    public string[] Arguments { get; } = ["--connections", Connections.ToString(CultureInfo.InvariantCulture), "--in-flight", InFlight.ToString(CultureInfo.InvariantCulture)];

    public override string ToString() => $"{Connections}x{InFlight}";
}
