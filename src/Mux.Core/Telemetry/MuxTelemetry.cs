using System.Reflection;
using Mux.Telemetry;

namespace Mux.Diagnostics;

/// <summary>
/// Names of the meters and of the activity source of Mux, for those who listen to them. With OpenTelemetry:
/// <c>AddMeter(MuxTelemetry.Meters)</c> and <c>AddSource(MuxTelemetry.Sources)</c>. The names do not change. Safe for concurrent use.
/// </summary>
/// <remarks>Instruments and attributes follow OpenTelemetry's semantic conventions for RPC, version 1.45.</remarks>
public static class MuxTelemetry
{
    /// <summary>Name of the activity source: one span per call at each side.</summary>
    public const string Source = "Mux";

    /// <summary>Name of the meter with the instruments of servers, such as <c>rpc.server.call.duration</c>.</summary>
    public const string ServerMeter = MetricNames.ServerMeter;

    /// <summary>Name of the meter with the instruments of channels, such as <c>rpc.client.call.duration</c>.</summary>
    public const string ClientMeter = MetricNames.ClientMeter;

    /// <summary>Name of the meter with the instruments of connections and threads, whichever side they serve.</summary>
    public const string TransportMeter = MetricNames.TransportMeter;

    /// <summary>Gets the names of all activity sources, in a new array.</summary>
    public static string[] Sources => [Source];

    /// <summary>Gets the names of all meters, in a new array.</summary>
    public static string[] Meters => [ServerMeter, ClientMeter, TransportMeter];

    /// <summary>
    /// Version of source and meters: that of the package. What follows a plus sign, usually a commit, is left out: each build would be a scope of its own.
    /// </summary>
    internal static string Version { get; } =
        typeof(MuxTelemetry).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? string.Empty;
}
