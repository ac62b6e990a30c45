using static Mux.Tests.Diagnostics.ConventionLevel;

namespace Mux.Tests.Diagnostics;

/// <summary>
/// The tables of OpenTelemetry's semantic conventions for RPC, version 1.45, the first that is stable, and what Mux adds. The status codes and which of them are
/// errors are those of the convention for gRPC.
/// </summary>
/// <remarks>
/// Decided where the text leaves a choice: <list type="bullet">
/// <item><description><c>server.address</c> and <c>server.port</c> at a server are the address that the client used. A request of Mux does not say which, and
/// the convention forbids to take that of the connection instead; so spans (recommended when available) and durations (opt-in) of a server have
/// neither. The counters <c>mux.server.*</c> are no part of the convention and carry the address that the server listens at.</description></item>
/// <item><description>Methods that the server does not have are <c>_OTHER</c>, in spans with <c>rpc.method_original</c>. At the client every method is known:
/// proxies call nothing else.</description></item>
/// <item><description>The buckets are the convention's and six finer ones below: calls take microseconds.</description></item>
/// <item><description><c>client.address</c> left the convention with version 1.41; general dashboards read it, so it is there beside
/// <c>network.peer.address</c>, without the port.</description></item>
/// </list>
/// </remarks>
internal static class Convention
{
    /// <summary>The buckets of both durations, in seconds.</summary>
    public static readonly double[] Buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

    /// <summary>Attributes that samplers need, so they are there when the span is made.</summary>
    public static readonly string[] AtCreation = ["rpc.method", "rpc.system.name", "server.address", "server.port"];

    public static readonly ConventionRow[] ClientSpan =
    [
        new("rpc.system.name", Required, typeof(string)),
        new("error.type", ConditionallyRequired, typeof(string), static call => call.IsError),
        new("rpc.method", ConditionallyRequired, typeof(string), static _ => true),
        new("rpc.method_original", ConditionallyRequired, typeof(string), static _ => false),
        new("rpc.status_code", ConditionallyRequired, typeof(string), static _ => true),
        new("server.address", ConditionallyRequired, typeof(string), static _ => true),
        new("server.port", ConditionallyRequired, typeof(int), static call => call.HasPorts),
        new("network.peer.address", Recommended, typeof(string), static _ => true),
        new("network.peer.port", Recommended, typeof(int), static call => call.HasPorts),
    ];

    public static readonly ConventionRow[] ServerSpan =
    [
        new("rpc.system.name", Required, typeof(string)),
        new("error.type", ConditionallyRequired, typeof(string), static call => call.IsError),
        new("rpc.method", ConditionallyRequired, typeof(string), static _ => true),
        new("rpc.method_original", ConditionallyRequired, typeof(string), static call => !call.IsKnown),
        new("rpc.status_code", ConditionallyRequired, typeof(string), static _ => true),
        new("server.port", ConditionallyRequired, typeof(int), static _ => false),
        new("network.peer.address", Recommended, typeof(string), static call => call.HasPorts),
        new("network.peer.port", Recommended, typeof(int), static call => call.HasPorts),
        new("server.address", Recommended, typeof(string), static _ => false),
        new("client.address", Own, typeof(string), static call => call.HasPorts),
    ];

    public static readonly ConventionRow[] ClientDuration =
    [
        new("rpc.system.name", Required, typeof(string)),
        new("error.type", ConditionallyRequired, typeof(string), static call => call.IsError),
        new("rpc.method", ConditionallyRequired, typeof(string), static _ => true),
        new("rpc.status_code", ConditionallyRequired, typeof(string), static _ => true),
        new("server.address", ConditionallyRequired, typeof(string), static _ => true),
        new("server.port", ConditionallyRequired, typeof(int), static call => call.HasPorts),
        new("mux.client.name", Own, typeof(string), static _ => true),
    ];

    public static readonly ConventionRow[] ServerDuration =
    [
        new("rpc.system.name", Required, typeof(string)),
        new("error.type", ConditionallyRequired, typeof(string), static call => call.IsError),
        new("rpc.method", ConditionallyRequired, typeof(string), static _ => true),
        new("rpc.status_code", ConditionallyRequired, typeof(string), static _ => true),
        new("server.address", OptIn, typeof(string)),
        new("server.port", OptIn, typeof(int)),
    ];
}
