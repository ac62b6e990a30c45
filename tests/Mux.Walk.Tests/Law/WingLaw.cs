namespace Mux.Walk.Tests.Law;

/// <summary>
/// The dependency law of all projects of src. Wings of Mux.Core stand upon each other: Runtime, Protocol, Engine,
/// Telemetry, Calls, then Client, Server and Push side by side, and above all of them the root, which users name.
/// </summary>
internal static class WingLaw
{
    private const string Abstractions = "Mux.Abstractions";
    private const string Runtime = "Mux.Core/Runtime";
    private const string Protocol = "Mux.Core/Protocol";
    private const string Engine = "Mux.Core/Engine";
    private const string Telemetry = "Mux.Core/Telemetry";
    private const string Calls = "Mux.Core/Calls";
    private const string Client = "Mux.Core/Client";
    private const string Server = "Mux.Core/Server";
    private const string Push = "Mux.Core/Push";
    private const string Root = "Mux.Core/Root";

    /// <summary>From the bottom: an entry names entries above it in this list only.</summary>
    public static readonly LawEntry[] Entries =
    [
        new(Abstractions, [],
        [
            "|Buffers",
            "Serialization|Discovery|Transports",
            "Serialization/Json|Serialization/Raw|Protobuf|Contracts",
            "Callbacks|Filters",
        ]),

        new(Runtime, [Abstractions]),
        new(Protocol, [Runtime, Abstractions], ["Wire", "Framing|Lanes"]),
        new(Engine, [Protocol, Runtime, Abstractions]),
        new(Telemetry, [Engine, Protocol, Runtime, Abstractions]),
        new(Calls, [Telemetry, Engine, Protocol, Runtime, Abstractions]),
        new(Client, [Calls, Telemetry, Engine, Protocol, Runtime, Abstractions]),
        new(Server, [Calls, Telemetry, Engine, Protocol, Runtime, Abstractions]),
        new(Push, [Calls, Telemetry, Engine, Protocol, Runtime, Abstractions]),
        new(Root, [Client, Server, Push, Calls, Telemetry, Engine, Protocol, Runtime, Abstractions]),

        new("Mux", [Root, Server, Push, Calls, Runtime, Abstractions],
            ["Configuration", "Hosting", "DependencyInjection"]),
        new("Mux.AspNetCore", ["Mux", Root, Runtime, Abstractions], ["Endpoints|Health", "Kestrel|WebSockets"]),
        new("Mux.RateLimiting", ["Mux", Abstractions]),
        new("Mux.Gateway", ["Mux", Root]),
        new("Mux.Redis", [Push, Abstractions], ["", "DependencyInjection"]),
        new("Mux.Discovery.Dns", ["Mux", Root, Abstractions]),
        new("Mux.Discovery.ServiceDiscovery", ["Mux", Root, Abstractions]),
        new("Mux.Discovery.Etcd", ["Mux", Root, Abstractions], ["Protocol", "", "DependencyInjection"]),
        new("Mux.Discovery.Kubernetes", ["Mux", Root, Abstractions], ["Slices", "Api", "", "DependencyInjection"]),
        new("Mux.Serialization.GoogleProtobuf", [Abstractions]),
        new("Mux.Serialization.ProtobufNet", [Abstractions]),
        new("Mux.Description", [Abstractions]),
        new("Mux.Generators", ["Mux.Description", Abstractions]),
        new("Mux.Generators.CodeFixes", ["Mux.Generators", "Mux.Description"]),
        new("Mux.Reflection", ["Mux", "Mux.Description", Root, Calls, Abstractions]),

        // Frames by hand, so that every rule of the protocol can be broken.
        new("Mux.ProtocolCases", [Root, Server, Engine, Protocol, Abstractions]),
        new("Mux.Tool", ["Mux.ProtocolCases", "Mux.Description", Root, Server, Calls, Protocol, Runtime, Abstractions]),
    ];

    /// <summary>Pairs of types against the law. The list may only become shorter.</summary>
    public static readonly string[] Violations =
    [
        // Which calls are retried, told below the calls.
        "Mux.Core/Engine: ConnectionLedger -> Repeat of Mux.Core/Calls",
        "Mux.Core/Engine: LedgerTotals -> Repeat of Mux.Core/Calls",
        "Mux.Core/Telemetry: MuxMetrics -> Repeat of Mux.Core/Calls",
        "Mux.Core/Telemetry: ServerLog -> MuxProfile of Mux.Core/Root",

        // Handshakes that fail: their counters, the limits of their log lines, and what else speaks to a port with TLS.
        "Mux.Core/Runtime: TlsHint -> ForeignBytes of Mux.Core/Protocol",
        "Mux.Core/Runtime: TlsHint -> ForeignProtocol of Mux.Core/Protocol",
        "Mux.Core/Runtime: TlsListener -> HandshakeFailures of Mux.Core/Telemetry",
        "Mux.Core/Runtime: TlsListener -> RateLimit of Mux.Core/Telemetry",
        "Mux.Core/Runtime: TlsListener -> SuppressedCount of Mux.Core/Telemetry",
        "Mux.Core/Runtime: TlsListener -> TlsFailure of Mux.Core/Telemetry",
        "Mux.Core/Runtime: TlsLog -> SuppressedCount of Mux.Core/Telemetry",
    ];

    private static readonly string[] s_noHosting =
    [
        "Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Hosting",
        "Microsoft.Extensions.Options", "Microsoft.Extensions.Configuration",
    ];

    private static readonly string[] s_noSockets = ["System.Net", .. s_noHosting];
    private static readonly string[] s_spansOnly = ["System.Threading", "System.Net", "System.IO", "Microsoft"];

    /// <summary>
    /// The rooms that keep away from threads, files, sockets or hosting. The mark of the nearest room holds.
    /// </summary>
    public static readonly RoomMark[] Marks =
    [
        new(Abstractions, s_noSockets),
        new("Mux.Abstractions/Serialization", s_spansOnly),
        new("Mux.Abstractions/Serialization/Json", s_noSockets),
        new("Mux.Abstractions/Serialization/Raw", s_noSockets),

        // What generated codecs call.
        new("Mux.Abstractions/Protobuf", s_spansOnly),

        new("Mux.Core", s_noSockets),
        new("Mux.Core/Protocol/Wire", s_spansOnly),
        new("Mux.Core/Protocol/Framing", s_spansOnly),
        new("Mux.Core/Client/Growth", s_spansOnly),
        new("Mux.Core/Calls/Resilience", s_spansOnly),

        // Time and counts come in.
        new("Mux.Core/Engine/Sessions/Budgets", [.. s_spansOnly.Where(space => space != "System.Threading")]),

        // What carries bytes and what names a peer has sockets.
        new("Mux.Core/Runtime/Links/Addresses", s_noHosting),
        new("Mux.Core/Runtime/Links/Sockets", s_noHosting),
        new("Mux.Core/Runtime/Links/Epoll", s_noHosting),
        new("Mux.Core/Runtime/Links/Streams", s_noHosting),
        new("Mux.Core/Runtime/Links/WebSockets", s_noHosting),
        new("Mux.Core/Runtime/Links/Tls", s_noHosting),
        new("Mux.Core/Client/Discovery", s_noHosting),
        new("Mux.Core/Server/Identity", s_noHosting),

        // HTTP and JSON of etcd; knows nothing of endpoints.
        new("Mux.Discovery.Etcd/Protocol", [.. s_noHosting, "Mux", "Mux.Core", Abstractions]),
        new("Mux.Discovery.Etcd", [.. s_noHosting, "Mux"]),
        new("Mux.Discovery.Etcd/DependencyInjection", []),

        // What the API server says comes in, sets come out; HTTP, files and what ends a watch are in a room of their
        // own.
        new("Mux.Discovery.Kubernetes/Slices", [.. s_noSockets, "Mux", "Mux.Core"]),
        new("Mux.Discovery.Kubernetes/Api", [.. s_noHosting, "Mux", "Mux.Core", Abstractions]),
        new("Mux.Discovery.Kubernetes", [.. s_noSockets, "Mux", "Mux.Core"]),
        new("Mux.Discovery.Kubernetes/DependencyInjection", []),

        // One library; it does not know where it is used.
        new("Mux.Redis", ["Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Hosting"]),
        new("Mux.Redis/DependencyInjection", []),
    ];

    /// <summary>
    /// The most types that reach each other although they are in different wings or projects, a sole subclass counted
    /// as one with its base. May only fall. Today it is Session with Connection, its parts, and LoadWatch of the client.
    /// Circles inside a wing are reported, not limited.
    /// </summary>
    public const int LargestCircle = 75;

    /// <summary>Pairs of types of which the first may not name the second, without their namespaces.</summary>
    public static IEnumerable<string> FindViolations(
        IReadOnlyCollection<CodeType> types, IReadOnlyCollection<LawEntry> entries)
    {
        var byName = types.ToDictionary(type => type.Key);
        var byPlace = entries.ToDictionary(entry => entry.Name);
        foreach (var type in types)
        {
            var entry = byPlace[type.Place.Name];
            foreach (var named in type.Names.Where(byName.ContainsKey).Select(name => byName[name]))
            {
                bool isAllowed = named.Place.Name == entry.Name
                    ? entry.Allows(type.Place.Room, named.Place.Room)
                    : entry.MayName.Contains(named.Place.Name);
                if (isAllowed) continue;
                yield return $"{entry.Name}: {type.ShortName} -> {named.ShortName} of {named.Place.Name}";
            }
        }
    }

    /// <summary>Names that a room keeps away from, and has nevertheless.</summary>
    public static IEnumerable<string> FindStains(IEnumerable<CodeType> types, IReadOnlyCollection<RoomMark> marks)
    {
        foreach (var type in types)
        {
            if (marks.Where(mark => mark.IsAbout(type.Place)).MaxBy(mark => mark.Room.Length) is not { } mark) continue;
            var others = type.Names.Where(name => !name.StartsWith(type.Assembly + '/', StringComparison.Ordinal));
            foreach (var name in type.Foreign.Concat(others).Where(mark.Forbids))
            {
                yield return $"{type.Place.Path}: {type.ShortName} names {name}";
            }
        }
    }

    /// <summary>Whether types of a circle are in more than one wing or project.</summary>
    public static bool IsAcross(IReadOnlyList<CodeType> circle) =>
        circle.Select(type => type.Place.Name).Distinct().Count() > 1;
}
